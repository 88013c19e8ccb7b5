package session

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// begun delivers a message whose first byte came ago before now.
func (r *rig) begun(ago time.Duration, format string, args ...any) {
	r.t.Helper()
	f := mcp.Decode(fmt.Appendf(nil, format, args...))
	f.Began = r.now.Add(-ago)
	r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
	r.check()
	r.pull()
}

// measured makes a round trip known.
func (r *rig) measured(d time.Duration) {
	r.t.Helper()
	_, wire := r.call("quick")
	r.wait(d)
	r.recv(okAnswer, wire)
}

func TestAnAnswerIsJudgedByItsFirstByte(t *testing.T) {
	for _, tt := range []struct {
		name       string
		first, end time.Duration // after the cancel's last byte
		verdict    cancel.Verdict
		late       time.Duration
	}{
		{"begun before the cancel", -time.Second, 4 * time.Second, cancel.Crossed, 0},
		{"begun within the bound", 10 * time.Millisecond, 4 * time.Second, cancel.Crossed, 10 * time.Millisecond},
		{"begun later", 3 * time.Second, 4 * time.Second, cancel.AnsweredLate, 3 * time.Second},
		{"begun in the future", 5 * time.Second, 4 * time.Second, cancel.AnsweredLate, 4 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.measured(15 * time.Millisecond)
			id, wire := r.call("t")
			r.wait(2 * time.Second)
			r.cancel(id, "")
			r.wait(tt.end)
			r.begun(tt.end-tt.first, okAnswer, wire)
			r.want(id, Cancelled, tt.verdict)
			if d, _ := r.s.Detail(id); d.Late == nil || d.Late.After != tt.late || !d.Late.At.Equal(r.now) {
				t.Errorf("the answer is told as %+v, want %v late", d.Late, tt.late)
			}
		})
	}
}

func TestProgressThatBeganInTimeWasOnItsWay(t *testing.T) {
	for began, want := range map[time.Duration]cancel.Verdict{0: cancel.StillWorking, 5 * time.Second: cancel.Quiet} {
		r := ready(t, mcp.Rev20251125)
		r.pings = true
		r.measured(15 * time.Millisecond)
		id, wire := r.call("t")
		r.wait(time.Second)
		r.cancel(id, "")
		r.wait(4500 * time.Millisecond)
		r.begun(began, progressNote, token(wire), 1)
		r.wait(5 * time.Second)
		r.want(id, Cancelled, want)
	}
}

func TestTheMembersOfABatchBeginWithIt(t *testing.T) {
	r := ready(t, mcp.Rev20250326)
	r.measured(15 * time.Millisecond)
	id, wire := r.call("t")
	r.wait(time.Second)
	r.cancel(id, "")
	r.wait(4 * time.Second)
	r.begun(5*time.Second, `[`+okAnswer+`]`, wire)
	r.want(id, Cancelled, cancel.Crossed)
}

// A round trip ends with the first byte of the answer. Where that was read
// before the request was reported as written, it begins when it was handed out.
func TestARoundTripEndsWithTheFirstByte(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	_, wire := r.made(CallSpec{Method: "ping"})
	r.wait(3 * time.Second)
	r.begun(2980*time.Millisecond, okAnswer, wire)
	if d := r.s.Status().RoundTrip; d != 20*time.Millisecond {
		t.Errorf("a round trip of %v, want 20ms", d)
	}
	r.mute = true
	_, wire = r.made(CallSpec{Method: "ping"})
	out, _ := r.s.Next(r.now)
	r.wait(10 * time.Millisecond)
	r.s.Tell(r.now, Sent{Seq: out.Seq})
	r.begun(5*time.Millisecond, okAnswer, wire)
	if d := r.s.Status().RoundTrip; d != 5*time.Millisecond {
		t.Errorf("a round trip of %v, want 5ms", d)
	}
}

// A request that a server at work may read late is no measure of the way, also a ping.
func TestAnUntimedPingIsNoMeasure(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	for _, untimed := range []bool{true, false} {
		before := r.s.Status().Bound
		_, wire := r.made(CallSpec{Method: "ping", Untimed: untimed})
		r.wait(time.Second)
		r.recv(okAnswer, wire)
		if after := r.s.Status().Bound; (after == before) != untimed {
			t.Errorf("untimed %v: the bound is %v, was %v", untimed, after, before)
		}
	}
}

// What began before its request was handed out tells nothing of a round trip.
// What began before the connection, by a clock that went wrong, began with it,
// and what is to begin in the future begins now.
func TestWhatCannotHaveBegunThen(t *testing.T) {
	r, lines := recorded(t, nil)
	r.wait(time.Minute)
	for ago, kept := range map[time.Duration]string{
		30 * time.Second: `"ago":30000000000,`, 24 * time.Hour: `"ago":60000000000,`, -time.Second: `"raw":`,
	} {
		before := r.s.Status().RoundTrip
		_, wire := r.call("t")
		r.begun(ago, okAnswer, wire)
		last := lines.lines[len(lines.lines)-1]
		if !bytes.Contains(last, []byte(kept)) || ago < 0 && bytes.Contains(last, []byte(`"ago"`)) {
			t.Errorf("%v ago is kept as %s", ago, last)
		}
		if after := r.s.Status().RoundTrip; ago > 0 && after != before {
			t.Errorf("%v ago: a round trip of %v", ago, after)
		}
	}
	replayed(t, r, lines)
}

func TestARecordingKeepsFirstBytes(t *testing.T) {
	r, lines := recorded(t, nil)
	r.measured(15 * time.Millisecond)
	begins := len(lines.lines)
	id, wire := r.call("t")
	r.wait(time.Second)
	r.cancel(id, "")
	r.wait(4 * time.Second)
	r.begun(5*time.Second, okAnswer, wire)
	r.want(id, Cancelled, cancel.Crossed)
	for _, line := range lines.lines[:begins] {
		if bytes.Contains(line, []byte(`"ago"`)) {
			t.Errorf("of what came at once, a first byte is kept: %s", line)
		}
	}
	ago := []byte(`"ago":5000000000,`)
	if last := lines.lines[len(lines.lines)-1]; !bytes.Contains(last, ago) {
		t.Errorf("no first byte in %s", last)
	}
	if p := replayed(t, r, lines); p.differs != 0 {
		t.Errorf("%d outputs differ", p.differs)
	}
}
