package session

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// A list that is not declared is not fetched by itself. Asked for by name it is,
// and if it works that is told.
func TestAnUndeclaredListIsOpenedByForce(t *testing.T) {
	requirements.Rows(t, "SRV-51")
	r := listed(t, mcp.Rev20251125, `{"prompts":{}}`, map[string]string{"prompts/list": `"result":{"prompts":[]}`})
	if r.sent(`"tools/list"`) != 0 {
		t.Fatalf("fetched by itself: %q", r.lines)
	}
	if _, err := r.s.Handle(r.now, Reload{Kinds: []mcp.ListKind{mcp.Tools}}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if r.sent(`"tools/list"`) != 1 || r.sent(`"prompts/list"`) != 1 {
		t.Fatalf("the server got %q", r.lines)
	}
	r.respond("tools/list", toolsNamed("hidden"))
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Declared || !l.Complete || len(l.Items) != 1 || l.Items[0].Name != "hidden" {
		t.Errorf("%+v", l)
	}
	d := r.found(mcp.DiagGroupUndeclared)
	if d == nil || d.Detail != "tools, as tools/list shows" || !strings.Contains(d.Cite(mcp.Rev20251125).Rule, "MUST declare") {
		t.Errorf("told: %+v", d)
	}
}

func TestWhatIsNotDeclaredIsToldWhereItWorks(t *testing.T) {
	requirements.Rows(t, "SRV-51")
	for _, c := range []struct {
		rev            mcp.Revision
		method, answer string
		told           bool
	}{
		{mcp.Rev20251125, "logging/setLevel", `"result":{}`, true},
		{mcp.Rev20251125, "prompts/list", `"result":{"prompts":[]}`, true},
		{mcp.Rev20251125, "resources/list", `"result":{"resources":[]}`, true},
		{mcp.Rev20251125, "completion/complete", `"result":{"completion":{"values":[]}}`, true},
		{mcp.Rev20241105, "completion/complete", `"result":{"completion":{"values":[]}}`, false}, // nothing to declare it with
		{mcp.Rev20251125, "prompts/list", `"error":{"code":-32601,"message":"unknown"}`, false},
		{mcp.Rev20251125, "other/thing", `"result":{}`, false},
	} {
		r := listed(t, c.rev, `{"tools":{}}`, map[string]string{"tools/list": toolsNamed()})
		if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: c.method, Params: []byte(`{}`), Raw: true}}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.respond(c.method, c.answer)
		if d := r.found(mcp.DiagGroupUndeclared); (d != nil) != c.told {
			t.Errorf("%s in %s, answered %s: %+v", c.method, c.rev, c.answer, d)
		}
	}
}

// Who declares a list knows its request; an empty one is a list.
func TestADeclaredListThatIsAnUnknownMethod(t *testing.T) {
	requirements.Rows(t, "SRV-52")
	const empty = `"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","prompts":[]}`
	for answer, told := range map[string]bool{
		`"error":{"code":-32601,"message":"Method not found"}`: true,
		`"error":{"code":-32603,"message":"later"}`:            false,
		empty: false,
	} {
		r := listed(t, mcp.Rev20260728, `{"prompts":{}}`, map[string]string{"prompts/list": answer})
		if d := r.found(mcp.DiagGroupMissing); (d != nil) != told {
			t.Errorf("%s: %+v", answer, d)
		}
		if answer == empty && len(r.s.Diagnostics()) != 0 {
			t.Errorf("remarks on an empty list: %+v", r.s.Diagnostics())
		}
	}
	old := listed(t, mcp.Rev20251125, `{"prompts":{}}`, map[string]string{"prompts/list": `"error":{"code":-32601,"message":"no"}`})
	if d := old.found(mcp.DiagGroupMissing); d != nil {
		t.Errorf("before that rule: %+v", d)
	}
	templates := listed(t, mcp.Rev20260728, `{"resources":{}}`, map[string]string{
		"resources/list":           `"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","resources":[]}`,
		"resources/templates/list": `"error":{"code":-32601,"message":"no"}`,
	})
	if d := templates.found(mcp.DiagGroupMissing); d != nil {
		t.Errorf("templates: %+v", d)
	}
}

func TestListsAreNamed(t *testing.T) {
	kinds, err := mcp.ListKinds(" tools  templates ")
	if err != nil || len(kinds) != 2 || kinds[0] != mcp.Tools || kinds[1] != mcp.Templates {
		t.Errorf("%v, %v", kinds, err)
	}
	if _, err := mcp.ListKinds("tools toolz"); err == nil || !strings.Contains(err.Error(), "toolz") {
		t.Errorf("%v", err)
	}
}

func TestAListThatIsAskedForByNameIsReplayed(t *testing.T) {
	r, lines := recorded(t, nil)
	if _, err := r.s.Handle(r.now, Reload{Kinds: []mcp.ListKind{mcp.Prompts, mcp.Tools}}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.respond("tools/list", toolsNamed("hidden"))
	p := replayed(t, r, lines)
	if l := p.s.Catalog().Lists[mcp.Tools]; len(l.Items) != 1 || l.Items[0].Name != "hidden" {
		t.Errorf("%+v", l)
	}
	for _, bad := range []string{`{"kinds":["toolz"]}`, `{"kinds":["tools prompts"]}`, `{"kinds":[7]}`} {
		if in, err := DecodeInput("reload", []byte(bad)); err == nil {
			t.Errorf("%s is reloaded as %v", bad, in)
		}
	}
}
