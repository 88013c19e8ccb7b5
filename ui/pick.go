package ui

import (
	"encoding/json"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/beside"
	"belay/ui/dialog"
	"belay/ui/formview"
	"belay/ui/panel"
)

// take calls the chosen item at once when it needs no arguments, and else opens
// its form; with ask it always does.
func (p *picker) take(ask bool) tea.Cmd {
	m := p.m
	it, ok := p.chosen()
	if !ok {
		return m.say(panel.Refused(p.emptyWords()))
	}
	if p.left(p.order[p.at]) > 0 {
		return m.say(panel.Refused("left out: " + safe.LineN(it.Unfit, 300)))
	}
	m.pop(p)
	f := m.formFor(it)
	if _, _, unread := f.fields.Unread(); !unread && !ask && f.fields.Form().Empty() {
		return f.send([]byte("{}"))
	}
	m.push(f)
	return nil
}

// formFor is the form of an item, or the draft that was left of it.
func (m *Model) formFor(it mcp.Item) *callForm {
	key := kindKey(it)
	if f := m.input.drafts[key]; f != nil {
		return f
	}
	return m.newForm(key, it)
}

func kindKey(it mcp.Item) string {
	return it.Kind.String() + "\x00" + it.Name + "\x00" + it.URI + "\x00" + strconv.Itoa(it.Twin)
}

// newForm makes the form of an item: what it asks for, and how a request is
// made of it.
func (m *Model) newForm(key string, it mcp.Item) *callForm {
	f := &callForm{m: m, draft: key, name: it.Name, about: about{text: it.Description}, rev: m.snap.status.Revision, secrets: beside.Secrets{}}
	schema := form.Schema{}
	switch it.Kind {
	case mcp.Tools:
		f.method = "tools/call"
		f.fields = formview.Open(it.InputSchema, form.Arguments, m.looks())
		f.mirrors = it.Mirrors
		f.params = func(args []byte) ([]byte, error) { return namedParams(it.Name, args), nil }
	case mcp.Prompts:
		f.method = "prompts/get"
		schema = promptSchema(it.Args)
		f.params = func(args []byte) ([]byte, error) { return namedParams(it.Name, args), nil }
	case mcp.Resources:
		f.method = "resources/read"
		f.params = func([]byte) ([]byte, error) { return uriParams(it.URI), nil }
	case mcp.Templates:
		f.method = "resources/read"
		f.name = it.URI
		schema = templateSchema(it.URI)
		f.params = func(args []byte) ([]byte, error) { return expand(it.URI, args) }
	case mcp.NumLists:
	}
	if f.fields == nil {
		f.fields = formview.New(form.New(schema), m.looks())
	}
	return f
}

func namedParams(name string, args []byte) []byte {
	return form.AppendObject(nil, []form.Member{{Name: "name", Value: form.Quote(name)}, {Name: "arguments", Value: args}})
}

func uriParams(uri string) []byte {
	return form.AppendObject(nil, []form.Member{{Name: "uri", Value: form.Quote(uri)}})
}

// promptSchema is the schema of a prompt's arguments: they are all text.
func promptSchema(args []mcp.PromptArg) form.Schema {
	var fields []form.TextField
	for _, a := range args {
		fields = append(fields, form.TextField{Name: a.Name, Title: a.Title, About: a.Description, Required: a.Required})
	}
	return form.Texts(fields)
}

// editAgain opens the form of the selected call with its arguments in it.
func (m *Model) editAgain() tea.Cmd {
	d := &m.detail.d
	it, args := m.itemOf(d)
	if it.Name == "" && it.URI == "" {
		line := ":send " + d.Method + " " + string(d.Params)
		m.openPalette()
		if l, ok := m.modal().(*dialog.Line); ok {
			l.Text.Set(line[1:])
		}
		return nil
	}
	f := m.newForm("again", it)
	if err := f.fields.Load(args); err != nil {
		return m.say(panel.Error(err))
	}
	f.setOptions(d)
	m.push(f)
	return nil
}

// itemOf finds what a call called, and with which arguments. What the server
// no longer lists is called again by the name that it had.
func (m *Model) itemOf(d *session.Detail) (mcp.Item, []byte) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		URI       string          `json:"uri"`
	}
	kinds := map[string]mcp.ListKind{
		"tools/call": mcp.Tools, "prompts/get": mcp.Prompts, "resources/read": mcp.Resources,
	}
	kind, ok := kinds[d.Method]
	if !ok || json.Unmarshal(d.Params, &p) != nil {
		return mcp.Item{}, nil
	}
	if len(p.Arguments) == 0 {
		p.Arguments = []byte("{}")
	}
	var catalog session.CatalogView
	m.backend.View(func(s *session.Session) { catalog = s.Catalog() })
	l := &catalog.Lists[kind]
	for _, it := range slices.Concat(l.Items, l.Coming) {
		if it.Name == p.Name && kind != mcp.Resources || it.URI == p.URI && kind == mcp.Resources {
			return it, p.Arguments
		}
	}
	return mcp.Item{Kind: kind, Name: oneOf(p.Name, p.URI), URI: p.URI}, p.Arguments
}
