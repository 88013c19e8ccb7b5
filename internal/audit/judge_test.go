package audit

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/witness"
)

const second = time.Second

// heard is a call of a tool that takes ten seconds, cancelled after five, in which belay heard
// all that there was to hear: nothing.
func heard(change func(*Call)) Call {
	c := Call{Ran: 5 * second, Sent: true, Read: true, Heard: 8 * second, Bound: second / 50}
	if change != nil {
		change(&c)
	}
	return c
}

// seen is what was seen of a tool that takes ten seconds, of which calls that are left alone leave nothing.
func seen(calls ...Call) *Observed {
	o := &Observed{Transport: mcp.Stdio, Revision: mcp.Rev20251125, Took: 10 * second, Kept: []Kept{}}
	for n := range 2 {
		o.Alone = append(o.Alone, Call{Ran: 10 * second, Answer: Result, Digest: "same"})
		o.Unprovoked = append(o.Unprovoked, Rest{Cancels: 1 + n, Processes: 1, Files: 6, Counted: true, Memory: 64 << 20})
	}
	for _, c := range calls {
		o.Trials = append(o.Trials, Trial{Situation: Midway, Cancelled: []Call{c}, Alive: Answers})
	}
	return o
}

func lineOf(t *testing.T, o *Observed, id string) Line {
	t.Helper()
	for _, l := range Judge(o).Lines {
		if l.Check.ID == id {
			return l
		}
	}
	t.Fatalf("there is no check %q", id)
	return Line{}
}

// Where calls that are left alone have different results, one that comes when a call would have ended
// may be of what was done until its cancel.
func TestTheResultsOfAToolDiffer(t *testing.T) {
	requirements.Rows(t, "CXL-18")
	for _, after := range []time.Duration{5 * second, 20 * second} {
		o := seen(heard(func(c *Call) { c.Answer, c.After, c.Digest = Result, after, "a third" }))
		o.Alone[1].Digest = "another"
		if l := lineOf(t, o, "midway/work-stops"); l.Outcome != Unseen || !strings.Contains(string(l.Why), "have different ones") {
			t.Errorf("a result %v after the cancel: %v: %s", after, l.Outcome, l.Why)
		}
	}
}

