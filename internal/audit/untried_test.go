package audit

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// Of an audit that ended before anything was cancelled no try is told of what is so after all cancels,
// nor a time that the tool takes.
func TestNothingIsToldOfWhatWasNotTried(t *testing.T) {
	for _, over := range []mcp.Transport{mcp.Stdio, mcp.HTTP} {
		o := &Observed{Transport: over, Revision: mcp.Rev20251125, Alone: []Call{{Ran: time.Second}}, Stopped: "you stopped it", ByUser: true}
		for _, id := range []string{"processes", "connections", "files", "memory", "responsive", "others-unharmed"} {
			if l := lineOf(t, o, "afterwards/"+id); l.Outcome != Skipped || l.Tried != 0 || l.Decided != 0 || l.Why != "it was not tried: you stopped it" {
				t.Errorf("%s: %+v", id, l)
			}
		}
		if text := string(Judge(o).As(JSON, OnShould, 0)); strings.Contains(text, "tookMs") {
			t.Errorf("a time is told that nobody knows:\n%s", text)
		}
		o.Took = 1500 * time.Millisecond
		if text := string(Judge(o).As(JSON, OnShould, 0)); !strings.Contains(text, `"tookMs": 1500`) {
			t.Errorf("the time is not told:\n%s", text)
		}
	}
}

// A server that refuses calls at once is said to, also where no other call was in flight for that.
func TestAServerThatRefusesCallsAtOnceIsSaidTo(t *testing.T) {
	const want = `calls at once do not all end with a result, even where none is cancelled: one was answered with a result that says isError: "busy"`
	o := seen()
	o.Together = []Call{{Answer: Result, Digest: "same"}, {Answer: ToolError, Said: "busy"}}
	o.Trials = []Trial{{Situation: Midway, Cancelled: []Call{heard(nil)}}, {Situation: OneOfSeveral, Cancelled: []Call{{}}, Alive: Answers}, {Situation: Twice}, {Situation: Afterwards, Others: []Call{{Answer: Result, Digest: "same"}}}}
	for _, s := range []string{"one-of-several", "twice"} {
		if l := lineOf(t, o, s+"/others-unharmed"); l.Outcome != Unseen || string(l.Why) != want {
			t.Errorf("%s: %v: %s", s, l.Outcome, l.Why)
		}
	}
	if l := lineOf(t, o, "afterwards/others-unharmed"); l.Outcome != Pass {
		t.Errorf("a single call is refused by nobody: %v: %s", l.Outcome, l.Why)
	}
	o.Together = o.Together[:1]
	if l := lineOf(t, o, "twice/others-unharmed"); l.Why != "no other call was in flight" {
		t.Errorf("where none was refused: %s", l.Why)
	}
}

// How many calls a server takes at once is known where it refuses more of them without delay. Where
// one failed later, any may.
func TestFewerCallsAtOnceAreJudgedWhereMoreAreRefused(t *testing.T) {
	requirements.Rows(t, "BASE-06")
	fine, refused, late := Call{Ran: 10 * second, Answer: Result, Digest: "same"}, Call{Ran: second / 10, Answer: ToolError, Said: "busy"}, Call{Ran: 9 * second, Answer: Failure}
	harmed := Call{Ran: second, Answer: Failure, Said: "cancelled"}
	for _, x := range []struct {
		what                string
		together, pair      []Call
		one, two, harmedOne Outcome
	}{
		{"it takes three", []Call{fine, fine, fine}, nil, Pass, Pass, Fail},
		{"it takes two", []Call{fine, fine, refused}, []Call{fine, fine}, Pass, Pass, Fail},
		{"it takes one", []Call{fine, refused, refused}, []Call{fine, refused}, Pass, Unseen, Fail},
		{"one of three failed later", []Call{fine, fine, late}, nil, Unseen, Unseen, Unseen},
		{"one of two failed later", []Call{fine, fine, refused}, []Call{fine, late}, Unseen, Unseen, Unseen},
	} {
		o := seen()
		o.Together, o.Pair = x.together, x.pair
		o.Trials = []Trial{
			{Situation: OneOfSeveral, Cancelled: []Call{heard(nil)}, Others: []Call{fine}, Alive: Answers},
			{Situation: Malformed, Others: []Call{fine}, Alive: Answers},
			{Situation: OtherType, Others: []Call{harmed}, Alive: Answers},
		}
		for id, want := range map[string]Outcome{"one-of-several": x.two, "malformed": x.one, "other-type": x.harmedOne} {
			if l := lineOf(t, o, id+"/others-unharmed"); l.Outcome != want {
				t.Errorf("%s: %s: %v, not %v: %s", x.what, id, l.Outcome, want, l.Why)
			}
		}
	}
	other := fine
	other.Digest = "another"
	o := seen()
	o.Together, o.Pair = []Call{fine, fine, refused}, []Call{fine, fine}
	o.Trials = []Trial{{Situation: Malformed, Others: []Call{other}, Alive: Answers}}
	if l := lineOf(t, o, "malformed/others-unharmed"); l.Outcome != Fail {
		t.Errorf("another result than that of all that were not refused: %v: %s", l.Outcome, l.Why)
	}
}
