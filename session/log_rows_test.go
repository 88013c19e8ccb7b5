package session

import (
	"testing"

	"belay/session/mcp"
	"belay/session/timer"
)

// Each machine of a call notes by itself that the row changes when it is told something: nobody
// who tells it has to.
func TestWhoeverTellsACallSomethingChangesItsRow(t *testing.T) {
	var timers timer.List
	cached := mcp.Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":{"ttlMs":1000,"cacheScope":"public"}}`))
	structuredContent := mcp.Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{}}}`))
	for name, tell := range map[string]func(*call){
		"a remark":                 func(c *call) { c.say(saying("something")) },
		"its last byte":            func(c *call) { new(rows).onSent(c, origin) },
		"a request":                func(c *call) { new(rows).onRequest(c, c.req) },
		"that another goes on":     func(c *call) { c.passOver() },
		"a line of before":         func(c *call) { momentAt(c, origin, 0, MomentView{Kind: MomNote}) },
		"its request":              func(c *call) { momentAt(c, origin, 0, MomentView{Kind: MomSent}) },
		"progress":                 func(c *call) { c.takeProgress(&mcp.ProgressNote{Value: 1}) },
		"progress that is refused": func(c *call) { c.takeProgress(&mcp.ProgressNote{Value: -1}) },
		"that its clocks begin":    func(c *call) { c.renewClocks(&timers, origin) },
		"that they stop":           func(c *call) { c.stopClocks(&timers) },
		"that they stand still":    func(c *call) { c.pauseClocks(&timers, origin) },
		"that they go on":          func(c *call) { c.resumeClocks(&timers, origin) },
		"a round":                  func(c *call) { c.nextRound(&mcp.InputNote{}) },
		"a round of belay's own":   func(c *call) { c.ownRound() },
		"that it may go on":        func(c *call) { c.wait = &wait{round: &round{awaitsRetry: true}}; c.allowRounds(1) },
		"an answer within a round": func(c *call) { c.inputAnswered(&serverRequest{question: question{round: &round{}}}, nil) },
		"that a question is over":  func(c *call) { c.onQuestionOver() },
		"a request to a model":     func(c *call) { c.onSampling() },
		"something of its cancel":  func(c *call) { c.stop = &stop{}; c.touchStop().Closed(origin) },
		"its result":               func(c *call) { c.onAnswer(&mcp.Frame{Kind: mcp.FrameResult}, keptAnswer{}, mcp.Rev20251125) },
		"its error": func(c *call) {
			c.onAnswer(&mcp.Frame{Kind: mcp.FrameError}, keptAnswer{err: &mcp.RPCError{}}, mcp.Rev20251125)
		},
		"an answer that is late":     func(c *call) { c.showLate(&LateAnswer{}) },
		"what its round was to mend": func(c *call) { c.wait = &wait{round: &round{}}; c.onHeld() },
		"a check":                    func(c *call) { c.onStructured(structuredContent, []byte(`{}`), 0) },
		"what a check came to":       func(c *call) { c.judged = &structured{}; c.onJudged(Conforms, SchemaReport{}) },
		"head and body":              func(c *call) { c.onCompared(make([]Compared, 1)) },
		"how long its result lasts":  func(c *call) { c.Method = "tools/list"; c.onCache(cached.Cache) },
		"what the server needs":      func(c *call) { c.onMissingCapabilities(make([]Capability, 1)) },
		"that its result goes":       func(c *call) { c.forgetResult(0) },
		"part of a message":          func(c *call) { (&exchange{req: &request{call: c}}).onPart(messagePart{size: 1}) },
		"a head":                     func(c *call) { (&exchange{req: &request{call: c}}).onHead(Head{}, origin, false) },
	} {
		var all rows
		c, other := &call{req: &request{}}, &call{req: &request{}}
		for _, made := range []*call{c, other} {
			all.add(made)
			made.touch()
		}
		was := all.rev
		if tell(c); all.changed != c || c.rev == was || c.rev != all.rev {
			t.Errorf("a call is told %s: its row is not said to have changed", name)
		}
		if other.rev != was {
			t.Errorf("a call is told %s: another row is said to have changed", name)
		}
	}
}

// A row that is not kept is in no list, and comes into none.
func TestARowThatIsHiddenStaysAway(t *testing.T) {
	var all rows
	a, b, c := &call{req: &request{}}, &call{req: &request{}}, &call{req: &request{}}
	for _, made := range []*call{a, b, c} {
		all.add(made)
		made.touch()
	}
	b.say(saying("it stays"))
	b.hide()
	b.touch()
	if b.isShown() || all.changed != c || c.older != a || a.older != nil || a.newer != c {
		t.Errorf("the list after one of three is hidden: %+v", all.changes)
	}
	if b.remark.text != "it stays" {
		t.Errorf("the remark of a row that is hidden: %q", b.remark.text)
	}
	if b.hide(); b.isShown() { // a second time
		t.Error("it is shown")
	}
	request := &call{req: &request{}, about: &taskRequest{}}
	if all.add(request); request.isShown() {
		t.Error("a request about a task has a row")
	}
}