// What is seen of a cancelled call, and what that says of the three claims: it is silent, it
// sends nothing, its work stops.
func TestACallIsJudgedByWhatWasSeen(t *testing.T) {
	requirements.Rows(t, "CXL-17", "CXL-18", "CXL-19", "CXL-20", "CXL-22", "CXL-28")
	idle := &Processes{CPUBefore: second / 10, Window: 8 * second}
	with := func(p Processes) func(*Call) { return func(c *Call) { c.Processes = &p } }
	for _, x := range []struct {
		what                string
		call                func(*Call)
		rev                 mcp.Revision
		over                mcp.Transport
		answer, sends, work Outcome
		why                 string // a part of the reasons
	}{
		{what: "silence, for longer than the call would have gone on", answer: Pass, sends: Pass, work: Unseen, why: "silence is no proof"},
		{what: "silence that was too short: a server that ignores the cancel would not have answered yet", call: func(c *Call) { c.Heard = 4 * second }, answer: Unseen, sends: Unseen, work: Unseen, why: "belay listened for 4"},
		{what: "silence of a server that may not have read the cancel", call: func(c *Call) { c.Read = false }, answer: Unseen, sends: Unseen, work: Unseen, why: "read the cancel"},
		{what: "the stream was away", call: func(c *Call) { c.Deaf = "its stream was away" }, answer: Unseen, sends: Unseen, work: Unseen, why: "away"},
		{what: "the call ended before its cancel", call: func(c *Call) { c.Sent = false; c.Answer = Result }, answer: Unseen, sends: Unseen, work: Unseen, why: "had ended"},
		{what: "an answer that crossed the cancel", call: func(c *Call) { c.Answer, c.Crossed, c.After = Result, true, second/100 }, answer: Unseen, sends: Pass, work: Unseen, why: "on its way"},
		{what: "an answer that crossed the cancel, and a child of the call that lives on, as it may when its call has ended", call: func(c *Call) {
			c.Answer, c.Crossed, c.After = Result, true, second/100
			c.Processes = &Processes{Finding: witness.Left, Window: 8 * second, Began: []Process{{Name: "sleep", PID: 7, Lives: true}}}
		}, answer: Unseen, sends: Pass, work: Unseen, why: "may have ended before"},
		{what: "an answer that crossed the cancel, and the child of the call ended with it", call: func(c *Call) {
			c.Answer, c.Crossed, c.After = Result, true, second/100
			c.Processes = &Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Began: -4 * second, Ended: second / 10}}}
		}, answer: Unseen, sends: Pass, work: Unseen, why: "may have ended before"},
		{what: "an answer that crossed the cancel, and messages that did not", call: func(c *Call) {
			c.Answer, c.Crossed, c.After, c.Messages, c.Last = Result, true, second/100, 5, 5*second
		}, answer: Unseen, sends: Fail, work: Fail, why: "5 messages"},
		{what: "the result when the call would have ended", call: func(c *Call) { c.Answer, c.After, c.Heard, c.Digest = Result, 5*second, 5*second, "same" }, answer: Fail, sends: Pass, work: Fail, why: "answered with a result"},
		{what: "… which is another than that of calls that are left alone: of what was done until the cancel, perhaps", call: func(c *Call) { c.Answer, c.After, c.Digest = Result, 5*second, "stopped" }, answer: Fail, sends: Pass, work: Unseen, why: "is another than that of calls"},
		{what: "… and long after that, as of a queue", call: func(c *Call) { c.Answer, c.After, c.Digest = Result, 20*second, "same" }, answer: Fail, sends: Pass, work: Fail, why: "the result came 20"},
		{what: "the result well before the call would have ended", call: func(c *Call) { c.Answer, c.After, c.Digest = Result, 4*second, "same" }, answer: Fail, sends: Pass, work: Unseen},
		{what: "a result soon after the cancel: what was done until then, perhaps", call: func(c *Call) { c.Answer, c.After = Result, second/2 }, answer: Fail, sends: Pass, work: Unseen},
		{what: "an error that says cancelled is no proof, and no silence", call: func(c *Call) { c.Answer, c.After, c.Said = Failure, second/2, "Request cancelled" }, answer: Fail, sends: Pass, work: Unseen, why: "Request cancelled"},
		{what: "isError that says cancelled", call: func(c *Call) { c.Answer, c.After, c.Said = ToolError, second/2, "context canceled" }, answer: Fail, sends: Pass, work: Unseen, why: "context canceled"},
		{what: "a message some time after the cancel, near the end of the call", call: func(c *Call) { c.Ran, c.Messages, c.Last = 9600*second/1000, 1, second/5 }, answer: Pass, sends: Fail, work: Unseen, why: "messages of the call came until 0.200s after the cancel, and the call would have gone on for 0.400s only"},
		{what: "progress to the end", call: func(c *Call) { c.Messages, c.Last = 5, 5*second }, answer: Pass, sends: Fail, work: Fail, why: "5 messages"},
		{what: "a message while it stops, up to 2025-11-25", call: func(c *Call) { c.Messages, c.Last = 1, second/2 }, answer: Pass, sends: Pass, work: Unseen},
		{what: "the same in 2026-07-28, which forbids it", rev: mcp.Rev20260728, call: func(c *Call) { c.Messages, c.Last = 1, second/2 }, answer: Pass, sends: Fail, work: Unseen},
		{what: "silence, and CPU as before", call: with(Processes{Finding: witness.Working, CPUAfter: 7 * second, Window: 8 * second}), answer: Pass, sends: Pass, work: Fail, why: "worked on"},
		{what: "silence, and a process that began after the cancel and has ended, with next to no CPU", call: with(Processes{Finding: witness.Working, CPUAfter: second / 100, Window: 8 * second, Began: []Process{{Name: "kill", PID: 8, Began: second / 10, Ended: second / 4}}}), answer: Pass, sends: Pass, work: Unseen, why: `"kill", number 8`},
		{what: "… with CPU", call: with(Processes{Finding: witness.Working, CPUAfter: second, Window: 8 * second, Began: []Process{{Name: "crunch", PID: 8, Began: second / 10, Ended: 2 * second}}}), answer: Pass, sends: Pass, work: Fail, why: `"crunch", number 8`},
		{what: "… that lives on when the call would have ended", call: with(Processes{Finding: witness.Working, CPUAfter: second / 100, Window: 8 * second, Began: []Process{{Name: "kill", PID: 8, Began: second / 10, Ended: second / 4}, {Name: "sleep", PID: 9, Began: second / 2, Lives: true}}}), answer: Pass, sends: Pass, work: Fail, why: `"sleep", number 9`},
		{what: "silence, and a process of the call lives", call: with(Processes{Finding: witness.Left, Window: 8 * second, Began: []Process{{Name: "sleep", PID: 7, Began: -second, Lives: true}}}), answer: Pass, sends: Pass, work: Fail, why: `"sleep"`},
		{what: "… that began with the cancel", call: with(Processes{Finding: witness.Left, Window: 8 * second, Began: []Process{{Name: "sleep", PID: 7, Lives: true}}}), answer: Pass, sends: Pass, work: Fail, why: `began as the cancel came lives on: "sleep"`},
		{what: "silence, and the process of the call ended with the cancel", call: with(Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Began: -4 * second, Ended: second / 10}}}), answer: Pass, sends: Pass, work: Unseen, why: "may have ended by itself"},
		{what: "… that began with the cancel: it may be anything, and no work was seen to stop", call: with(Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Began: -rounding, Ended: second / 5}}}), answer: Pass, sends: Pass, work: Unseen, why: "silence is no proof"},
		{what: "… or when it would have ended in any case", call: with(Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Began: -4 * second, Ended: 4 * second}}}), answer: Pass, sends: Pass, work: Unseen, why: "a process of the call ended 4.000s after the cancel, and whether by the cancel is not known"},
		{what: "… or when the call would have ended: that was its work", call: with(Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Name: "sleep", PID: 7, Began: -4 * second, Ended: 5 * second}}}), answer: Pass, sends: Pass, work: Fail, why: `went on until 5.000s after the cancel, when the call would have ended: "sleep", number 7`},
		{what: "… or long after that, as one of a pool", call: with(Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Name: "pool", PID: 7, Began: -4 * second, Ended: 7 * second}}}), answer: Pass, sends: Pass, work: Unseen, why: `"pool", number 7`},
		{what: "… or had ended before the cancel", call: with(Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Began: -4 * second, Ended: -second}}}), answer: Pass, sends: Pass, work: Unseen},
		{what: "no CPU after the cancel, of a tool that never used any", call: with(*idle), answer: Pass, sends: Pass, work: Unseen, why: "shows the work of a call"},
		{what: "… where no processor was idle", call: with(Processes{CPUBefore: idle.CPUBefore, CPUAfter: idle.CPUAfter, Window: idle.Window, Processors: 2}), answer: Pass, sends: Pass, work: Unseen, why: "shows the work of a call, and may have been kept from running"},
		{what: "some CPU after the cancel, which may be anything", call: with(Processes{CPUAfter: second, Window: 8 * second}), answer: Pass, sends: Pass, work: Unseen, why: "neither rest"},
		{what: "over HTTP an answer to a call whose cancel may have come first", over: mcp.HTTP, call: func(c *Call) { c.Ran, c.Answer, c.After, c.Digest = second/100, Result, 10*second, "same" }, answer: Unseen, sends: Pass, work: Unseen, why: "read before its call"},
		{what: "… and belay was late with a cancel that was due at once", over: mcp.HTTP, call: func(c *Call) {
			c.Ran, c.Late, c.Answer, c.After, c.Digest = second/2, second/2, Result, 95*second/10, "same"
		}, answer: Unseen, sends: Pass, work: Unseen, why: "read before its call"},
		{what: "… and belay was not as late", over: mcp.HTTP, call: func(c *Call) {
			c.Ran, c.Late, c.Answer, c.After, c.Digest = second/2, second/3, Result, 95*second/10, "same"
		}, answer: Fail, sends: Pass, work: Fail},
		{what: "over HTTP the result when a call would have ended that the server read after its cancel", over: mcp.HTTP, call: func(c *Call) {
			c.Answer, c.After, c.Digest = Result, 10*second, "same"
		}, answer: Unseen, sends: Pass, work: Unseen, why: "fits behind the cancel"},
		{what: "… and it ended the exchange before, or sent progress", over: mcp.HTTP, call: func(c *Call) {
			c.Answer, c.After, c.Digest, c.Begun = Result, 10*second, "same", true
		}, answer: Fail, sends: Pass, work: Fail},
		{what: "… and just before that", over: mcp.HTTP, call: func(c *Call) {
			c.Answer, c.After, c.Digest = Result, 98*second/10, "same"
		}, answer: Fail, sends: Pass, work: Fail},
		{what: "a result just after the cancel, when the call would have ended", call: func(c *Call) { c.Ran, c.Answer, c.After = 9980*second/1000, Result, second/20 }, answer: Unseen, sends: Unseen, work: Unseen, why: "when the call would have ended"},
		{what: "… and some time after it", call: func(c *Call) { c.Ran, c.Answer, c.After = 9980*second/1000, Result, second/5 }, answer: Fail, sends: Unseen, work: Unseen, why: "the call would have gone on for 0.020s only"},
		{what: "… by which belay was late itself", call: func(c *Call) { c.Ran, c.Answer, c.After, c.Late = 9980*second/1000, Result, second/5, second/4 }, answer: Unseen, sends: Unseen, work: Unseen, why: "when the call would have ended"},
		{what: "… and belay was not as late", call: func(c *Call) { c.Ran, c.Answer, c.After, c.Late = 9980*second/1000, Result, second/5, second/6 }, answer: Fail, sends: Unseen, work: Unseen, why: "the result came 0.200s"},
		{what: "… and belay was late, and the call would have gone on for longer", call: func(c *Call) { c.Ran, c.Answer, c.After, c.Late = 9*second, Result, second/5, second/4 }, answer: Fail, sends: Pass, work: Unseen},
		{what: "a result after which the call would have gone on by the clock, which stood still while belay did not run", call: func(c *Call) { c.Ran, c.Answer, c.After, c.Stopped = 9*second, Result, second/4, 2*second }, answer: Unseen, sends: Unseen, work: Unseen, why: "when the call would have ended"},
		{what: "messages for no longer than belay was late", rev: mcp.Rev20260728, call: func(c *Call) { c.Messages, c.Last, c.Late = 3, second/5, second/4 }, answer: Pass, sends: Unseen, work: Unseen, why: "kept from running for 0.250s"},
		{what: "messages for longer than belay did not run", call: func(c *Call) { c.Messages, c.Last, c.Stopped = 3, 4*second, second }, answer: Pass, sends: Fail, work: Fail},
		{what: "messages for no longer than belay did not run", call: func(c *Call) { c.Messages, c.Last, c.Stopped = 3, 2*second, 3*second }, answer: Pass, sends: Unseen, work: Unseen, why: "kept from running for 3"},
		{what: "a process that ended soon after the cancel by a clock that stood still meanwhile", call: func(c *Call) {
			c.Stopped = 2 * second
			c.Processes = &Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Began: -4 * second, Ended: second}}}
		}, answer: Pass, sends: Unseen, work: Unseen, why: "belay did not run for 2"},
		{what: "a message within a long bound in 2026-07-28", rev: mcp.Rev20260728, call: func(c *Call) { c.OnWay, c.OnWayUntil, c.Bound = 1, second/2, second/50 }, answer: Pass, sends: Unseen, work: Unseen, why: "1 message came until 0.500s"},
		{what: "one soon after the cancel", rev: mcp.Rev20260728, call: func(c *Call) { c.OnWay, c.OnWayUntil, c.Bound = 1, second/20, second/2 }, answer: Pass, sends: Pass, work: Unseen},
		{what: "a result just after the cancel, and before the call would have ended", call: func(c *Call) { c.Ran, c.Answer, c.After = 9*second, Result, second/20 }, answer: Fail, sends: Pass, work: Unseen},
		{what: "over stdio, where nothing is overtaken", call: func(c *Call) { c.Ran, c.Answer, c.After, c.Digest = second/100, Result, 10*second, "same" }, answer: Fail, sends: Pass, work: Fail},
		{what: "over HTTP, where no process is seen", over: mcp.HTTP, call: with(*idle), answer: Pass, sends: Pass, work: Unseen, why: "over HTTP"},
		{what: "in 2026-07-28 over HTTP, where nothing is", rev: mcp.Rev20260728, over: mcp.HTTP, call: func(c *Call) { c.Blind = true }, answer: Unseen, sends: Unseen, work: Unseen, why: "--protocol 2025-11-25"},
	} {
		o := seen(heard(x.call))
		o.Transport = x.over
		if x.rev != "" {
			o.Revision = x.rev
		}
		var whys string
		for id, want := range map[string]Outcome{"midway/no-answer": x.answer, "midway/no-messages": x.sends, "midway/work-stops": x.work} {
			l := lineOf(t, o, id)
			whys += string(l.Why) + "\n"
			if l.Outcome != want || l.Tried != 1 {
				t.Errorf("%s: %s is %v (tried %d times), want %v: %s", x.what, id, l.Outcome, l.Tried, want, l.Why)
			}
		}
		if !strings.Contains(whys, x.why) {
			t.Errorf("%s: the reasons lack %q:\n%s", x.what, x.why, whys)
		}
	}
}

