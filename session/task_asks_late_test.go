package session

import (
	"slices"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// What a task asks that is being cancelled, or was, is kept as a question, known to be one of that
// task, which stops no clock and interrupts nobody.
func TestATaskAsksAfterItsCancel(t *testing.T) {
	requirements.Rows(t, "TSK-26", "TEX-25")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		other, _ := r.call("t") // another call is no candidate
		r.n = len(r.lines)
		r.cancel(id, "")
		if r.modern() {
			r.ack()
			r.polled("input_required", inputs(input("name", "Your name?")))
		} else {
			r.asksForName("," + related)
			r.ack()
		}
		p := r.wantQuestion(Waiting)
		if !p.AfterCancel || !p.Orphaned || p.Task != "task-4711" || p.Owners != 1 || p.Candidates[0] != id {
			t.Errorf("%+v", p)
		}
		if r.row(other).AsksYou || r.s.rows.get(other).asked != 0 {
			t.Error("another call is held by the question")
		}
		r.wantDiag(mcp.DiagTaskRelated, 0)
		if r.polled("cancelled"); !r.modern() {
			return
		}
		if p := r.s.Questions()[0]; p.State != Withdrawn {
			t.Errorf("after the end of the task: %+v", p)
		}
	})
}

// A task of the extension that vanishes after its cancel takes with it what it asked since.
func TestWhatATaskAskedAfterItsCancelEndsWithIt(t *testing.T) {
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.cancel(id, "")
	r.ack()
	r.polled("input_required", inputs(input("name", "Your name?")))
	r.wantQuestion(Waiting)
	r.wait(2 * time.Second)
	r.refuses("tasks/get", mcp.CodeInvalidParams)
	if p := r.s.Questions()[0]; p.State != Withdrawn {
		t.Errorf("%+v", p)
	}
}

// A request of a task that was cancelled, and is followed no more, is one of that task still.
func TestATaskThatWasCancelledAsks(t *testing.T) {
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.cancel(id, "")
	r.ack()
	r.polled("cancelled")
	r.asksForName("," + related)
	if p := r.wantQuestion(Waiting); !p.AfterCancel || p.Candidates[0] != id {
		t.Errorf("%+v", p)
	}
	r.wantDiag(mcp.DiagTaskRelated, 1)
}

// What is asked between the key and the last byte of the cancel stands once in the timeline of the
// call, where it came; what came after that byte is told as what came after the cancel.
func TestAQuestionBesideTheCancelStandsOnce(t *testing.T) {
	requirements.Rows(t, "TSK-26")
	const written, wanted, asked, later = "cancel written", "cancel wanted", "asked", "asked after it"
	for name, tt := range map[string]struct {
		handed bool          // before it was asked
		told   bool          // as written, before it was asked
		ago    time.Duration // the last byte was written so long before it was told
		want   []string
	}{
		"before the cancel leaves":     {want: []string{wanted, asked, written}},
		"while it is written":          {handed: true, want: []string{wanted, asked, written}},
		"before it is told as written": {handed: true, ago: 15 * time.Millisecond, want: []string{wanted, written, asked}},
		"after it":                     {handed: true, told: true, want: []string{wanted, written, later}},
	} {
		for _, asTask := range []bool{false, true} {
			r := tasking(t, mcp.Rev20251125)
			var id CallID
			if asTask {
				id = r.begun()
			} else {
				id, _ = r.call("t")
			}
			r.mute = true
			r.cancel(id, "")
			var out Output
			if tt.handed {
				out, _ = r.s.Next(r.now)
			}
			if tt.told {
				r.s.Tell(r.now, Sent{Seq: out.Seq})
			}
			r.now = r.now.Add(10 * time.Millisecond)
			r.asksForName("," + related)
			r.now = r.now.Add(10 * time.Millisecond)
			if tt.handed && !tt.told {
				r.s.Tell(r.now, Sent{Seq: out.Seq, Ago: tt.ago})
			}
			r.mute = false
			r.pull()
			var got []string
			d, _ := r.s.Detail(id)
			for _, m := range d.Timeline {
				switch {
				case m.Kind == MomCancelWanted:
					got = append(got, wanted)
				case m.Kind == MomCancelSent || m.Kind == MomTaskCancel:
					got = append(got, written)
				case m.Kind == MomQuestion && m.Dir == In:
					got = append(got, asked)
				case m.Kind == MomAfter:
					got = append(got, later)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, as a task %v: %q, want %q", name, asTask, got, tt.want)
			}
			r.wantQuestion(Waiting)
		}
	}
}

// What the user rejects cannot be told the server by tasks/update, which has results alone: the row says
// that nothing was sent, whoever decided that.
func TestAnInputThatIsRejectedIsNotAnswered(t *testing.T) {
	requirements.Rows(t, "TEX-25")
	for _, as := range []QuestionState{Declined, Dismissed} {
		r := tasking(t, mcp.Rev20260728)
		id := r.begun()
		r.polled("input_required", inputs(`"k":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}],"maxTokens":9}}`))
		r.do(Refuse{Question: r.wantQuestion(Waiting).ID, Code: mcp.CodeRejected, Message: "no", As: as})
		want := `not answered: sampling/createMessage was ` + as.String() + `; the task may wait for it until its time is over`
		if got := r.row(id).Note; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if n := r.sent("tasks/update"); n != 0 {
			t.Errorf("%d answers", n)
		}
	}
}
