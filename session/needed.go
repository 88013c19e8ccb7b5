package session

import "fmt"

// codeURLRequired is the error of a call that wants the user to visit URLs
// first. Only 2025-11-25 has it (ELI-53, ELI-55).
const codeURLRequired = -32042

// NeededError is what a [TurnAway] calls the error of a call that lists what the
// user is to visit: there is no request.
const NeededError = "error -32042"

// NeededNote is what error -32042 asks for.
type NeededNote struct {
	Elicitations []NeededURL
	Problems     []Problem
}

// NeededURL is one of the URL elicitations that an error lists.
type NeededURL struct {
	ID  string // elicitationId
	Raw []byte // as the parameters of elicitation/create
}

// maxNeeded bounds how many elicitations of one error are read.
const maxNeeded = 20

// CompleteNote holds the parameters of notifications/elicitation/complete.
// Valid is false when they name no elicitation.
type CompleteNote struct {
	Valid bool
	ID    string
}

// neededNote reads the data of error -32042: all that it lists must be in mode
// url, with an ID (ELI-54). What is not, is told and never shown as a prompt.
func neededNote(data []byte) *NeededNote {
	n := new(NeededNote)
	wrong := func(format string, args ...any) {
		if len(n.Problems) < maxAskProblems {
			n.Problems = append(n.Problems, Problem{DiagURLRequired, fmt.Sprintf(format, args...)})
		}
	}
	list := at(data, "elicitations")
	if jsonKind(list) != '[' {
		wrong("data.elicitations is %s, not a list", kindWords(list))
		return n
	}
	count := 0
	for e := elementsOf(list); ; {
		raw, ok := e.next()
		if !ok {
			break
		}
		count++
		r := elicitationReader{}
		r.read(raw)
		problems := r.problems.in(Rev20251125)
		switch {
		case count > maxNeeded:
		case jsonKind(raw) == '{' && r.e.Mode != ElicitURL:
			wrong("elicitation %d is in mode %s", count, r.e.Mode)
		case len(problems) > 0:
			wrong("elicitation %d: %s", count, problems[0].Detail)
		default:
			n.Elicitations = append(n.Elicitations, NeededURL{ID: r.e.ElicitationID, Raw: raw})
		}
	}
	switch {
	case count == 0:
		wrong("data.elicitations is empty")
	case count > maxNeeded:
		wrong("%d elicitations; belay shows %d", count, maxNeeded)
	}
	return n
}

// needsURLs says whether the error and the completion notice exist in r: rounds
// took their place (ELI-55).
func (r Revision) needsURLs() bool { return r.ElicitsURL() && !r.Modern() }

// needs makes prompts of the URL elicitations that a call failed for. They
// belong to that call, and nothing is ever written for them: their request was
// answered by the error already, and a new call is the way on.
func (s *Session) needs(c *call, f *Frame) {
	if f.Needed == nil || f.Kind != FrameError || c.Origin != FromUser || !s.conn.rev.needsURLs() {
		return
	}
	if !s.conn.declared.url {
		s.diagnose(DiagUndeclared, c.id, "elicitation in mode url", "error -32042 for a URL elicitation")
		s.leaveOut("belay did not declare elicitation in mode url")
		return
	}
	for _, p := range f.Needed.Problems {
		s.diagnose(p.Code, c.id, p.Detail, p.Detail)
		s.leaveOut(p.Detail)
	}
	for _, e := range f.Needed.Elicitations {
		if why := s.tooMany(len(e.Raw)); why != "" {
			s.diagnose(DiagPromptFlood, c.id, "", "elicitations of error -32042: "+why)
			s.leaveOut(why)
			return
		}
		in := &incoming{
			method: "elicitation/create", params: keep(f, e.Raw), arrived: s.now, entry: s.hist.cur,
			owner: c.id, question: question{needed: true, elicitation: e.ID},
		}
		s.addPrompt(in)
		s.moment(c, Moment{Dir: In, Kind: MomPrompt, Text: in.method, Entry: s.hist.cur})
	}
}

// leaveOut counts what an error lists, and what cannot be shown of it: who has a
// call that failed for want of it must learn why nothing can be visited.
func (s *Session) leaveOut(why string) {
	s.theirs.away++
	s.theirs.lastAway = TurnAway{Method: NeededError, Why: clip(why)}
}

// neededWords say which call needs an address visited. The server sent no request
// of that kind, and nothing that reads as one may be told of it.
func (s *Session) neededWords(owner CallID) string {
	if c := s.rows.get(owner); c != nil {
		return "#" + c.wire().String() + " needs you to visit an address"
	}
	return "a call needs you to visit an address"
}

// onComplete takes the notice that what a URL elicitation led to is done. It
// says nothing about the prompt itself: one that waits goes on waiting. Notices
// with an ID that is unknown, not in use any more or complete already are
// ignored (ELI-49).
func (s *Session) onComplete(f *Frame) {
	n := f.Complete
	switch {
	case !s.conn.rev.needsURLs():
		s.diagnose(DiagUnknownMethod, 0, f.Method, f.Method)
		return
	case n == nil || !n.Valid:
		s.diagnose(DiagElicitComplete, 0, "", "elicitationId is missing")
		return
	}
	for i := len(s.theirs.prompts) - 1; i >= 0; i-- {
		in := s.theirs.prompts[i]
		if in.elicitation != n.ID || in.epoch != s.conn.epoch || in.state != Waiting && in.state != Answered || !in.completed.IsZero() {
			continue
		}
		in.completed = s.now
		s.hist.asks(in.prompt)
		s.event("the server says that a URL elicitation is complete")
		if c := s.rows.get(in.owner); c != nil {
			s.moment(c, Moment{Dir: In, Kind: MomNote, Text: "completed out of band", Entry: s.hist.cur})
			s.rows.touch(c)
		}
		return
	}
}