// A server that has not accepted a cancel over HTTP, or not answered what was written right behind it on stdio,
// may not have read it. That is no excuse of one that reads none while a call runs, nor where a situation goes
// so each time.
func TestAnAnswerBeforeTheCancelWasRead(t *testing.T) {
	requirements.Rows(t, "CXL-17", "CXL-18")
	unread := heard(func(c *Call) {
		c.Answer, c.After, c.Digest, c.Unread, c.Messages, c.Last = Result, 6*second, "same", true, 5, 5*second
	})
	but := func(change func(*Call)) Call {
		c := unread
		change(&c)
		return c
	}
	trial := func(s Situation, calls ...Call) Trial { return Trial{Situation: s, Cancelled: calls, Alive: Answers} }
	read := func(change func(*Call)) Call {
		return heard(func(c *Call) {
			c.ReadWithin = second
			if change != nil {
				change(c)
			}
		})
	}
	other := func(change func(*Call)) Trial { return trial(Early, read(change)) }
	for _, x := range []struct {
		what   string
		trials []Trial
		want   Outcome
	}{
		{"another cancel was read", []Trial{trial(Midway, unread), other(nil)}, Unseen},
		{"another was read, and its call answered", []Trial{trial(Midway, unread), other(func(c *Call) { c.Answer, c.After = Result, 5*second })}, Unseen},
		{"no other was sent", []Trial{trial(Midway, unread)}, Fail},
		{"another was not read either", []Trial{trial(Midway, unread), other(func(c *Call) { c.Answer, c.After, c.Unread = Result, 5*second, true })}, Fail},
		{"whether another was read is not known", []Trial{trial(Midway, unread), other(func(c *Call) { c.ReadWithin = 0 })}, Fail},
		{"another was read when its call would have ended", []Trial{trial(Midway, unread), other(func(c *Call) { c.ReadWithin = 5 * second })}, Fail},
		{"another was read just before", []Trial{trial(Midway, unread), other(func(c *Call) { c.ReadWithin = 5*second - 1 })}, Unseen},
		{"another was not delivered", []Trial{trial(Midway, unread), other(func(c *Call) { c.Deaf = "the cancel was not delivered" })}, Fail},
		{"another crossed its answer", []Trial{trial(Midway, unread), other(func(c *Call) { c.Answer, c.After, c.Crossed = Result, second/100, true })}, Fail},
		{"another may have been read before its call", []Trial{trial(Midway, unread), other(func(c *Call) { c.Ran = 0 })}, Fail},
		{"another was not sent", []Trial{trial(Midway, unread), other(func(c *Call) { c.Sent, c.Answer = false, Result })}, Fail},
		{"it was so each time in the situation", []Trial{trial(Midway, unread), trial(Midway, unread), other(nil)}, Fail},
		{"… but once", []Trial{trial(Midway, unread), trial(Midway, unread), trial(Midway, read(nil))}, Pass},
		{"… but once, when nothing could be heard", []Trial{trial(Midway, unread), trial(Midway, unread), trial(Midway, read(func(c *Call) { c.Deaf = "away" })), other(nil)}, Fail},
		{"the answer came long before the call would have ended", []Trial{trial(Midway, but(func(c *Call) { c.Ran, c.After = 2*second, second })), other(nil)}, Fail},
		{"the answer came soon", []Trial{trial(Midway, but(func(c *Call) { c.After = second / 11 })), other(nil)}, Fail},
		{"the answer is another result", []Trial{trial(Midway, but(func(c *Call) { c.Digest = "another" })), other(nil)}, Fail},
		{"the answer is an error", []Trial{trial(Midway, but(func(c *Call) { c.Answer = Failure })), other(nil)}, Fail},
		{"it had been read", []Trial{trial(Midway, but(func(c *Call) { c.Unread = false })), other(nil)}, Fail},
	} {
		for transport, words := range map[mcp.Transport]string{mcp.HTTP: "had not accepted the cancel when it answered", mcp.Stdio: "had not answered the request right behind the cancel when it answered"} {
			o := seen()
			o.Transport, o.Trials = transport, x.trials
			for _, claim := range []string{"no-answer", "no-messages", "work-stops"} {
				l, want := lineOf(t, o, situationNames[x.trials[0].Situation]+"/"+claim), x.want
				switch {
				case transport == mcp.Stdio && strings.Contains(x.what, "read before its call"): // which it cannot be there
					want = Unseen
				case want == Pass && claim == "work-stops": // of which nothing is seen here
					want = Unseen
				}
				if l.Outcome != want || (want == Unseen) != strings.Contains(string(l.Why), words) {
					t.Errorf("%v: %s: %s is %v, want %v: %s", transport, x.what, claim, l.Outcome, want, l.Why)
				}
			}
		}
	}
	o := seen()
	o.Transport, o.Trials = mcp.HTTP, []Trial{trial(Midway, but(func(c *Call) { c.Last = 7 * second })), other(nil)}
	for claim, want := range map[string]Outcome{"no-answer": Unseen, "no-messages": Fail, "work-stops": Fail} {
		if l := lineOf(t, o, "midway/"+claim); l.Outcome != want {
			t.Errorf("messages behind the answer: %s is %v, want %v: %s", claim, l.Outcome, want, l.Why)
		}
	}
	o = seen()
	o.Transport, o.Trials, o.Alone[1].Digest = mcp.HTTP, []Trial{trial(Midway, unread), other(nil)}, "another"
	if l := lineOf(t, o, "midway/no-answer"); l.Outcome != Fail {
		t.Errorf("where calls that are left alone have no one result: %v: %s", l.Outcome, l.Why)
	}
}

// One answer that comes just as its call is cancelled may have been on its way. Those of all calls,
// whenever they were cancelled, were not.
func TestAnswersThatCrossEveryCancelAreNoChance(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	crossed := func(share time.Duration, change ...func(*Call)) Call {
		c := heard(func(c *Call) { c.Ran, c.Answer, c.Crossed, c.After = 10*second*share/100, Result, true, second/500 })
		for _, f := range change {
			f(&c)
		}
		return c
	}
	silent := func(c *Call) { c.Answer, c.Crossed = NoAnswer, false }
	round := func(o *Observed) {
		for s, c := range map[Situation][]Call{
			AtOnce: {crossed(0)}, Early: {crossed(15)}, Midway: {crossed(50)}, NearEnd: {crossed(80)},
			ByTimeout: {crossed(50)}, OneOfSeveral: {crossed(50)}, Crowd: {crossed(20), crossed(20)},
		} {
			o.Trials = append(o.Trials, Trial{Situation: s, Cancelled: c, Alive: Answers})
		}
	}
	again := func(c ...Call) func(*Observed) {
		return func(o *Observed) {
			o.Trials = append(o.Trials, Trial{Situation: Midway, Cancelled: c, Alive: Answers})
		}
	}
	for _, x := range []struct {
		what   string
		change func(*Observed)
		want   Outcome
	}{
		{"each call is", nil, Fail},
		{"one is not, and silent", again(crossed(50, silent)), Pass}, // which passes that one alone
		{"one had ended before its cancel", again(crossed(50, func(c *Call) { c.Sent, c.Crossed = false, false })), Unseen},
		{"one is answered when it would have ended", again(crossed(50, func(c *Call) { c.Crossed, c.After = false, 5*second })), Fail}, // which fails that one alone
		{"one that is cancelled at once is silent", func(o *Observed) {
			o.Trials = append(o.Trials, Trial{Situation: AtOnce, Cancelled: []Call{crossed(0, silent)}})
		}, Fail},
		{"belay was kept from running at one", again(crossed(50, silent, func(c *Call) { c.Late = second })), Fail},
		{"what is said may have been on its way for so long that all moments are one", func(o *Observed) {
			for i := range o.Trials {
				for j := range o.Trials[i].Cancelled {
					o.Trials[i].Cancelled[j].Bound = 2 * second
				}
			}
		}, Unseen},
		{"all are cancelled at the same moment", func(o *Observed) {
			for i := range o.Trials {
				for j := range o.Trials[i].Cancelled {
					o.Trials[i].Cancelled[j].Ran = 5 * second
				}
			}
		}, Unseen},
		{"the tool takes no longer than until then", func(o *Observed) {
			for i := range o.Alone {
				o.Alone[i].Ran = 5 * second
			}
			o.Took = 5 * second
		}, Unseen},
		{"too few are", func(o *Observed) {
			o.Trials = slices.DeleteFunc(o.Trials, func(t Trial) bool { return t.Situation > Midway })
		}, Unseen},
	} {
		o := seen()
		for range 2 {
			o.Together = append(o.Together, o.Alone[0])
		}
		round(o)
		if x.change != nil {
			x.change(o)
		}
		l := lineOf(t, o, "midway/no-answer")
		if l.Outcome != x.want {
			t.Errorf("%s: %v, %s", x.what, l.Outcome, l.Why)
		}
		if x.what == "each call is" && !strings.HasSuffix(string(l.Why), "0.002s after the cancel, as were all 8 calls that were cancelled at 5 moments of their time: by chance, that is less likely than 1 in 100,000") {
			t.Errorf("%s: %s", x.what, l.Why)
		}
		if x.want == Unseen && strings.Contains(string(l.Why), "by chance") {
			t.Errorf("%s: %s", x.what, l.Why)
		}
		o.Transport = mcp.HTTP
		if l := lineOf(t, o, "at-once/no-answer"); l.Outcome == Fail {
			t.Errorf("%s, over HTTP, where a cancel at once may be read before its call: %s", x.what, l.Why)
		}
	}
}

