package audit

import (
	"strings"
	"testing"
	"time"

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
	o.Trials = []Trial{{Situation: OneOfSeveral, Cancelled: []Call{{}}, Alive: Answers}, {Situation: Twice}, {Situation: Afterwards, Others: []Call{{Answer: Result, Digest: "same"}}}}
	for _, s := range []string{"one-of-several", "twice", "afterwards"} {
		if l := lineOf(t, o, s+"/others-unharmed"); l.Outcome != Unseen || string(l.Why) != want {
			t.Errorf("%s: %v: %s", s, l.Outcome, l.Why)
		}
	}
	o.Together = o.Together[:1]
	if l := lineOf(t, o, "twice/others-unharmed"); l.Why != "no other call was in flight" {
		t.Errorf("where none was refused: %s", l.Why)
	}
}
