package session

import (
	"cmp"
	"fmt"
)

// AskNote is what Decode found in a request that only the user can answer:
// sampling/createMessage or elicitation/create.
type AskNote struct {
	Tools   bool   // sampling: it has tools or a tool choice
	Context string // sampling: includeContext, as the server wrote it

	Mode          ElicitMode // elicitation
	ElicitationID string     // elicitation in mode url

	problems askProblems
}

// askNote reads the parameters of a request that only the user can answer.
func askNote(method string, params []byte) *AskNote {
	if method == "sampling/createMessage" {
		r := samplingReader{}
		r.read(params)
		return &AskNote{
			Tools: r.s.Tools != nil || r.s.ToolChoice != "", Context: clip(r.s.IncludeContext), problems: r.problems,
		}
	}
	r := elicitationReader{}
	r.read(params)
	return &AskNote{Mode: r.e.Mode, ElicitationID: r.e.ElicitationID, problems: r.problems}
}

// refusing are the problems for which a request never reaches the user: it is
// answered with -32602.
var refusing = map[DiagCode]bool{DiagSamplingShape: true, DiagToolResults: true, DiagElicitShape: true}

// askProblem is a problem with the parameters of a request to the user. What is
// wrong depends on the revision, which Decode does not know.
type askProblem struct {
	Problem
	since Revision // the first revision in which it is one; empty: from the first on
	until Revision // the first revision in which it is none any more; empty: to the last
}

// maxAskProblems bounds what is told of one request.
const maxAskProblems = 20

// askProblems collects problems.
type askProblems []askProblem

func (p *askProblems) add(code DiagCode, format string, args ...any) {
	p.between("", "", code, format, args...)
}

// between adds a problem of the revisions from since up to, but not with, until.
func (p *askProblems) between(since, until Revision, code DiagCode, format string, args ...any) {
	if len(*p) >= maxAskProblems {
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

// kindWords is a value of the wrong kind in words.
func kindWords(value []byte) string { return jsonKindWords[jsonKind(value)] }

// trustworthy are parameters of unknown origin, as the readers take them: nil
// when they are no JSON.
func trustworthy(params []byte) []byte {
	if !wellFormed(params) {
		return nil
	}
	return params[skipSpace(params, 0):]
}