// A server that a signal ended did not end by itself, but where belay may not have waited for it.
func TestAServerIsToEndWithItsInput(t *testing.T) {
	for _, x := range []struct {
		ending   Ending
		revision mcp.Revision
		want     Outcome
	}{
		{Ending{Took: second / 10}, mcp.Rev20251125, Pass},
		{Ending{Took: second / 10, Stopped: second}, mcp.Rev20251125, Pass},
		{Ending{Took: 2 * second, Forced: "SIGTERM"}, mcp.Rev20260728, Fail},
		{Ending{Took: 2 * second, Forced: "SIGTERM"}, mcp.Rev20251125, Noted}, // which no page forbids there
		{Ending{Took: second / 2, Forced: "SIGTERM", Stopped: 2 * second}, mcp.Rev20260728, Unseen},
		{Ending{Before: true}, mcp.Rev20260728, Unseen}, // its input was not closed while it ran
		{Ending{Took: second / 2, Hurried: true}, mcp.Rev20260728, Unseen},
	} {
		o := seen()
		o.Ending, o.Revision = &x.ending, x.revision
		if n := Judge(o).Counts(); n.FailedNone > 0 {
			t.Errorf("%+v: %s", x.ending, n)
		}
		if l := lineOf(t, o, "connection-ends/server-ends"); l.Outcome != x.want {
			t.Errorf("%+v: %v, %s", x.ending, l.Outcome, l.Why)
		}
	}
}

// A process that begins right after a cancel, as one does that is sent at once, is known for one of
// the call by the same command in a call that was cancelled later.
func TestAProcessOfTheCallBeginsAfterItsCancel(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	work := func(began, ended time.Duration) Process {
		return Process{Name: "work", PID: 7, Began: began, Ended: ended}
	}
	for _, x := range []struct {
		what  string
		is    witness.Finding
		began []Process
		other string // the command in the other call
		want  Outcome
		why   string
	}{
		{"it went on until the call would have ended", witness.Nothing, []Process{work(second/200, 10*second)}, "work", Fail, "begun as the cancel came, went on until 10"},
		{"… and began after the bound", witness.Working, []Process{work(second/5, 10*second)}, "work", Fail, "begun 0.200s after"},
		{"it ended with the cancel", witness.Nothing, []Process{work(second/200, second/10)}, "work", Pass, "the same one lived for"},
		{"it ended some time later", witness.Nothing, []Process{work(second/200, 7*second)}, "work", Unseen, "whether by the cancel is not known"},
		{"it lived for as long as in the other call", witness.Nothing, []Process{work(second/200, 3*second)}, "work", Unseen, "whether by the cancel is not known"},
		{"it is none of the other call's", witness.Nothing, []Process{work(second/200, 10*second)}, "else", Unseen, "silence is no proof"},
		{"one of two is none of the other call's", witness.Nothing, []Process{work(second/200, second/10), {Name: "x", Began: second / 50, Ended: second / 10}}, "work", Unseen, "silence is no proof"},
		{"there is none", witness.Nothing, nil, "work", Unseen, "every tenth of a second"},
	} {
		o := seen(heard(func(c *Call) {
			c.Processes = &Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Name: x.other, Began: -5 * second, Ended: second / 10}}}
		}))
		o.Trials = append(o.Trials, Trial{Situation: AtOnce, Alive: Answers, Cancelled: []Call{heard(func(c *Call) {
			c.Ran, c.Heard, c.Processes = second/1000, 12*second, &Processes{Finding: x.is, Window: 10 * second, Began: x.began}
		})}})
		if l := lineOf(t, o, "at-once/work-stops"); l.Outcome != x.want || !strings.Contains(string(l.Why), x.why) {
			t.Errorf("%s: %v, %s", x.what, l.Outcome, l.Why)
		}
	}
}

// A process that ended soon after the cancel was ended by that where the same program lived longer in a
// call that was cancelled later, and in no other call went on for long. A tool whose child ends in
// its middle, cancelled or not, passes nowhere.
func TestAProcessThatEndsByItselfPassesNothing(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	child := func(ran, ended time.Duration) Call {
		return heard(func(c *Call) {
			c.Ran = ran
			began := Process{Name: "sleep 9", PID: 7, Began: -ran, Ended: ended}
			c.Processes = &Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{began}}
		})
	}
	still := child(2*second, second/10)
	still.Stopped = 2 * second
	for _, x := range []struct {
		what                string
		early, midway, late Call // by when they are cancelled
		want                [2]Outcome
	}{
		{"each cancel ends the child", child(2*second, second/10), child(5*second, second/10), child(8*second, second/10), [2]Outcome{Pass, Pass}},
		{"each does, by a clock that stood still while belay did not run", still, child(5*second, second/10), child(8*second, second/10), [2]Outcome{Unseen, Pass}},
		{"it ends by itself, midway", child(2*second, 4*second), child(5*second, second), child(8*second, -2*second), [2]Outcome{Unseen, Unseen}},
		{"it ends by itself, early", child(2*second, second), child(5*second, -2*second), child(8*second, -5*second), [2]Outcome{Unseen, Unseen}},
		{"it ends by itself, each time after another time", child(2*second, 9*second/2), child(5*second, second/10), child(8*second, second/10), [2]Outcome{Unseen, Unseen}},
	} {
		o := seen(x.early, x.midway, x.late)
		o.Trials[0].Situation, o.Trials[2].Situation = Early, NearEnd
		for i, id := range []string{"early/work-stops", "midway/work-stops"} {
			if l := lineOf(t, o, id); l.Outcome != x.want[i] {
				t.Errorf("%s: %s is %v, want %v: %s", x.what, id, l.Outcome, x.want[i], l.Why)
			}
		}
	}
}

// A process that lives on after a cancel may be meant to stay, as a browser is, or one of a pool: calls
// that were left alone leave such a one as well. One that they do not leave is work that went on.
func TestAProcessThatCallsLeaveWithoutACancelIsNoFailure(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	browser := Process{Name: "/opt/chrome --profile=/tmp/b81", PID: 7, Began: second / 1000, Lives: true}
	worker := Process{Name: "python3 job.py", PID: 8, Began: -4 * second, Lives: true}
	lives := func(is witness.Finding, began ...Process) Processes {
		return Processes{Finding: is, CPUAfter: second / 100, Window: 8 * second, Began: began}
	}
	kept := []Kept{{Name: "/usr/bin/chrome --profile=/tmp/a17", InCall: true}}
	begins := browser
	begins.Began = second / 2
	starting, working := lives(witness.Working, begins), lives(witness.Working, browser)
	starting.CPUAfter = 2 * second
	working.CPUAfter, working.Began[0].Began = 4*second, -4*second
	inPlace := lives(witness.Left, worker)
	inPlace.InPlace = true
	went := worker
	went.Lives, went.Ended = false, 5*second
	for _, x := range []struct {
		what string
		kept []Kept
		is   Processes
		want Outcome
		why  string
	}{
		{"a browser that is begun by the first call", kept, lives(witness.Left, browser), Unseen, "as such do after calls that are left alone"},
		{"one that begins after the cancel", kept, lives(witness.Working, begins), Unseen, "as such do after calls that are left alone"},
		{"one that uses CPU as it begins", kept, starting, Unseen, "as such do after calls that are left alone"},
		{"one that began long before the cancel, and CPU as of work", kept, working, Fail, "worked on: 4.000s"},
		{"calls that are left alone leave none", []Kept{}, lives(witness.Left, browser), Fail, "lives on"},
		{"calls that are left alone leave another", kept, lives(witness.Left, worker), Fail, `lives on: "python3 job.py"`},
		{"a worker besides", kept, lives(witness.Left, browser, worker), Fail, `lives on: "python3 job.py"`},
		{"a worker besides, that ended when the call would have", kept, lives(witness.Left, browser, went), Fail, "when the call would have ended"},
		{"a worker of those that were there before is replaced", []Kept{{Name: begins.Name}}, lives(witness.Working, begins), Unseen, "as such do after calls that are left alone"},
		{"a worker of those that were there before is replaced by one with another number", []Kept{{Name: "/opt/chrome --profile=/tmp/a1"}}, lives(witness.Working, begins), Unseen, "as such do after calls that are left alone"},
		{"it has the program only of one that was there before", []Kept{{Name: "python3 server.py"}}, lives(witness.Left, worker), Fail, "lives on"},
		{"… and took the place of another process", []Kept{{Name: "python3 server.py"}}, inPlace, Unseen, "as such do after calls that are left alone"},
		{"it took the place of a process of another program", []Kept{{Name: "chrome"}}, inPlace, Fail, "lives on"},
		{"what lives after calls that are left alone was not seen", nil, lives(witness.Left, browser), Unseen, "is not known"},
	} {
		o := seen(heard(func(c *Call) { c.Processes = &x.is }))
		o.Kept = x.kept
		if l := lineOf(t, o, "midway/work-stops"); l.Outcome != x.want || !strings.Contains(string(l.Why), x.why) {
			t.Errorf("%s: %v, %s", x.what, l.Outcome, l.Why)
		}
	}
	// A process for each cancel is a leak, whatever calls that are left alone leave.
	leaks := seen()
	leaks.Kept = kept
	for i := range 4 {
		leaks.Rests = append(leaks.Rests, Rest{Cancels: 10 * i, Processes: 2 + 10*i})
	}
	if l := lineOf(t, leaks, "afterwards/processes"); l.Outcome != Fail {
		t.Errorf("a browser more for each cancel: %v, %s", l.Outcome, l.Why)
	}
}

