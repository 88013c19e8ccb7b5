package conduct

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"belay/internal/peer"
)

// Animal is a server for audits: how it takes cancels, of whatever call, and what is true of
// each check. It shares nothing with what judges it.
type Animal struct {
	Name string
	Ways []Way
	Fake bool // what is seen of it depends on milliseconds: it is played in a fake clock only
	Play func(*Scene)
	Web  func(*Web) // over HTTP, before the first client; nil: as any server

	// Misreads returns the calls that the animal stops when a cancel names the ID told; nil:
	// the call with this ID. The calls are those in flight, oldest first.
	Misreads func(told json.RawMessage, calls []json.RawMessage) []json.RawMessage

	Want map[string]string // outcomes by check, or by the end of its name; those of a quiet server otherwise
	Exit int               // with --fail-on should
}

// ToolTime is how long the tool of an animal takes.
const ToolTime = 2 * time.Second

// The outcomes of checks.
const (
	passes  = "pass"
	fails   = "fail"
	unseen  = "unseen"
	skipped = "skipped"
	noted   = "noted"
)

// Conduct is how it is played.
func (a Animal) Conduct() Conduct {
	return Conduct{Name: a.Name, Ways: a.Ways, Play: a.Play, Web: a.Web, Misreads: a.Misreads}
}

// Wants is what is true of a check, by a way: any of these.
func (a Animal) Wants(check string, way Way) []string {
	best, want := -1, quietWants(check, way)
	for of, outcome := range a.Want {
		if len(of) > best && strings.HasSuffix(check, of) {
			best, want = len(of), outcome
		}
	}
	// What cannot be seen of a quiet server over a way cannot be of any, nor what is not tried.
	if q := quietWants(check, way); way == HTTPModern && q != passes && a.Want[""] == "" && best < len(check) {
		return []string{q}
	}
	// A cancel that is posted at once may be read before the call, and is one of an unknown ID
	// then: what comes of that says nothing.
	if situation, claim, _ := strings.Cut(check, "/"); way == SSE && situation == "at-once" {
		switch {
		case want == fails:
			return []string{unseen}
		case want == passes && claim != "work-stops":
			return []string{passes, unseen}
		case want == unseen && claim == "no-messages": // it is not cancelled, and sends none
			return []string{unseen, passes}
		}
	}
	return []string{want}
}

// quietWants is what is true of a server that heeds its cancels and says nothing. There are no
// processes in a fake clock.
func quietWants(check string, way Way) string {
	situation, claim, _ := strings.Cut(check, "/")
	switch {
	case claim == "server-ends", situation == "asking", situation == "task":
		return skipped
	case way == HTTPModern && slices.Contains([]string{"twice", "unknown-id", "other-type", "malformed", "after-end"}, situation):
		return skipped
	case claim == "processes", claim == "connections", claim == "files", claim == "memory", claim == "work-stops":
		return unseen
	case way == HTTPModern && (claim == "no-answer" || claim == "no-messages"):
		return unseen
	}
	return passes
}

var (
	allWays    = []Way{Stdio, StdioModern, SSE, HTTPModern}
	heardWays  = []Way{Stdio, StdioModern, SSE}
	stdioWays  = []Way{Stdio, StdioModern}
	postedWays = []Way{Stdio, SSE} // where a server reads cancels
)

// heeds works until the cancel, and then does something.
func heeds(then func(*Scene)) func(*Scene) {
	return func(x *Scene) {
		if !x.Work(ToolTime) {
			x.Result("done")
			return
		}
		if then != nil {
			then(x)
		}
	}
}

// asks works, asks the user, and works on; when it is cancelled while the question is open, it
// does something, and else it is silent.
func asks(then func(*Scene)) func(*Scene) {
	return func(x *Scene) {
		if x.Work(ToolTime / 4) {
			return
		}
		if x.Form(); !x.answeredFirst() {
			then(x)
			return
		}
		if !x.Work(ToolTime * 3 / 4) {
			x.Result("done")
		}
	}
}

