package session

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// The time of a cancelled row reaches to the end that was seen, also if that grows the verdict
// after the row has ended.
func TestTheTimeOfARowReachesToTheEndThatWasSeen(t *testing.T) {
	requirements.Rows(t, "CXL-34")
	t.Run("a late answer", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
		id, wire := r.call("slow")
		made := r.now
		r.cancel(id, "")
		r.wait(time.Minute)
		r.lasts(id, cancel.NothingHeard, 5*time.Second)
		r.recv(okAnswer, wire)
		end := r.now.Sub(made)
		r.wait(time.Minute)
		r.lasts(id, cancel.AnsweredLate, end)
	})
	t.Run("an answer within the grace", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.call("slow")
		r.cancel(id, "")
		r.wait(2 * time.Second)
		r.recv(okAnswer, wire)
		r.wait(time.Minute)
		r.lasts(id, cancel.AnsweredLate, 2*time.Second)
	})
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		id := r.begun()
		made := r.now
		r.cancel(id, "")
		r.refuses("tasks/cancel", mcp.CodeInternal)
		r.polled("working")
		r.lasts(id, cancel.TaskWorking, time.Second)
		r.works(30 * time.Second)
		r.lasts(id, cancel.TaskWorking, time.Second)
		for r.n == len(r.lines) { // the polls go on with back-off
			r.wait(time.Second)
		}
		r.polled("cancelled")
		end := r.now.Sub(made)
		r.lasts(id, cancel.TaskCancelled, end)
		r.wait(time.Minute)
		r.lasts(id, cancel.TaskCancelled, end)
	})
}

// lasts holds the verdict of a row, and the duration that the table and the log of calls show.
func (r *rig) lasts(id CallID, verdict cancel.Verdict, want time.Duration) {
	r.t.Helper()
	row := r.row(id)
	if got := row.Age(r.now); row.Verdict != verdict || got != want {
		r.t.Errorf("%v · %v after %v, want %v after %v", row.State, row.Verdict, got, verdict, want)
	}
	if s := r.s.callRecord(r.s.rows.get(id)).Seconds; *s != want.Seconds() {
		r.t.Errorf("the log of calls says %v, want %v", *s, want)
	}
}

// An answer that comes after the end of the row brings the verdict into the log that it makes.
func TestTheLogHasTheVerdictOfALateAnswer(t *testing.T) {
	requirements.Rows(t, "CXL-25")
	r := ready(t, mcp.Rev20251125)
	r.pings = true
	id, wire := r.call("slow")
	r.cancel(id, "")
	r.wait(10 * time.Second)
	r.want(id, Cancelled, cancel.Quiet)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
	r.want(id, Cancelled, cancel.AnsweredLate)
	all := r.s.CancelEvents()
	if e := all[len(all)-1]; e.Stage != CancelAnswered || e.Note != cancel.AnsweredLate.String() {
		t.Errorf("%v: %q", e.Stage, e.Note)
	}
}