// CPU that is not used shows that work stopped only where the same tool, cancelled later, had
// used much: one that sleeps in its second half anyway shows nothing.
func TestRestIsSeenBesideWork(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	early := heard(func(c *Call) {
		c.Ran, c.Heard, c.Processes = second, 12*second, &Processes{CPUBefore: second, CPUAfter: second / 20, Window: 10 * second, Processors: 2, Idle: 9 * second}
	})
	later := func(cpu time.Duration) Call {
		return heard(func(c *Call) { c.Processes = &Processes{CPUBefore: cpu, CPUAfter: second / 20, Window: 8 * second} })
	}
	burns := seen(later(5 * second))
	burns.Trials = append(burns.Trials, Trial{Situation: Early, Cancelled: []Call{early}})
	if l := lineOf(t, burns, "early/work-stops"); l.Outcome != Pass {
		t.Errorf("work that stopped: %v, %s", l.Outcome, l.Why)
	}
	if l := lineOf(t, burns, "midway/work-stops"); l.Outcome != Unseen {
		t.Errorf("no call was cancelled later than midway, and yet: %v, %s", l.Outcome, l.Why)
	}
	for _, x := range []struct {
		processors int
		idle       time.Duration
		want       Outcome
		why        string
	}{
		{0, 0, Unseen, "whether they could have used more is not known"},
		{2, 0, Unseen, "may have been kept from running"},
		{2, 5 * second, Unseen, "may have been kept from running"}, // one worked beside another that waited
		{2, 5*second + second/10, Pass, ""},
		{8, 5*second + second/10, Unseen, "may have been kept from running"},
		{8, 78 * second, Pass, ""},
	} {
		kept := early
		on := *early.Processes
		on.Processors, on.Idle = x.processors, x.idle
		kept.Processes = &on
		o := seen(later(5 * second))
		o.Trials = append(o.Trials, Trial{Situation: Early, Cancelled: []Call{kept}})
		if l := lineOf(t, o, "early/work-stops"); l.Outcome != x.want || !strings.Contains(string(l.Why), x.why) {
			t.Errorf("%d processors that were idle for %v in all: %v, %s", x.processors, x.idle, l.Outcome, l.Why)
		}
	}
	blind := seen(later(5 * second))
	late := early
	looked := *early.Processes
	looked.Looked = 2 * second
	late.Processes = &looked
	blind.Trials = append(blind.Trials, Trial{Situation: Early, Cancelled: []Call{late}})
	if l := lineOf(t, blind, "early/work-stops"); l.Outcome != Unseen || !strings.Contains(string(l.Why), "2s after the cancel only") && !strings.Contains(string(l.Why), "2.000s after the cancel only") {
		t.Errorf("work that may have gone on until belay looked: %v, %s", l.Outcome, l.Why)
	}
	sleeps := seen(later(second + second/10))
	sleeps.Trials = append(sleeps.Trials, Trial{Situation: Early, Cancelled: []Call{early}})
	if l := lineOf(t, sleeps, "early/work-stops"); l.Outcome != Unseen {
		t.Errorf("a tool that works in its first second only: %v, %s", l.Outcome, l.Why)
	}
}

// One failure fails a check, and what could not be seen takes nothing from passes; how often
// each was is said.
func TestTriesAreCounted(t *testing.T) {
	late := heard(func(c *Call) { c.Answer, c.After = Result, 5*second })
	deaf := heard(func(c *Call) { c.Read = false })
	for _, x := range []struct {
		what           string
		calls          []Call
		want           Outcome
		tried, decided int
	}{
		{"two passes", []Call{heard(nil), heard(nil)}, Pass, 2, 2},
		{"a pass, and a failure", []Call{heard(nil), late, heard(nil)}, Fail, 3, 1},
		{"a pass, and one that could not be seen", []Call{deaf, heard(nil)}, Pass, 2, 1},
		{"none that could be seen", []Call{deaf, deaf}, Unseen, 2, 2},
		{"none", nil, Skipped, 0, 0},
	} {
		l := lineOf(t, seen(x.calls...), "midway/no-answer")
		if l.Outcome != x.want || l.Tried != x.tried || l.Decided != x.decided {
			t.Errorf("%s: %v, %d of %d", x.what, l.Outcome, l.Decided, l.Tried)
		}
	}
	o := seen()
	o.Trials = []Trial{{Situation: Midway, Skipped: "it may not be sent"}}
	if l := lineOf(t, o, "midway/no-answer"); l.Outcome != Skipped || l.Tried != 0 || l.Decided != 0 || l.Why != "it may not be sent" {
		t.Errorf("skipped: %v, %d of %d: %s", l.Outcome, l.Decided, l.Tried, l.Why)
	}
	unable := &Observed{Transport: mcp.Stdio, Revision: mcp.Rev20251125, Unable: "it is too fast"}
	for _, over := range []mcp.Transport{mcp.Stdio, mcp.HTTP} {
		unable.Transport = over
		if l := lineOf(t, unable, "afterwards/processes"); l.Outcome != Unseen || l.Tried != 0 || l.Why != "it is too fast" {
			t.Errorf("of a tool that is too fast, over %v: %v, %d of %d: %s", over, l.Outcome, l.Decided, l.Tried, l.Why)
		}
	}
}

// What is in flight beside a cancel is to be answered as if nothing was.
func TestOthersAreToBeUnharmed(t *testing.T) {
	requirements.Rows(t, "BASE-06", "CXS-06", "CXS-07", "CXS-08")
	fine := Call{Ran: 10 * second, Answer: Result, Digest: "same"}
	for _, x := range []struct {
		what string
		t    Trial
		want Outcome
	}{
		{"answered with the same result", Trial{Others: []Call{fine, fine}}, Pass},
		{"answered with another", Trial{Others: []Call{fine, {Ran: 10 * second, Answer: Result, Digest: "other"}}}, Fail},
		{"answered with an error", Trial{Others: []Call{fine, {Ran: second, Answer: Failure, Said: "cancelled"}}}, Fail},
		{"answered with isError", Trial{Others: []Call{{Ran: second, Answer: ToolError, Said: "cancelled"}}}, Fail},
		{"not answered in twice the time", Trial{Others: []Call{{Ran: 20 * second}}}, Fail},
		{"not awaited for long enough", Trial{Others: []Call{{Ran: 11 * second}}}, Unseen},
		{"lost with the connection", Trial{Others: []Call{{Ran: second}}, Lost: "exit status 1"}, Fail},
		{"none in flight", Trial{}, Unseen},
		{"none in flight, and the connection ended", Trial{Lost: "exit status 1"}, Fail},
		{"a wrong cancel that may not be sent", Trial{Skipped: "the server is not on this machine"}, Skipped},
	} {
		o := seen()
		x.t.Situation = OtherType
		o.Trials = []Trial{x.t}
		if l := lineOf(t, o, "other-type/others-unharmed"); l.Outcome != x.want {
			t.Errorf("%s: %v, %s", x.what, l.Outcome, l.Why)
		}
	}
	varies := seen()
	varies.Alone[1].Digest = "another"
	varies.Trials = []Trial{{Situation: OneOfSeveral, Cancelled: []Call{heard(nil)}, Others: []Call{{Answer: Result, Digest: "a third"}}}}
	if l := lineOf(t, varies, "one-of-several/others-unharmed"); l.Outcome != Pass || l.Duty.Level != Must {
		t.Errorf("a tool whose result always differs: %v (%v), %s", l.Outcome, l.Duty.Level, l.Why)
	}
}

// Where one more call that is left alone ends as the one beside a cancel did, the cancel may have nothing to do with it.
func TestWhatCallsComeToByThemselvesIsNoHarm(t *testing.T) {
	requirements.Rows(t, "BASE-06")
	result := func(digest string) *Call { return &Call{Ran: 10 * second, Answer: Result, Digest: digest} }
	limit := &Call{Ran: second / 10, Answer: ToolError, Said: "429"}
	for what, x := range map[string]struct {
		other, control *Call
		needs          bool
		want           Outcome
	}{
		"an error, and then the result":             {limit, result("same"), true, Fail},
		"an error, and then another error":          {limit, &Call{Answer: Failure, Said: "429"}, true, Fail},
		"an error, and then no answer":              {limit, &Call{Ran: 60 * second}, true, Fail},
		"an error, and no control":                  {limit, nil, true, Fail},
		"an error, and then such an error":          {limit, limit, true, Unseen},
		"another result, and then the same":         {result("new"), result("same"), true, Fail},
		"another result, and no control":            {result("new"), nil, true, Fail},
		"another result, and then that":             {result("new"), result("new"), true, Unseen},
		"another result, and then a third":          {result("new"), result("newer"), true, Unseen},
		"another result, and then an error":         {result("new"), limit, true, Unseen},
		"the same result":                           {result("same"), nil, false, Pass},
		"no answer, which no control would explain": {&Call{Ran: 60 * second}, nil, false, Fail},
	} {
		for _, s := range []Situation{OneOfSeveral, Malformed, Afterwards} {
			o := seen(heard(nil))
			trial := Trial{Situation: s, Others: []Call{*x.other}, Control: x.control, Alive: Answers}
			if s == OneOfSeveral {
				trial.Cancelled = []Call{heard(nil)}
			}
			o.Trials = append(o.Trials, trial)
			if got := o.NeedsControl(&trial); got != x.needs {
				t.Errorf("%s: %v: a control is needed: %t", what, s, got)
			}
			if l := lineOf(t, o, situationNames[s]+"/others-unharmed"); l.Outcome != x.want {
				t.Errorf("%s: %v: %v, not %v: %s", what, s, l.Outcome, x.want, l.Why)
			}
		}
	}
}