// answeredFirst waits until the user has answered, and reports whether that was before the cancel.
func (x *Scene) answeredFirst() bool {
	select {
	case <-x.answered:
		return true
	case <-x.cancelled:
	case <-x.over:
	}
	return false
}

// with are outcomes, and more of them.
func with(more map[string]string, outcomes ...string) map[string]string {
	all := maps.Clone(more)
	if all == nil {
		all = map[string]string{}
	}
	for i := 0; i+1 < len(outcomes); i += 2 {
		all[outcomes[i]] = outcomes[i+1]
	}
	return all
}

// Zoo are the animals. Their names are unique.
func Zoo() []Animal {
	answers := map[string]string{"no-answer": fails}
	everything := map[string]string{"": unseen}
	endsEarly := map[string]string{"": skipped, "alone/long-enough": passes, "/processes": unseen, "/connections": unseen, "/files": unseen, "/memory": unseen}
	return []Animal{
		{Name: "quiet", Ways: allWays, Play: heeds(nil)},
		{
			Name: "ignores every cancel, and answers", Ways: heardWays, Exit: 5, Want: with(answers, "work-stops", fails, "near-end/work-stops", unseen),
			Play: func(x *Scene) { x.rests(ToolTime); x.Result("done") },
		},
		{
			Name: "ignores every cancel, which is not seen over HTTP in 2026-07-28", Ways: []Way{HTTPModern},
			Play: func(x *Scene) { x.rests(ToolTime); x.Result("done") },
		},
		{Name: "an error that says cancelled", Ways: heardWays, Exit: 5, Want: answers, Play: heeds(func(x *Scene) { x.Error(-32800, "Request cancelled") })},
		{Name: "isError that says cancelled", Ways: heardWays, Exit: 5, Want: answers, Play: heeds(func(x *Scene) { x.ToolError("context canceled") })},
		{Name: "another error, late", Ways: heardWays, Exit: 5, Want: answers, Play: heeds(func(x *Scene) { x.rests(ToolTime / 8); x.Error(-32603, "the disk is full") })},
		{
			Name: "still sends progress, and no answer", Ways: heardWays, Exit: 5, Want: map[string]string{"no-messages": fails, "work-stops": fails, "near-end/work-stops": unseen},
			Play: func(x *Scene) {
				stop := x.Ticking(ToolTime / 40)
				x.rests(ToolTime)
				stop()
				if !x.Work(0) {
					x.Result("done")
				}
			},
		},
		{
			Name: "sends progress until the cancel, and works on in silence", Ways: heardWays,
			Play: func(x *Scene) {
				began, stop := time.Now(), x.Ticking(ToolTime/40)
				cancelled := x.Work(ToolTime)
				stop()
				if x.rests(ToolTime - time.Since(began)/x.pace()); !cancelled {
					x.Result("done")
				}
			},
		},
		{
			Name: "a message while it stops", Ways: []Way{Stdio, SSE}, Fake: true, Play: heeds(func(x *Scene) { x.rests(60 * time.Millisecond); x.Progress(999, 1000) }),
		},
		{
			Name: "a message while it stops, which 2026-07-28 forbids", Ways: []Way{StdioModern}, Fake: true, Exit: 5, Want: map[string]string{"no-messages": fails},
			Play: heeds(func(x *Scene) { x.rests(60 * time.Millisecond); x.Progress(999, 1000) }),
		},
		// It comes so late that it was not on its way, and so soon that it is no work of a call that had
		// much to do yet.
		{
			Name: "a message some time after the cancel, which 2026-07-28 forbids", Ways: []Way{StdioModern}, Exit: 5, Want: map[string]string{"no-messages": fails},
			Play: heeds(func(x *Scene) { x.rests(150 * time.Millisecond); x.Progress(999, 1000) }),
		},
		// What comes so soon may have been on its way when the cancel was read. That it was each time, whenever
		// the call was cancelled, is no chance.
		{
			Name: "answers as it reads the cancel", Ways: heardWays, Fake: true, Exit: 5, Want: map[string]string{"no-answer": fails, "no-messages": unseen, "work-stops": unseen},
			Play: heeds(func(x *Scene) { x.Result("done") }),
		},
		{
			Name: "fails as it reads the cancel", Ways: heardWays, Fake: true, Exit: 5, Want: map[string]string{"no-answer": fails, "no-messages": unseen, "work-stops": unseen},
			Play: heeds(func(x *Scene) { x.Error(-32603, "the disk is full") }),
		},
		{Name: "one more progress as it reads the cancel", Ways: heardWays, Fake: true, Play: heeds(func(x *Scene) { x.Progress(999, 1000) })},
		{
			Name: "answers only after the grace", Ways: stdioWays, Exit: 5, Want: with(answers, "work-stops", fails, "near-end/work-stops", unseen),
			Play: heeds(func(x *Scene) { x.rests(4 * ToolTime); x.Result("done") }),
		},
		{
			Name: "deaf after a cancel", Ways: stdioWays, Exit: 5,
			Want: with(endsEarly, "at-once/no-answer", unseen, "at-once/no-messages", unseen, "at-once/work-stops", unseen, "afterwards/responsive", fails),
			Play: heeds(func(x *Scene) { x.Mute(true) }),
		},
		{
			Name: "deaf for a while after a cancel", Ways: stdioWays, Exit: 5,
			Want: map[string]string{
				"no-answer": unseen, "no-messages": unseen, "responsive": fails,
				"unknown-id/responsive": passes, "other-type/responsive": passes, "malformed/responsive": passes, "after-end/responsive": passes,
			},
			Play: heeds(func(x *Scene) {
				x.Mute(true)
				x.rests(15 * time.Second)
				x.Mute(false)
			}),
		},
		// What it does not answer afterwards is no harm of the cancels that are not sent any more.
		{
			Name: "deaf after a malformed cancel", Ways: stdioWays, Exit: 5,
			Want: map[string]string{"malformed/responsive": fails, "after-end/others-unharmed": skipped, "after-end/responsive": skipped, "afterwards/others-unharmed": skipped, "afterwards/responsive": unseen},
			Play: func(x *Scene) {
				if x.Work(ToolTime) {
					if string(x.told) == string(x.ID) {
						return
					}
					x.Mute(true)
					x.rests(ToolTime)
				}
				x.Result("done")
			},
			Misreads: malformed,
		},
		// Each call since the first cancel fails at once: a limit of calls would have begun just then by chance.
		{
			Name: "fails for good after a cancel", Ways: stdioWays, Exit: 5,
			Want: map[string]string{
				"no-answer": unseen, "at-once/no-answer": passes, "no-messages": unseen, "at-once/no-messages": passes, "crowd/responsive": unseen,
				"others-unharmed": skipped, "one-of-several/others-unharmed": unseen, "afterwards/others-unharmed": fails,
				"twice/responsive": skipped, "unknown-id/responsive": skipped, "other-type/responsive": skipped, "malformed/responsive": skipped, "after-end/responsive": skipped,
			},
			Play: func(x *Scene) {
				if x.IsRuined() {
					x.ToolError("there is no connection")
					return
				}
				heeds((*Scene).Ruin)(x)
			},
		},
		{
			Name: "dies of a cancel", Ways: stdioWays, Exit: 5,
			Want: with(endsEarly, "at-once/no-answer", unseen, "at-once/no-messages", unseen, "at-once/work-stops", unseen, "afterwards/responsive", fails),
			Play: heeds(func(x *Scene) { x.Exit(1) }),
		},
		{
			Name: "answers the other calls with a cancel", Ways: stdioWays, Exit: 5,
			Want: map[string]string{"one-of-several/others-unharmed": fails, "twice/others-unharmed": fails},
			Play: heeds(func(x *Scene) {
				for _, other := range x.inFlight() {
					other.Result("of another")
				}
			}),
		},
		{
			Name: "cancels all calls", Ways: postedWays, Exit: 5, Play: heeds(nil),
			Want:     map[string]string{"others-unharmed": fails, "afterwards/others-unharmed": passes},
			Misreads: func(_ json.RawMessage, calls []json.RawMessage) []json.RawMessage { return calls },
		},
		{
			Name: "cancels the oldest call", Ways: postedWays, Exit: 5, Play: heeds(nil),
			Want:     map[string]string{"others-unharmed": fails, "afterwards/others-unharmed": passes, "one-of-several/no-answer": fails},
			Misreads: func(_ json.RawMessage, calls []json.RawMessage) []json.RawMessage { return calls[:min(1, len(calls))] },
		},
		{
			Name: `cancels 7 when told "7"`, Ways: postedWays, Exit: 5, Play: heeds(nil), Want: map[string]string{"other-type/others-unharmed": fails},
			Misreads: func(told json.RawMessage, _ []json.RawMessage) []json.RawMessage {
				return []json.RawMessage{json.RawMessage(strings.Trim(string(told), `"`))}
			},
		},
		{
			Name: "takes a malformed cancel for one of everything", Ways: postedWays, Exit: 5, Play: heeds(nil), Want: map[string]string{"malformed/others-unharmed": fails},
			Misreads: malformed,
		},
		// Whoever ends the exchange may say more of the call elsewhere: what is silent there is silent.
		{Name: "ends the exchange of a call at its cancel", Ways: []Way{SSE}, Play: heeds(func(x *Scene) { x.X.End() })},
		{
			Name: "ends the exchange of a call at its cancel, and has a stream of its own", Ways: []Way{SSE}, Fake: true, Web: (*Web).Listens,
			Play: heeds(func(x *Scene) { x.X.End() }),
		},
		{
			Name: "breaks off the exchange of a call at its cancel", Ways: []Way{SSE}, Fake: true, Want: map[string]string{"no-answer": unseen, "no-messages": unseen},
			Play: heeds(func(x *Scene) { x.X.Cut() }),
		},
		{
			Name: "ends the exchange of a call at its cancel, and answers on its own stream", Ways: []Way{SSE}, Fake: true, Exit: 5, Web: (*Web).Listens,
			Want: with(answers, "work-stops", fails, "near-end/work-stops", unseen),
			Play: heeds(func(x *Scene) { x.X.End(); x.rests(ToolTime); x.Web.Stream(x).Message(x.result("done")) }),
		},
		{
			Name: "ends the exchange of a call at its cancel, and goes on with progress on its own stream", Ways: []Way{SSE}, Fake: true, Exit: 5, Web: (*Web).Listens,
			Want: map[string]string{"no-messages": fails, "work-stops": fails, "near-end/work-stops": unseen, "at-once/no-messages": unseen},
			Play: heeds(func(x *Scene) {
				x.X.End()
				x.rests(ToolTime)
				x.X = x.Web.Stream(x)
				x.Progress(999, 1000)
			}),
		},
		{
			Name: "ends the exchange of a call at its cancel, and its own stream again and again", Ways: []Way{SSE}, Fake: true, Want: map[string]string{"no-answer": unseen, "no-messages": unseen},
			Play: heeds(func(x *Scene) { x.X.End() }),
			Web: func(w *Web) {
				w.On(http.MethodGet, func(get *peer.Exchange) {
					get.SSE()
					time.Sleep(ToolTime / 10)
					get.End()
				})
			},
		},
		{
			Name: "asks, and withdraws its question when its call is cancelled", Ways: postedWays, Want: map[string]string{"asking/question-withdrawn": passes},
			Play: asks(func(x *Scene) { x.Withdraw() }),
		},
		{
			Name: "asks, and takes its time to withdraw its question", Ways: postedWays, Want: map[string]string{"asking/question-withdrawn": passes},
			Play: asks(func(x *Scene) { x.rests(ToolTime / 2); x.Withdraw() }),
		},
		{
			Name: "asks, and leaves its question open when its call is cancelled", Ways: postedWays, Want: map[string]string{"asking/question-withdrawn": noted},
			Play: asks(func(*Scene) {}),
		},
		{
			Name: "asks, leaves its question open, and says that the call is cancelled", Ways: postedWays, Want: map[string]string{"asking/question-withdrawn": noted},
			Play: asks(func(x *Scene) { x.Error(-32800, "Request cancelled") }),
		},
		{
			Name: "is fast, but for its question, which it withdraws", Ways: postedWays, Exit: 6, Want: with(everything, "server-ends", unseen, "asking/question-withdrawn", passes, "afterwards/responsive", passes),
			Play: func(x *Scene) {
				if x.Form(); x.answeredFirst() {
					x.Result("done")
				} else {
					x.Withdraw()
				}
			},
		},
		{
			Name: "asks by its answer", Ways: []Way{StdioModern, HTTPModern},
			Play: func(x *Scene) {
				switch {
				case !x.Again && !x.Work(ToolTime/3): // not just when the calls of a crowd are cancelled
					x.AskByAnswer()
				case x.Again && !x.Work(ToolTime):
					x.Result("done")
				}
			},
		},
		{Name: "too fast to be tested", Ways: allWays, Exit: 6, Want: with(everything, "server-ends", unseen), Play: func(x *Scene) { x.rests(ToolTime / 20); x.Result("done") }},
		{Name: "fails", Ways: allWays, Exit: 6, Want: with(everything, "server-ends", unseen), Play: func(x *Scene) { x.rests(ToolTime); x.ToolError("no such wreck") }},
	}
}

