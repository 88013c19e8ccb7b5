package mcp

import (
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestAnElicitationIsRead(t *testing.T) {
	requirements.Rows(t, "ELI-36")
	e, problems := ParseElicitation(Rev20250618, []byte(`{"message":"Your \u006eame?","requestedSchema":{"type":"object","properties":{}},"task":{"ttl":1}}`))
	if e.Mode != ElicitForm || e.Message != "Your name?" || string(e.Schema) != `{"type":"object","properties":{}}` || len(problems) != 0 {
		t.Errorf("%+v, %v", e, problems)
	}
	e, problems = ParseElicitation(Rev20251125, []byte(`{"mode":"url","message":"m","url":"https://example.com/a b","elicitationId":"é 1"}`))
	if e.Mode != ElicitURL || e.URL != "https://example.com/a b" || e.ElicitationID != "é 1" || e.Schema != nil || len(problems) != 0 {
		t.Errorf("%+v, %v", e, problems)
	}
	long := strings.Repeat("ü ", 2000)
	if e, _ = ParseElicitation(Rev20251125, []byte(`{"mode":"url","elicitationId":"`+long+`"}`)); e.ElicitationID != long {
		t.Error("a long ID is not what it was")
	}
}

func TestWhatIsWrongWithAnElicitation(t *testing.T) {
	form := func(fields string) string {
		return `{"message":"m","requestedSchema":{"type":"object","properties":{` + fields + `}}}`
	}
	url := func(link string) string {
		return `{"mode":"url","message":"m","elicitationId":"1","url":"` + link + `"}`
	}
	for _, tt := range []struct {
		rev    Revision
		params string
		want   DiagCode
	}{
		{Rev20251125, `7`, DiagElicitShape},
		{Rev20251125, `{"requestedSchema":{"type":"object","properties":{}}}`, DiagElicitShape},
		{Rev20251125, `{"message":"m"}`, DiagElicitShape},
		{Rev20251125, `{"message":"m","requestedSchema":true}`, DiagElicitShape},
		{Rev20251125, `{"mode":"url","message":"m","elicitationId":"1"}`, DiagElicitShape},
		{Rev20251125, `{"mode":"url","message":"m","url":"https://a.b"}`, DiagElicitShape},
		{Rev20251125, `{"mode":"url","message":"m","url":"https://a.b","elicitationId":7}`, DiagElicitShape},
		{Rev20251125, url("a.b/c"), DiagElicitShape},
		{Rev20251125, url("https://"), DiagElicitShape},
		{Rev20251125, url("1x:y"), DiagElicitShape},
		{Rev20251125, url(":"), DiagElicitShape},
		{Rev20251125, url("https://a.b"), DiagNone},
		{Rev20251125, url("javascript:alert(1)"), DiagNone}, // a person sees it, and that it cannot be opened
		{Rev20251125, url(`https://a.b/\u001b[2J`), DiagNone},
		{Rev20251125, form(`"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"boolean"},"d":{"type":"number"}`), DiagNone},
		{Rev20251125, form(`"a":{"type":"object","properties":{}}`), DiagElicitSchema},
		{Rev20251125, form(`"a":{"$ref":"#/x"}`), DiagElicitSchema},
		{Rev20251125, form(`"a":7`), DiagElicitSchema},
		{Rev20251125, form(`"a":{"type":"array","items":{"type":"string","enum":["x"]}}`), DiagNone},
		{Rev20251125, form(`"a":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]}}`), DiagNone},
		{Rev20251125, form(`"a":{"type":"array","items":{"type":"string"}}`), DiagElicitSchema},
		{Rev20250618, form(`"a":{"type":"array","items":{"type":"string","enum":["x"]}}`), DiagElicitSchema},
		{Rev20251125, `{"message":"m","requestedSchema":{}}`, DiagElicitSchema},
		{Rev20251125, `{"message":"m","requestedSchema":{"type":"string","properties":[]}}`, DiagElicitSchema},
	} {
		_, problems := ParseElicitation(tt.rev, []byte(tt.params))
		var got DiagCode
		for _, p := range problems {
			got = p.Code
		}
		if got != tt.want {
			t.Errorf("%s %s: %v, want code %d", tt.rev, tt.params, problems, tt.want)
		}
	}
}

func TestTheAnswerToAnElicitation(t *testing.T) {
	requirements.Rows(t, "ELI-23")
	content := []byte(` {"n":9007199254740993} `)
	for _, tt := range []struct {
		mode   ElicitMode
		action ElicitAction
		want   string
	}{
		{ElicitForm, ElicitAccept, `{"action":"accept","content":{"n":9007199254740993}}`},
		{ElicitForm, ElicitDecline, `{"action":"decline"}`},
		{ElicitForm, ElicitCancel, `{"action":"cancel"}`},
		{ElicitURL, ElicitAccept, `{"action":"accept"}`},
		{ElicitURL, ElicitDecline, `{"action":"decline"}`},
	} {
		if got := string(ElicitationResult(tt.mode, tt.action, content)); got != tt.want {
			t.Errorf("%s %s: %s", tt.mode, tt.action, got)
		}
	}
	if got := string(ElicitationResult(ElicitForm, ElicitAccept, nil)); got != `{"action":"accept","content":{}}` {
		t.Errorf("without content: %s", got)
	}
}
