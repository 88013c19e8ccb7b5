package answers

import (
	"slices"
	"strings"
	"testing"

	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

func asks(method, params string) session.QuestionView {
	return session.QuestionView{ID: 1, Method: method, State: session.Waiting, Params: []byte(params)}
}

const (
	form1   = `{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}},"required":["branch"]}}`
	url1    = `{"mode":"url","message":"Log in","url":"https://example.com/x","elicitationId":"1"}`
	sample1 = `{"messages":[{"role":"user","content":{"type":"text","text":"Summarise this"}}],"maxTokens":10}`
)

func TestTheFirstRuleThatFitsAnswers(t *testing.T) {
	for _, c := range []struct {
		rules    string
		question session.QuestionView
		as       session.QuestionState
		rule     int
		result   string
		why      string
	}{
		{`[]`, asks(elicit, form1), session.Declined, 0, "", ""},
		{`[{"contains":"branch","content":{"branch":"main"}}]`, asks(elicit, form1), session.Answered, 1, `{"action":"accept","content":{"branch":"main"}}`, ""},
		{`[{"contains":"tag","content":{"branch":"x"}},{"content":{"branch":"main"}}]`, asks(elicit, form1), session.Answered, 2, `{"action":"accept","content":{"branch":"main"}}`, ""},
		{`[{"content":{"branch":7}}]`, asks(elicit, form1), session.Dismissed, 1, "", "branch"},
		{`[{}]`, asks(elicit, form1), session.Dismissed, 1, "", "branch"},
		{`[{"action":"decline"}]`, asks(elicit, form1), session.Declined, 1, "", ""},
		{`[{"action":"cancel"}]`, asks(elicit, form1), session.Dismissed, 1, "", ""},
		{`[{"contains":"example.com"}]`, asks(elicit, url1), session.Answered, 1, `{"action":"accept"}`, ""},
		{`[{"method":"elicitation/create"},{"text":"Short."}]`, asks(sample, sample1), session.Answered, 2, `{"role":"assistant","content":{"type":"text","text":"Short."},"model":"human","stopReason":"endTurn"}`, ""},
		{`[{"method":"sampling/createMessage","contains":"Summarise","text":"S","model":"m"}]`, asks(sample, sample1), session.Answered, 1, `{"role":"assistant","content":{"type":"text","text":"S"},"model":"m","stopReason":"endTurn"}`, ""},
		{`[{}]`, asks(sample, sample1), session.Dismissed, 1, "", "text"},
	} {
		r, err := Parse([]byte(c.rules))
		if err != nil {
			t.Fatalf("%s: %v", c.rules, err)
		}
		d := r.Decide(t.Context(), mcp.Rev20251125, c.question)
		if d.As != c.as || d.Rule != c.rule || string(d.Result) != c.result || !strings.Contains(d.Why, c.why) || (c.why == "") != (d.Why == "") {
			t.Errorf("%s on %s: %v by %d: %s, %q", c.rules, c.question.Method, d.As, d.Rule, d.Result, d.Why)
		}
	}
	var none *Rules
	if d := none.Decide(t.Context(), mcp.Rev20251125, asks(elicit, form1)); d.As != session.Declined {
		t.Errorf("%+v", d)
	}
}

func TestARuleAnswersSoManyTimes(t *testing.T) {
	r, err := Parse([]byte(`[{"times":2,"content":{"branch":"a"}},{"content":{"branch":"b"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 1, 2, 2} {
		if d := r.Decide(t.Context(), mcp.Rev20251125, asks(elicit, form1)); d.Rule != want {
			t.Errorf("rule %d, not %d", d.Rule, want)
		}
	}
}

// What is wrong with a file is named with its line, its answer and its member, and so is what is
// wanted there.
func TestFilesThatAreNone(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                    "the file is empty: a JSON list of answers is wanted, such as [{",
		" \n":                                 "the file is empty",
		"{}":                                  "line 1: a JSON list of answers is wanted, such as [{",
		"null":                                "line 1: a JSON list of answers is wanted",
		"[]\n[]":                              "line 2: there is something behind the list",
		"[\n{\"text\":\"a\"},\n":              "line 2, answer 2: the file ends in the middle of the list: a \"]\" is missing",
		"[{}\n{}]":                            "line 2, answer 2: this is no JSON: ",
		"[{\"text\": \"a\n\"}]":               "line 1, answer 1: this is no JSON: ",
		"[{},\n{\"text\": a}]":                "line 2, answer 2: this is no JSON: ",
		"[{},\n 7]":                           "line 2, answer 2: an answer is an object, with the members \"method\", \"contains\", \"action\", \"content\", \"text\", \"model\" or \"times\"",
		"[{},\n{\n\"acton\": \"accept\"}]":    "line 3, answer 2: \"acton\" is no member of an answer: \"method\", \"contains\", \"action\"",
		"[{\"text\":\"a\",\n\"text\":\"b\"}]": "line 2, answer 1: \"text\" stands there twice",
		"[{\n\"action\": \"maybe\"}]":         "line 2, answer 1: \"action\" \"maybe\": it is to be \"accept\", \"decline\" or \"cancel\"",
		"[{\"method\": \"tools/call\"}]":      "line 1, answer 1: \"method\" \"tools/call\" asks nobody: it is to be \"elicitation/create\" or \"sampling/createMessage\"",
		"[{\"method\": 5}]":                   "line 1, answer 1: \"method\" is to be a text, and is 5",
		"[{\"contains\": null}]":              "line 1, answer 1: \"contains\" is to be a text, and is null",
		"[{\"content\": []}]":                 "line 1, answer 1: \"content\" is to be a JSON object, and is an array",
		"[{\"times\": 0}]":                    "line 1, answer 1: \"times\" is to be a whole number from 1; without it the answer is given as often as it fits, and is 0",
		"[{\"times\": -1}]":                   "and is -1",
		"[{\"times\": 1.5}]":                  "and is 1.5",
		"[{\"times\": \"2\"}]":                "and is a string",
		"[{\"method\": \"elicitation/create\",\n\"text\": \"x\"}]":    "line 2, answer 1: \"text\" is for sampling; a form is answered with \"content\"",
		"[{\"method\": \"sampling/createMessage\", \"content\": {}}]": "line 1, answer 1: \"content\" is for forms; sampling is answered with \"text\"",
		"[" + strings.Repeat("{},", most) + "{}]":                     "there are more than 1000 answers",
	} {
		if _, err := Parse([]byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v; want %s", raw, err, want)
		}
	}
	for _, raw := range []string{"[]", "[{}]", "\n[ {\"times\": 1} ]\n", "[{\"times\": 2e0}]", "[" + strings.Repeat("{},", most-1) + "{}]"} {
		if _, err := Parse([]byte(raw)); err != nil {
			t.Errorf("%.80q: %v", raw, err)
		}
	}
}

// What of an answer is secret by the schema of its question is known before it is given.
func TestAnAnswerNamesItsSecrets(t *testing.T) {
	r, err := Parse([]byte(`[{"content":{"word":"s3cr3t","key":{"apiKey":7},"plain":"x"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	d := r.Decide(t.Context(), mcp.Rev20251125, asks(elicit, `{"message":"m","requestedSchema":{"type":"object","properties":{"word":{"type":"string","title":"Password"},"plain":{"type":"string"}}}}`))
	want := []secret.Value{{Name: "apiKey", Text: "7"}, {Name: "word", Text: "s3cr3t"}}
	slices.SortFunc(d.Secret, func(a, b secret.Value) int { return strings.Compare(a.Name, b.Name) })
	if d.As != session.Answered || !slices.Equal(d.Secret, want) {
		t.Errorf("%v, %q", d.As, d.Secret)
	}
}
