package compose

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/secretfield"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/formview"
	"belay/ui/panel"
)

// take calls the chosen item at once when it needs no arguments, and else opens
// its form; with ask it always does.
func (p *Picker) take(ask bool) tea.Cmd {
	it, ok := p.chosen()
	switch {
	case !ok:
		return p.c.host.Say(panel.Refused(p.emptyWords()))
	case p.unranked: // what is under the mark is of an earlier text
		return p.c.host.Say(panel.Refused("not taken: " + seeking))
	}
	if p.left(p.order[p.at]) > 0 {
		return p.c.host.Say(panel.Refused("left out: " + safe.LineN(it.Unfit, 300)))
	}
	if err := p.gone(); err != nil {
		return p.c.host.Say(panel.Error(err))
	}
	p.c.host.Pop(p)
	f := p.c.formFor(it)
	if _, _, unread := f.Fields.Unread(); !unread && !ask && f.Fields.Form().Empty() {
		return f.send([]byte("{}"))
	}
	p.c.host.Push(f)
	return nil
}

// formFor is the form of an item, or the draft that was left of it.
func (c *Composer) formFor(it mcp.Item) *Form {
	key := kindKey(it)
	if f := c.drafts[key]; f != nil {
		f.earlier.asked = false // there may be more of them by now
		return f
	}
	return c.NewForm(key, it)
}

func kindKey(it mcp.Item) string {
	return it.Kind.String() + "\x00" + it.Name + "\x00" + it.URI + "\x00" + strconv.Itoa(it.Twin)
}

// NewForm makes the form of an item: what it asks for, and how a request is
// made of it.
func (c *Composer) NewForm(key string, it mcp.Item) *Form {
	f := &Form{c: c, draft: key, name: it.Name, about: about{text: it.Description}, rev: c.host.Screen().Status.Revision, secrets: secretfield.Judged{}}
	schema := form.Schema{}
	switch it.Kind {
	case mcp.Tools:
		f.method = "tools/call"
		f.fresh = func() *formview.View { return formview.Open(it.InputSchema, form.Arguments, c.host.Screen().Looks) }
		f.mirrors = it.Mirrors
		f.task = taskChoiceOf(&it, c.host.Screen().Status)
		if f.task.forced {
			f.opts[optTask].Set("on")
		}
		f.params = func(args []byte) ([]byte, error) { return namedParams(it.Name, args), nil }
	case mcp.Prompts:
		f.method = "prompts/get"
		schema = promptSchema(it.Args)
		f.params = func(args []byte) ([]byte, error) { return namedParams(it.Name, args), nil }
	case mcp.Resources:
		f.method = "resources/read"
		f.params = func([]byte) ([]byte, error) { return URIParams(it.URI), nil }
	case mcp.Templates:
		f.method = "resources/read"
		f.name = it.URI
		schema = templateSchema(it.URI)
		f.params = func(args []byte) ([]byte, error) { return expand(it.URI, args) }
	case mcp.NumLists:
	}
	if f.fresh == nil {
		f.fresh = func() *formview.View { return formview.New(form.New(schema), c.host.Screen().Looks) }
	}
	f.Fields = f.fresh()
	return f
}

func namedParams(name string, args []byte) []byte {
	return form.AppendObject(nil, []form.Member{{Name: "name", Value: form.Quote(name)}, {Name: "arguments", Value: args}})
}

// URIParams are the parameters of a request about one resource.
func URIParams(uri string) []byte {
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

// Again opens the form of a call with its arguments in it. It says false where there is
// none for it.
func (c *Composer) Again(d *session.Detail) (cmd tea.Cmd, ok bool) {
	var catalog session.CatalogView
	c.host.View(func(s *session.Session) { catalog = s.Catalog() })
	it, args, _ := called(&catalog, d.Method, d.Params)
	if it.Name == "" && it.URI == "" {
		return nil, false
	}
	f := c.NewForm("again", it)
	if err := f.Fields.Load(args); err != nil {
		return c.host.Say(panel.Error(err)), true
	}
	f.setOptions(d)
	c.host.Push(f)
	return nil, true
}
