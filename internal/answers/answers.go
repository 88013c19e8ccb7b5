// Package answers has the answers to a server's questions that somebody wrote down
// beforehand, for where nobody can be asked: rules in a file, of which the first that fits
// a question answers it.
package answers

import (
	"context"
	"strings"

	"belay/internal/form"
	"belay/internal/secretfield"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

// Rule is one entry of the file.
type Rule struct {
	Method   string // of the question; empty: any
	Contains string // what its message has in it; empty: anything
	Action   string // accept, decline or cancel; empty: accept
	Content  []byte // of a form: the JSON object that is sent; nil: none
	Text     string // of sampling: what a model would have said
	Model    string // … and which model; empty: human
	Times    int    // how often it answers; 0: as often as it fits

	used int
}

// Rules are the entries of a file, in their order. The zero value has none. They count
// how often each was used, so they are for one run.
type Rules struct{ list []Rule }

const (
	elicit = "elicitation/create"
	sample = "sampling/createMessage"
)

// Decision is what becomes of a question.
type Decision struct {
	As     session.QuestionState // Answered, Declined or Dismissed
	Result []byte                // where it is Answered
	Secret []secret.Value        // what of it was written into secret fields
	Rule   int                   // which rule answered it, from 1; 0: none fits
	Why    string                // why a rule that fits cannot answer it; may hold foreign text
}

// Decide finds the answer to a question. Where no rule fits, it is declined; where one
// fits and its answer breaks what the server wants, the question is dismissed, and
// nothing of the answer is sent.
func (r *Rules) Decide(ctx context.Context, rev mcp.Revision, p session.QuestionView) Decision {
	none := Decision{As: session.Declined}
	if r == nil {
		return none
	}
	words := Message(rev, p)
	for i := range r.list {
		rule := &r.list[i]
		if !rule.fits(p.Method, words) {
			continue
		}
		rule.used++
		d := rule.decide(ctx, rev, p)
		d.Rule = i + 1
		return d
	}
	return none
}

func (r *Rule) fits(method, words string) bool {
	return (r.Method == "" || r.Method == method) && strings.Contains(words, r.Contains) && (r.Times == 0 || r.used < r.Times)
}

func (r *Rule) decide(ctx context.Context, rev mcp.Revision, p session.QuestionView) Decision {
	switch {
	case r.Action == "decline":
		return Decision{As: session.Declined}
	case r.Action == "cancel":
		return Decision{As: session.Dismissed}
	case p.Method == sample && r.Text == "":
		return Decision{As: session.Dismissed, Why: "the answer has no text, which sampling wants"}
	case p.Method == sample:
		result, err := mcp.SamplingAnswer{Text: r.Text, Model: r.Model}.Result(rev)
		if err != nil {
			return Decision{As: session.Dismissed, Why: err.Error()}
		}
		return Decision{As: session.Answered, Result: result}
	}
	e, _ := mcp.ParseElicitation(rev, p.Params)
	if e.Mode == mcp.ElicitForm {
		content := r.Content
		if content == nil {
			content = []byte("{}")
		}
		if report := form.Check(ctx, e.Schema, content); len(report.Findings) > 0 {
			why := report.Findings[0].Why
			if at := report.Findings[0].Where; at != "" {
				why = at + ": " + why
			}
			return Decision{As: session.Dismissed, Why: "the answer breaks the schema of the question: " + why}
		}
	}
	return Decision{As: session.Answered, Result: mcp.ElicitationResult(e.Mode, mcp.ElicitAccept, r.Content), Secret: secretfield.Of(ctx, e.Schema, r.Content)}
}

// Message is what a question says, in the server's words.
func Message(rev mcp.Revision, p session.QuestionView) string {
	if p.Method != sample {
		e, _ := mcp.ParseElicitation(rev, p.Params)
		if e.Mode == mcp.ElicitURL {
			return e.Message + " " + e.URL
		}
		return e.Message
	}
	s, _ := mcp.ParseSampling(rev, p.Params)
	var all []string
	for _, m := range s.Messages {
		for _, c := range m.Content {
			if c.Text != "" {
				all = append(all, c.Text)
			}
		}
	}
	return strings.Join(all, "\n")
}