// What each call leaves, cancelled or not, is no leak of cancels: only what these leave above that.
func TestWhatEachCallLeavesIsNoLeakOfCancels(t *testing.T) {
	requirements.Rows(t, "CXL-18")
	const most = witness.MostProcesses
	rest := func(n, figure int) Rest {
		return Rest{Cancels: n, Processes: figure, Connections: figure, Files: figure, Counted: true, Capped: figure == most, Memory: uint64(figure) << 23}
	}
	for what, x := range map[string]struct {
		alone []Rest
		kept  int // processes that calls that were left alone had left; -1: that is not known
		want  map[string]Outcome
	}{
		"as much":                   {[]Rest{rest(1, 5), rest(5, 9)}, 0, map[string]Outcome{"files": Unseen, "connections": Unseen, "memory": Unseen, "processes": Unseen}},
		"nothing":                   {[]Rest{rest(1, 5), rest(5, 5)}, 0, map[string]Outcome{"files": Fail, "connections": Fail, "memory": Fail, "processes": Fail}},
		"a part of it":              {[]Rest{rest(1, 5), rest(5, 7)}, 0, map[string]Outcome{"files": Fail, "processes": Fail}},
		"less by the end":           {[]Rest{rest(1, 9), rest(5, 5)}, 0, map[string]Outcome{"files": Fail, "processes": Fail}},
		"what the first sets up":    {[]Rest{rest(0, 1), rest(1, 5), rest(5, 5)}, 0, map[string]Outcome{"files": Fail, "connections": Fail, "memory": Fail, "processes": Fail}},
		"more by the first of them": {[]Rest{rest(0, 1), rest(1, 5), rest(2, 9), rest(5, 9)}, 0, map[string]Outcome{"files": Fail, "connections": Fail, "processes": Fail}},
		"as much from the first on": {[]Rest{rest(0, 4), rest(1, 5), rest(5, 9)}, 0, map[string]Outcome{"files": Unseen, "processes": Unseen}},
		"… and no process of them":  {[]Rest{rest(1, 5), rest(5, 5)}, 5, map[string]Outcome{"processes": Fail}},
		"what was not looked at":    {[]Rest{rest(1, 5)}, 0, map[string]Outcome{"files": Unseen, "connections": Unseen, "memory": Unseen, "processes": Fail}},
		"a process each":            {nil, 5, map[string]Outcome{"files": Unseen, "processes": Unseen}},
		"one process, as a browser": {nil, 1, map[string]Outcome{"files": Unseen, "processes": Fail}},
		"nobody looked":             {nil, -1, map[string]Outcome{"files": Unseen, "processes": Unseen}},
	} {
		for _, capped := range []bool{false, true} {
			o := seen(heard(nil))
			o.Unprovoked, o.Together = x.alone, slices.Repeat(o.Alone[:1], 3)
			for i := range 5 {
				o.Kept = append(o.Kept, Kept{Name: "sleep", InCall: i < x.kept})
			}
			if x.kept < 0 {
				o.Kept = nil
			}
			for i := range 4 {
				n := 1 + 10*i
				if capped && i == 3 {
					n = most
				}
				o.Rests = append(o.Rests, rest(10*i, n))
			}
			for id, want := range x.want {
				if capped && (id != "processes" || x.kept == 0 && len(x.alone) == 2 && x.alone[1].Files == 7) {
					continue
				}
				if l := lineOf(t, o, "afterwards/"+id); l.Outcome != want {
					t.Errorf("%s: %s, capped %t: %v, not %v: %s", what, id, capped, l.Outcome, want, l.Why)
				}
			}
		}
	}
}

// That tasks/get was not answered does not say that the server has forgotten the task.
func TestWhyATaskWasNotSeenAgain(t *testing.T) {
	for want, task := range map[string]Task{
		"tasks/get was not answered": {Silent: true},
		`tasks/get tells no status, as where a server does not keep the task, which it may do: "no such task"`: {Lapsed: "no such task"},
	} {
		o := seen()
		task.Fate, task.Answer, task.Asked = FateCancelled, true, true
		o.Trials = []Trial{{Situation: AsTask, Cancelled: []Call{{Ran: 5 * second, Task: &task}}, Alive: Answers}}
		if l := lineOf(t, o, "task/stays-cancelled"); l.Outcome != Unseen || string(l.Why) != want {
			t.Errorf("%v: %s", l.Outcome, l.Why)
		}
	}
}

// Nothing is so after cancels that were never sent, as the calls had ended before, and such an audit has seen
// nothing that matters. One that was sent is enough.
func TestNothingPassesAfterCancelsThatWereNotSent(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	ended := Call{Ran: second / 100, Answer: Result, Digest: "same"}
	fine := Call{Ran: 10 * second, Answer: Result, Digest: "same"}
	for what, x := range map[string]struct {
		first Trial
		alive Alive
		want  map[string]Outcome
		exit  int
	}{
		"none":                       {Trial{Situation: AtOnce, Cancelled: []Call{ended}}, Answers, map[string]Outcome{"crowd/responsive": Unseen, "one-of-several/others-unharmed": Unseen, "afterwards/responsive": Unseen, "afterwards/others-unharmed": Unseen}, ExitUnseen},
		"none, and it is silent":     {Trial{Situation: AtOnce, Cancelled: []Call{ended}}, Silent, map[string]Outcome{"crowd/responsive": Unseen, "afterwards/responsive": Unseen}, ExitUnseen},
		"a wrong one, not sent":      {Trial{Situation: UnknownID}, Answers, map[string]Outcome{"afterwards/responsive": Unseen, "afterwards/others-unharmed": Unseen}, ExitUnseen},
		"one":                        {Trial{Situation: AtOnce, Cancelled: []Call{heard(nil)}}, Answers, map[string]Outcome{"crowd/responsive": Unseen, "one-of-several/others-unharmed": Unseen, "afterwards/responsive": Pass, "afterwards/others-unharmed": Pass}, 0},
		"one, and then it is silent": {Trial{Situation: AtOnce, Cancelled: []Call{heard(nil)}}, Silent, map[string]Outcome{"crowd/responsive": Unseen, "afterwards/responsive": Fail}, ExitFailed},
	} {
		o := seen()
		o.Trials = []Trial{
			x.first,
			{Situation: Crowd, Cancelled: []Call{ended, ended}, Alive: x.alive},
			{Situation: OneOfSeveral, Cancelled: []Call{ended}, Others: []Call{fine}, Alive: x.alive},
			{Situation: Afterwards, Others: []Call{fine}, Alive: x.alive},
		}
		for id, want := range x.want {
			if l := lineOf(t, o, id); l.Outcome != want {
				t.Errorf("%s: %s: %v, not %v: %s", what, id, l.Outcome, want, l.Why)
			}
		}
		if r := Judge(o); r.Exit(OnShould) != x.exit {
			t.Errorf("%s: exit %d: %s", what, r.Exit(OnShould), r.Counts())
		}
	}
}

// A wrong cancel fails a server for what it does to others and to the connection; whatever it
// answers to the cancel itself is not looked at.
func TestTheServerIsToAnswerAfterwards(t *testing.T) {
	requirements.Rows(t, "PNG-01", "CXS-08")
	for _, x := range []struct {
		t    Trial
		want Outcome
	}{
		{Trial{Alive: Answers}, Pass},
		{Trial{Alive: Silent}, Fail},
		{Trial{Lost: "exit status 1"}, Fail},
		{Trial{}, Unseen},
	} {
		o := seen()
		x.t.Situation = Malformed
		o.Trials = []Trial{x.t}
		if l := lineOf(t, o, "malformed/responsive"); l.Outcome != x.want {
			t.Errorf("%+v: %v, %s", x.t, l.Outcome, l.Why)
		}
		if l := lineOf(t, o, "afterwards/responsive"); l.Tried != 0 {
			t.Errorf("a wrong cancel counts among the right ones: %s", l.Why)
		}
	}
}

// A leak is a slope: it shows in each third of the cancels. What rises and comes to rest may be
// a pool, and a figure that falls again is none.
func TestALeakIsASlope(t *testing.T) {
	requirements.Rows(t, "CXL-18")
	for _, x := range []struct {
		what string
		at   []int // after 0, 10, 20 … cancels
		want Outcome
	}{
		{"as before", []int{1, 1, 1, 1}, Pass},
		{"one more", []int{1, 2, 2, 2}, Pass},
		{"a high in the middle", []int{1, 9, 9, 1}, Pass},
		{"one for each cancel", []int{1, 11, 21, 31}, Fail},
		{"one for every second", []int{1, 6, 11, 16}, Fail},
		{"a pool that is full", []int{1, 11, 12, 12}, Unseen},
		{"a jump at the end", []int{1, 1, 1, 11}, Unseen},
		{"counted too seldom", []int{1, 11, 21}, Unseen},
	} {
		o := seen()
		for i, n := range x.at {
			o.Rests = append(o.Rests, Rest{Cancels: 10 * i, Processes: n, Files: n, Counted: true, Memory: 64 << 20})
		}
		for _, id := range []string{"afterwards/processes", "afterwards/files"} {
			if l := lineOf(t, o, id); l.Outcome != x.want {
				t.Errorf("%s: %s is %v, %s", x.what, id, l.Outcome, l.Why)
			}
		}
		if l := lineOf(t, o, "afterwards/memory"); l.Outcome == Fail {
			t.Errorf("%s: memory fails: %s", x.what, l.Why)
		}
		o.Transport = mcp.HTTP
		if l := lineOf(t, o, "afterwards/files"); l.Outcome != Unseen {
			t.Errorf("%s, over HTTP: %v", x.what, l.Outcome)
		}
	}
}

