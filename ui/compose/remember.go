package compose

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/secretfield"
	"belay/session"
	"belay/session/mcp"
)

// remember keeps the arguments that the form has sent.
func (f *Form) remember(args []byte) tea.Cmd {
	if f.c.memory.Forgetful() != "" || bytes.Equal(args, []byte("{}")) {
		return nil
	}
	memory, method, name := f.c.memory, f.method, f.name
	secrets := secretfield.Names(f.Fields.Form().Root)
	return func() tea.Msg { return remembered(memory.Remember(method, name, args, secrets)) }
}

// remembered is the message of a failure, or none: nothing on the screen changes otherwise.
func remembered(err error) tea.Msg {
	if err == nil {
		return nil
	}
	return rememberedMsg{err}
}

// Remember keeps the arguments of a call that was made without a form. What is not listed by now
// is not kept: nobody knows which of its fields are secret.
func (c *Composer) Remember(spec session.CallSpec) tea.Cmd {
	if c.memory.Forgetful() != "" || spec.Raw || kindOf(spec.Method) == mcp.Resources {
		return nil
	}
	var catalog session.CatalogView
	c.host.View(func(s *session.Session) { catalog = s.Catalog() })
	memory := c.memory
	return func() tea.Msg {
		it, args, ok := called(&catalog, spec.Method, spec.Params)
		if !ok {
			return nil
		}
		x, err := argumentsForm(&it)
		if err == nil {
			err = x.SetJSON(args)
		}
		if err != nil {
			return nil
		}
		return remembered(memory.Remember(spec.Method, it.Name, args, secretfield.Names(x.Root)))
	}
}

// argumentsForm is the form of what is called by its name.
func argumentsForm(it *mcp.Item) (*form.Form, error) {
	if it.Kind == mcp.Tools {
		return form.Read(context.Background(), it.InputSchema, form.Arguments, form.Beside)
	}
	return form.New(promptSchema(it.Args)), nil
}

// kindOf is the list of what a method calls; NumLists: none.
func kindOf(method string) mcp.ListKind {
	switch method {
	case "tools/call":
		return mcp.Tools
	case "prompts/get":
		return mcp.Prompts
	case "resources/read":
		return mcp.Resources
	}
	return mcp.NumLists
}

// called finds what a request called, and with which arguments. ok is false where it is not listed.
func called(catalog *session.CatalogView, method string, params []byte) (it mcp.Item, args []byte, ok bool) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		URI       string          `json:"uri"`
	}
	kind := kindOf(method)
	if kind == mcp.NumLists || json.Unmarshal(params, &p) != nil {
		return mcp.Item{}, nil, false
	}
	if len(p.Arguments) == 0 {
		p.Arguments = []byte("{}")
	}
	l := &catalog.Lists[kind]
	for _, items := range [][]mcp.Item{l.Items, l.Coming} {
		for i := range items {
			it := &items[i]
			if it.Name == p.Name && kind != mcp.Resources || it.URI == p.URI && kind == mcp.Resources {
				return *it, p.Arguments, true
			}
		}
	}
	return mcp.Item{Kind: kind, Name: cmp.Or(p.Name, p.URI), URI: p.URI}, p.Arguments, false
}
