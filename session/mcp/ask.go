package mcp

import (
	"cmp"
	"fmt"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// AskNote is what Decode found in a request that only the user can answer:
// sampling/createMessage or elicitation/create.
type AskNote struct {
	Tools   bool   // sampling: it has tools or a tool choice
	Context string // sampling: includeContext, as the server wrote it

	Mode          ElicitMode // elicitation
	ElicitationID string     // elicitation in mode url

	Task    string // the ID of the task that its metadata names; foreign text
	HasTask bool   // there is such metadata

	problems askProblems
}

// askNote reads the parameters of a request that only the user can answer.
func askNote(method string, params []byte) *AskNote {
	a := readAsk(method, params)
	a.Task, a.HasTask = RelatedTask(params)
	return a
}

func readAsk(method string, params []byte) *AskNote {
	if method == "sampling/createMessage" {
		r := samplingReader{}
		r.read(params)
		return &AskNote{
			Tools: r.s.Tools != nil || r.s.ToolChoice != "", Context: sentence.Clip(r.s.IncludeContext), problems: r.problems,
		}
	}
	r := elicitationReader{}
	r.read(params)
	return &AskNote{Mode: r.e.Mode, ElicitationID: r.e.ElicitationID, problems: r.problems}
}

// Problems are what is wrong with the request in a revision.
func (a *AskNote) Problems(rev Revision) []Problem { return a.problems.in(rev) }

// Refuses reports whether a request with this problem never reaches the user: it is
// answered with -32602.
func (c DiagCode) Refuses() bool {
	return c == DiagSamplingShape || c == DiagToolResults || c == DiagElicitShape
}

// askProblem is a problem with the parameters of a request to the user. What is
// wrong depends on the revision, which Decode does not know.
type askProblem struct {
	Problem
	since Revision // the first revision in which it is one; empty: from the first on
	until Revision // the first revision in which it is none any more; empty: to the last
}

// MaxProblems bounds what is told of one request.
const MaxProblems = 20

// askProblems collects problems.
type askProblems []askProblem

func (p *askProblems) add(code DiagCode, format string, args ...any) {
	p.between("", "", code, format, args...)
}

// between adds a problem of the revisions from since up to, but not with, until.
func (p *askProblems) between(since, until Revision, code DiagCode, format string, args ...any) {
	if len(*p) >= MaxProblems {
		return
	}
	*p = append(*p, askProblem{Problem{Code: code, Detail: fmt.Sprintf(format, args...)}, since, until})
}

// in are the problems that the revision knows.
func (p askProblems) in(rev Revision) (found []Problem) {
	for _, q := range p {
		if rev >= q.since && rev < cmp.Or(q.until, "~") {
			found = append(found, q.Problem)
		}
	}
	return found
}

// trustworthy are parameters of unknown origin, as the readers take them: nil
// when they are no JSON.
func trustworthy(params []byte) []byte {
	if !IsWellFormed(params) {
		return nil
	}
	return params[rawjson.SkipSpace(params, 0):]
}

// AsksUser reports whether a request of the server's is one that only the user can
// answer: somebody will read its parameters.
func AsksUser(method string) bool {
	return method == "sampling/createMessage" || method == "elicitation/create"
}