// A pool grows at the first call, and with as many as are cancelled at once. That one jump of few counts
// is no rise that goes on.
func TestAPoolThatGrowsTwiceIsNoLeak(t *testing.T) {
	requirements.Rows(t, "CXL-18")
	for _, x := range []struct {
		what string
		at   map[int]int // by cancels
		part bool        // they are not known of all processes
		want Outcome
	}{
		{"a pool", map[int]int{0: 6, 1: 9, 2: 9, 3: 9, 8: 18}, false, Unseen},
		{"a file for each cancel", map[int]int{0: 6, 1: 7, 2: 8, 3: 9, 8: 14}, false, Fail},
		{"files of other users' processes", map[int]int{0: 6, 1: 6, 2: 6, 3: 6, 8: 6}, true, Unseen},
	} {
		o := seen()
		for _, n := range slices.Sorted(maps.Keys(x.at)) {
			o.Rests = append(o.Rests, Rest{Cancels: n, Processes: 1, Files: x.at[n], Counted: true, NoFiles: x.part})
		}
		if l := lineOf(t, o, "afterwards/files"); l.Outcome != x.want {
			t.Errorf("%s: %v, %s", x.what, l.Outcome, l.Why)
		}
	}
}

// A server may have more processes than belay looks at: a rise until there is a leak, and what a
// part of them uses says nothing of all.
func TestMoreProcessesThanAreLookedAt(t *testing.T) {
	const most = witness.MostProcesses
	for _, x := range []struct {
		what string
		at   []int
		want Outcome
		says string
	}{
		{"one for each cancel", []int{1, 11, 21, most, most, most}, Fail, "1 before, 64 or more after 50 cancels; belay looks at no more: it rose until there"},
		{"all at once", []int{1, most, most, most, most}, Unseen, "1 before, 64 or more after 40 cancels; belay looks at no more"},
		{"from the beginning", []int{most, most, most, most}, Unseen, "64 before, 64 or more after 30 cancels; belay looks at no more"},
	} {
		o := seen()
		for i, n := range x.at {
			o.Rests = append(o.Rests, Rest{Cancels: 10 * i, Processes: n, Files: 9 * i, Counted: true, Capped: n == most, Memory: uint64(64+40*i) << 20})
		}
		if l := lineOf(t, o, "afterwards/processes"); l.Outcome != x.want || string(l.Why) != x.says {
			t.Errorf("%s: %v, %s", x.what, l.Outcome, l.Why)
		}
		for _, id := range []string{"afterwards/files", "afterwards/memory", "afterwards/connections"} {
			if l := lineOf(t, o, id); l.Outcome != Unseen || l.Why != "the server has more than 64 processes, and belay looks at no more" {
				t.Errorf("%s: %s is %v, %s", x.what, id, l.Outcome, l.Why)
			}
		}
	}
}

// Memory that rises may be garbage; more than that is a leak.
func TestMemoryThatRises(t *testing.T) {
	for _, x := range []struct {
		mb   uint64 // more after each ten cancels
		want Outcome
	}{{0, Pass}, {2, Pass}, {5, Unseen}, {20, Unseen}, {40, Fail}} {
		o := seen()
		for i := range uint64(4) {
			o.Rests = append(o.Rests, Rest{Cancels: 10 * int(i), Processes: 1, Files: 1, Counted: true, Memory: (64 + i*x.mb) << 20})
		}
		if l := lineOf(t, o, "afterwards/memory"); l.Outcome != x.want {
			t.Errorf("%d MB: %v, %s", x.mb, l.Outcome, l.Why)
		}
		for i := range o.Rests {
			o.Rests[i].Memory = 0 // the system does not tell
		}
		if l := lineOf(t, o, "afterwards/memory"); l.Outcome != Unseen {
			t.Errorf("memory that cannot be seen: %v, %s", l.Outcome, l.Why)
		}
	}
}

// A tool that takes no time, or fails, is one on which nothing can be seen.
func TestWhatCannotBeTestedIsNotJudged(t *testing.T) {
	o := seen()
	o.Alone, o.Took, o.Unable = []Call{{Ran: second / 100, Answer: Result}}, second/100, "the tool takes 10ms"
	r := Judge(o)
	for _, l := range r.Lines {
		if l.Outcome != Unseen {
			t.Errorf("%s: %v, %s", l.Check.ID, l.Outcome, l.Why)
		}
	}
	if r.Exit(OnShould) != ExitUnseen || r.Grade() != "nothing that matters could be seen" {
		t.Errorf("exit %d: %s", r.Exit(OnShould), r.Grade())
	}
}

// A call that runs as a task has no timeout, so that none cancels it: the check says so, and not that the call was
// too fast.
func TestATaskHasNoTimeout(t *testing.T) {
	o := seen()
	for why, task := range map[string]bool{"ran as a task, which has no timeout": true, "had ended before its cancel was sent": false} {
		o.Trials = []Trial{{Situation: ByTimeout, Cancelled: []Call{{Ran: 10 * second, Answer: Result, RanAsTask: task}}, Alive: Answers}}
		if l := lineOf(t, o, "timeout/no-answer"); l.Outcome != Unseen || !strings.Contains(string(l.Why), why) {
			t.Errorf("%v, %s", l.Outcome, l.Why)
		}
	}
}

// The exit code: 5 where a check at the level or above it failed, with "unseen" also where
// one could not be seen; else 6 where nothing that matters could be seen; else 0.
func TestExit(t *testing.T) {
	must, should := Duty{Level: Must}, Duty{Level: Should}
	line := func(o Outcome, d Duty, c Claim) Line { return Line{Outcome: o, Duty: d, Check: Check{Claim: c}} }
	fine := line(Pass, should, GivesNoAnswer)
	for _, x := range []struct {
		what                  string
		lines                 []Line
		onMust, onShould, all int
	}{
		{"all pass", []Line{fine}, 0, 0, 0},
		{"one skipped", []Line{fine, line(Skipped, must, HarmsNoOther)}, 0, 0, 0},
		{"a MUST fails", []Line{fine, line(Fail, must, StaysResponsive)}, 5, 5, 5},
		{"a SHOULD fails", []Line{fine, line(Fail, should, StopsWork)}, 0, 5, 5},
		{"what nobody asks for fails", []Line{fine, line(Fail, Duty{}, EndsWithInput)}, 0, 0, 0},
		{"one cannot be seen", []Line{fine, line(Unseen, should, StopsWork)}, 0, 0, 5},
		{"none of the three can", []Line{line(Unseen, should, StopsWork), line(Unseen, must, GivesNoAnswer), line(Pass, must, StaysResponsive)}, 6, 6, 5},
		{"others unharmed is one of them", []Line{line(Unseen, should, StopsWork), line(Pass, must, HarmsNoOther)}, 0, 0, 5},
		{"a failure was seen", []Line{line(Fail, should, GivesNoAnswer)}, 0, 5, 5},
		{"all skipped", []Line{line(Skipped, should, GivesNoAnswer)}, 6, 6, 6},
	} {
		r := &Report{Observed: &Observed{}, Lines: x.lines}
		for on, want := range map[FailOn]int{OnMust: x.onMust, OnShould: x.onShould, OnUnseen: x.all} {
			if got := r.Exit(on); got != want {
				t.Errorf("%s, --fail-on %v: %d, want %d", x.what, on, got, want)
			}
		}
	}
}

// An audit that ended early says so in each of its formats, with the exit code of the process, and
// nothing passes that is so after all cancels.
func TestAnAuditThatEndedEarly(t *testing.T) {
	late := heard(func(c *Call) { c.Answer, c.After = Result, 5*second })
	for _, x := range []struct {
		what   string
		call   Call
		byUser bool
		exit   int
		grade  string
	}{
		{"the server was lost", heard(nil), false, ExitLost, "ended early, until then nothing failed"},
		{"the user stopped it", heard(nil), true, ExitByUser, "ended early, until then nothing failed"},
		{"a check had failed, and the server was lost", late, false, ExitFailed, "fails a SHOULD, and ended early"},
		{"a check had failed, and the user stopped it", late, true, ExitByUser, "fails a SHOULD, and ended early"},
	} {
		o := seen(x.call)
		for i := range 4 {
			o.Rests = append(o.Rests, Rest{Cancels: 10 * i, Processes: 1, Files: 1, Counted: true, Memory: 64 << 20})
		}
		for _, id := range []string{"responsive", "processes", "files", "memory"} {
			if l := lineOf(t, o, "afterwards/"+id); l.Outcome != Pass {
				t.Errorf("an audit to its end: %s is %v, %s", id, l.Outcome, l.Why)
			}
		}
		o.Stopped, o.ByUser = "gone for good", x.byUser
		r := Judge(o)
		for _, id := range []string{"responsive", "others-unharmed", "processes", "connections", "files", "memory"} {
			if l := lineOf(t, o, "afterwards/"+id); l.Outcome > Unseen || !strings.Contains(string(l.Why), "gone for good") {
				t.Errorf("%s: %s is %v, %s", x.what, id, l.Outcome, l.Why)
			}
		}
		if r.Exit(OnShould) != x.exit || r.Grade() != x.grade {
			t.Errorf("%s: exit %d, %q", x.what, r.Exit(OnShould), r.Grade())
		}
		for f, want := range map[Format]string{
			Text: "\nit ended early: gone for good\n", JSON: `"exit": ` + strconv.Itoa(x.exit), JUnit: `<error message="gone for good"`,
			Markdown: "# How the server cancels: " + x.grade + ": gone for good\n", HTML: x.grade + ": gone for good</h1>",
		} {
			if text := string(r.As(f, OnShould, 100)); !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", x.what, want, text)
			}
		}
		if text := string(r.Annotations(OnShould)); !strings.Contains(text, "::error title=belay audit::it ended early: gone for good\n") {
			t.Errorf("%s: no line for GitHub: %s", x.what, text)
		}
	}
}

