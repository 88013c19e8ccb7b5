package audit

import (
	"strings"
	"testing"

	"belay/internal/requirements"
)

// A server that ends in a call that nobody had cancelled shows nothing of its cancels: the audit
// ended early, and nothing has failed by that.
func TestAServerThatEndsByItselfFailsNothing(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	before := heard(func(c *Call) { c.Sent = false })
	task := Call{Ran: second, Task: &Task{}}
	for _, x := range []struct {
		what string
		t    Trial
		exit int
	}{
		{"before the cancel", Trial{Situation: Midway, Cancelled: []Call{before}}, ExitLost},
		{"after it", Trial{Situation: Midway, Cancelled: []Call{heard(nil)}}, ExitFailed},
		{"before the cancel of one of several", Trial{Situation: OneOfSeveral, Cancelled: []Call{before}}, ExitLost},
		{"after it, none of the others in flight", Trial{Situation: OneOfSeveral, Cancelled: []Call{heard(nil)}}, ExitFailed},
		{"before all cancels of a crowd", Trial{Situation: Crowd, Cancelled: []Call{before, before}}, ExitLost},
		{"after one of them", Trial{Situation: Crowd, Cancelled: []Call{before, heard(nil)}}, ExitFailed},
		{"after tasks/cancel", Trial{Situation: AsTask, Cancelled: []Call{task}}, ExitFailed},
		{"after a malformed cancel", Trial{Situation: Malformed, Others: []Call{{Ran: second}}}, ExitFailed},
		{"in a call after all cancels", Trial{Situation: Afterwards, Others: []Call{{Ran: second}}}, ExitLost},
	} {
		o := seen(heard(nil))
		x.t.Lost = "exit status 1"
		o.Trials, o.Stopped = append(o.Trials, x.t), "the connection ended: exit status 1"
		r := Judge(o)
		if got := r.Exit(OnShould); got != x.exit {
			t.Errorf("%s: exit %d, not %d: %s", x.what, got, x.exit, r.Counts())
		}
		for _, l := range r.Lines {
			if l.Outcome == Pass && l.Check.Situation == x.t.Situation && l.Check.Situation != Midway {
				t.Errorf("%s: %s passes: %s", x.what, l.Check.ID, l.Why)
			}
			if x.exit == ExitLost && strings.Contains(string(l.Why), "was lost, as") {
				t.Errorf("%s: %s: %s", x.what, l.Check.ID, l.Why)
			}
		}
	}
}

// What was seen while belay itself failed says nothing of the server, whatever it is.
func TestWhatWasSeenWhileBelayFailedDoesNotCount(t *testing.T) {
	requirements.Rows(t, "SEC-28")
	const failed = "belay failed in the reader: oh no"
	answered := heard(func(c *Call) { c.Answer, c.After = Failure, second })
	for _, x := range []Trial{
		{Situation: Midway, Cancelled: []Call{answered}, Alive: Silent},
		{Situation: Crowd, Cancelled: []Call{answered}, Lost: failed},
		{Situation: OneOfSeveral, Cancelled: []Call{answered}, Others: []Call{{Ran: second, Answer: Failure}}},
		{Situation: Malformed, Others: []Call{{Ran: second, Answer: Failure}}, Alive: Silent},
		{Situation: AsTask, Cancelled: []Call{{Ran: second, Task: &Task{Fate: FateWorking}}}},
	} {
		o := seen(heard(nil))
		x.Failed = failed
		o.Trials, o.Stopped = append(o.Trials, x), failed
		r := Judge(o)
		if r.Exit(OnShould) != ExitLost {
			t.Errorf("%v: exit %d: %s", x.Situation, r.Exit(OnShould), r.Counts())
		}
		for _, l := range r.Lines {
			if s := l.Check.Situation; s == x.Situation && s != Midway && (l.Outcome != Unseen || l.Why != failed) {
				t.Errorf("%s: %v: %s", l.Check.ID, l.Outcome, l.Why)
			}
		}
	}
}
