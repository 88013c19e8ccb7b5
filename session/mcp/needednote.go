package mcp

import (
	"fmt"

	"belay/session/rawjson"
)

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

// MaxNeeded bounds how many elicitations of one error are read.
const MaxNeeded = 20

// CompleteNote holds the parameters of notifications/elicitation/complete.
// Valid is false when they name no elicitation.
type CompleteNote struct {
	Valid bool
	ID    string
}

// neededNote reads the data of error -32042: all that it lists must be in mode url, with an ID
// (ELI-54; client/elicitation). What is not, is told and never shown as a question.
func neededNote(data []byte) *NeededNote {
	n := new(NeededNote)
	wrong := func(format string, args ...any) {
		if len(n.Problems) < MaxProblems {
			n.Problems = append(n.Problems, Problem{DiagURLRequired, fmt.Sprintf(format, args...)})
		}
	}
	list := rawjson.At(data, "elicitations")
	if rawjson.Kind(list) != '[' {
		wrong("data.elicitations is %s, not a list", rawjson.KindWords(list))
		return n
	}
	count := 0
	for e := rawjson.ElementsOf(list); ; {
		raw, ok := e.Next()
		if !ok {
			break
		}
		count++
		r := elicitationReader{}
		r.read(raw)
		problems := r.problems.in(Rev20251125)
		switch {
		case count > MaxNeeded:
		case rawjson.Kind(raw) == '{' && r.e.Mode != ElicitURL:
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
	case count > MaxNeeded:
		wrong("%d elicitations; belay shows %d", count, MaxNeeded)
	}
	return n
}

// NeedsURLs reports whether the error and the completion notice exist in r: rounds took their
// place (ELI-55; client/elicitation).
func (r Revision) NeedsURLs() bool { return r.ElicitsURL() && !r.IsModern() }