// What an answer says stands quoted among the words of a report, however long it is: it cannot go
// on as if belay had said it.
func TestWhatAServerSaysIsQuoted(t *testing.T) {
	for _, x := range []struct {
		answer Answer
		said   string
		want   string
	}{
		{Failure, `none". It passed: "silence`, `answered with an error: "none\". It passed: \"silence" 2.000s after the cancel`},
		{ToolError, "no", `answered with a result that says isError: "no" 2.000s after the cancel`},
		{Failure, strings.Repeat("long ", 500), `…" 2.000s after the cancel`},
	} {
		o := seen(heard(func(c *Call) { c.Answer, c.Said, c.After = x.answer, x.said, 2*second }))
		o.Server = "zoo 1 (passed)"
		if why := string(lineOf(t, o, "midway/no-answer").Why); !strings.HasSuffix(why, x.want) {
			t.Errorf("%q, want %q", why, x.want)
		}
		if text := string(Judge(o).As(Text, OnShould, 100)); !strings.Contains(text, `"zoo 1 (passed)"`) {
			t.Errorf("the name stands bare: %s", text)
		}
	}
}

// What became of an open question, and of a task, and what that says in each of the eras.
func TestQuestionsAndTasksAreJudgedByWhatWasSeen(t *testing.T) {
	asked := func(q Question, change func(*Call)) Call {
		return heard(func(c *Call) {
			c.Question = &q
			if change != nil {
				change(c)
			}
		})
	}
	for what, x := range map[string]struct {
		call Call
		want Outcome
		why  string
	}{
		"withdrawn":                         {asked(Question{Method: "elicitation/create", Withdrawn: true, After: second}, nil), Pass, "1.000s after the cancel"},
		"left open, which no page forbids":  {asked(Question{Method: "elicitation/create", After: 8 * second}, nil), Noted, "still open 8.000s after"},
		"left open by a server that is far": {asked(Question{After: 8 * second}, func(c *Call) { c.Read = false }), Unseen, "had read the cancel"},
		"the call may have ended before":    {asked(Question{After: 8 * second}, func(c *Call) { c.Answer, c.Crossed = Result, true }), Unseen, "may have ended"},
		"it had ended before the cancel":    {asked(Question{Ended: true}, nil), Unseen, "had ended"},
		"nothing was asked":                 {heard(nil), Unseen, "asked nothing"},
	} {
		o := seen()
		o.Trials = append(o.Trials, Trial{Situation: Asking, Cancelled: []Call{x.call}, Alive: Answers})
		if l := lineOf(t, o, "asking/question-withdrawn"); l.Outcome != x.want || !strings.Contains(string(l.Why), x.why) || l.Duty.Level != None {
			t.Errorf("%s: %v, %s, %v", what, l.Outcome, l.Why, l.Duty)
		}
		for _, on := range []FailOn{OnMust, OnShould} {
			if r := Judge(o); r.Exit(on) == ExitFailed {
				t.Errorf("%s: it fails an audit", what)
			}
		}
	}
	for what, x := range map[string]struct {
		task                              Task
		crossed                           bool
		acknowledged, cancelled, stays    Outcome // in 2025-11-25
		modernCancelled, modernStaysAfter Outcome
	}{
		"cancelled":                      {Task{Fate: FateCancelled, Answer: true, Asked: true, Later: "cancelled"}, false, Pass, Pass, Pass, Pass, Pass},
		"cancelled, and then completed":  {Task{Fate: FateCancelled, Answer: true, Asked: true, Later: "completed"}, false, Pass, Pass, Fail, Pass, Noted},
		"cancelled, and not kept":        {Task{Fate: FateCancelled, Answer: true, Asked: true, Lapsed: "no such task"}, false, Pass, Pass, Unseen, Pass, Unseen},
		"completed all the same":         {Task{Fate: FateCompleted, Answer: true}, false, Pass, Fail, Unseen, Noted, Unseen},
		"completed as the cancel came":   {Task{Fate: FateCompleted, Answer: true}, true, Pass, Unseen, Unseen, Unseen, Unseen},
		"completed, the cancel unheeded": {Task{Fate: FateCompleted}, false, Fail, Fail, Unseen, Noted, Unseen},
		"still working":                  {Task{Fate: FateWorking, Answer: true}, false, Pass, Fail, Unseen, Noted, Unseen},
		"not seen again":                 {Task{Fate: FateUnknown, Answer: true}, false, Pass, Unseen, Unseen, Unseen, Unseen},
		"the cancel not answered":        {Task{Fate: FateUnanswered, Why: "tasks/cancel was not answered"}, false, Fail, Unseen, Unseen, Unseen, Unseen},
		"answered by what is no answer":  {Task{Fate: FateCompleted, Answer: true, Malformed: "malformed"}, false, Fail, Fail, Unseen, Noted, Unseen},
		"refused, perhaps as it ended":   {Task{Fate: FateRefused, Answer: true, Why: "refused"}, false, Unseen, Unseen, Unseen, Unseen, Unseen},
		"refused, and the task goes on":  {Task{Fate: FateRefused, Answer: true, GoesOn: true, Why: "refused"}, false, Fail, Fail, Unseen, Noted, Unseen},
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			o := seen()
			o.Revision = rev
			call := Call{Ran: 5 * second, Crossed: x.crossed, Task: &x.task}
			o.Trials = append(o.Trials, Trial{Situation: AsTask, Cancelled: []Call{call}, Alive: Answers}, Trial{Situation: Early, Cancelled: []Call{call}, Alive: Answers})
			want := map[string]Outcome{"task/acknowledged": x.acknowledged, "task/cancelled": x.cancelled, "task/stays-cancelled": x.stays, "early/no-answer": Unseen, "early/no-messages": Unseen, "early/work-stops": Unseen}
			if rev.IsModern() {
				want["task/cancelled"], want["task/stays-cancelled"] = x.modernCancelled, x.modernStaysAfter
			}
			for id, outcome := range want {
				if l := lineOf(t, o, id); l.Outcome != outcome {
					t.Errorf("%s, %s: %s is %v, not %v: %s", rev, what, id, l.Outcome, outcome, l.Why)
				}
			}
		}
	}
}

// A tool has failed since the first cancel where each call since then failed in whatever way, and more than by chance; one that
// worked until its cancel, or has not ended, tells otherwise.
func TestAToolThatFailsSinceTheFirstCancel(t *testing.T) {
	failed := func(a Answer, n int) (all []Trial) {
		return slices.Repeat([]Trial{{Situation: Early, Cancelled: []Call{{Answer: a}}}}, n)
	}
	first := Trial{Situation: AtOnce, Cancelled: []Call{{Sent: true}}}
	for what, x := range map[string]struct {
		since []Trial
		want  bool
	}{
		"by isError":          {failed(ToolError, 3), true},
		"by an error":         {failed(Failure, 3), true},
		"by a status of HTTP": {failed(Broken, 3), true},
		"by chance":           {failed(Broken, mostChance), false},
		"with a result":       {append(failed(Broken, 3), failed(Result, 1)...), false},
		"without an answer":   {append(failed(Broken, 3), failed(NoAnswer, 1)...), false},
		"until its cancel":    {append(failed(Broken, 3), Trial{Situation: Midway, Cancelled: []Call{{Sent: true}}}), false},
		"at once":             {append(failed(Broken, 3), first), true},
		"but the control":     {append(failed(Broken, 3), Trial{Situation: Afterwards, Control: &Call{Answer: Result}}), false},
		"others, too":         {[]Trial{{Situation: OneOfSeveral, Others: []Call{{Answer: Broken}, {Answer: Broken}, {Answer: Broken}}}}, true},
	} {
		o := &Observed{Trials: append([]Trial{first}, x.since...)}
		if got := o.hasFailedSinceCancel(); got != x.want {
			t.Errorf("%s: %t", what, got)
		}
	}
	if (&Observed{Trials: failed(Failure, 5)}).hasFailedSinceCancel() {
		t.Error("without any cancel")
	}
}