// malformed takes a malformed cancel for one of all calls.
func malformed(told json.RawMessage, calls []json.RawMessage) []json.RawMessage {
	if len(told) == 0 || told[0] == 'n' || told[0] == '{' {
		return calls
	}
	return []json.RawMessage{told}
}

// Work waits for so long, and reports whether the call was cancelled meanwhile.
func (x *Scene) Work(d time.Duration) (cancelled bool) {
	if d > 0 { // as for rests
		t := time.NewTimer(d * x.pace())
		defer t.Stop()
		select {
		case <-x.cancelled:
			return true
		case <-x.over:
			return true
		case <-t.C:
		}
	}
	select {
	case <-x.cancelled:
		return true
	default:
		return false
	}
}

// rests waits, cancelled or not, until nobody looks any more.
func (x *Scene) rests(d time.Duration) {
	// Two goroutines of one bubble of testing/synctest that each receive from a timer that is due
	// at once crash the race detector of Go 1.26.
	if d <= 0 {
		return
	}
	t := time.NewTimer(d * x.pace())
	defer t.Stop()
	select {
	case <-t.C:
	case <-x.over:
	}
}

// SetPace has an animal work, and rest, for so many times as long.
func (s *Server) SetPace(times int) { s.pace.Store(int32(times)) }

func (x *Scene) pace() time.Duration { return time.Duration(max(1, x.srv.pace.Load())) }

// inFlight are the other calls whose scripts have not ended, oldest first.
func (x *Scene) inFlight() (all []*Scene) {
	for _, other := range x.srv.flying() {
		if other != x {
			all = append(all, other)
		}
	}
	return all
}

// flying are the calls whose scripts have not ended, and that were not cancelled, oldest first.
func (s *Server) flying() []*Scene {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.plays), func(x *Scene) bool {
		select {
		case <-x.cancelled:
			return true
		default:
			return false
		}
	})
}

// meant are the scenes that a cancel of an ID is taken for.
func (s *Server) meant(id json.RawMessage) (all []*Scene) {
	ids := []json.RawMessage{id}
	if s.c.Misreads != nil {
		var calls []json.RawMessage
		for _, x := range s.flying() {
			calls = append(calls, x.ID)
		}
		ids = s.c.Misreads(id, calls)
	}
	for _, id := range ids {
		if x := s.scene(id); x != nil {
			all = append(all, x)
		}
	}
	return all
}
