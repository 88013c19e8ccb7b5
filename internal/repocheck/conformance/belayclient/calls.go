package main

import (
	"belay/internal/form"
	"belay/internal/repocheck/conformance/hint"
	"belay/session"
	"belay/session/mcp"
)

// callsFor returns the calls that a scenario names, or else one call for each
// listed item that needs no knowledge of its arguments.
func callsFor(catalog session.CatalogView, h hint.Hints) (calls []session.CallSpec) {
	for _, c := range h.ToolCalls {
		calls = append(calls, session.CallSpec{Method: "tools/call", Params: named(c.Name, c.Arguments)})
	}
	if calls == nil {
		for _, t := range catalog.Lists[mcp.Tools].Items {
			f := form.New(form.ParseSchema(t.InputSchema).For(form.Arguments))
			calls = append(calls, session.CallSpec{Method: "tools/call", Params: named(t.Name, filled(f))})
		}
	}
	for _, r := range catalog.Lists[mcp.Resources].Items {
		params := form.AppendObject(nil, []form.Member{{Name: "uri", Value: form.Quote(r.URI)}})
		calls = append(calls, session.CallSpec{Method: "resources/read", Params: params})
	}
	for _, p := range catalog.Lists[mcp.Prompts].Items {
		var fields []form.TextField
		for _, a := range p.Args {
			fields = append(fields, form.TextField{Name: a.Name, Required: a.Required})
		}
		f := form.New(form.Texts(fields))
		calls = append(calls, session.CallSpec{Method: "prompts/get", Params: named(p.Name, filled(f))})
	}
	return calls
}

func named(name string, args []byte) []byte {
	return form.AppendObject(nil, []form.Member{{Name: "name", Value: form.Quote(name)}, {Name: "arguments", Value: args}})
}

// filled is what a form means as it opens, with something in each field that
// cannot stay empty.
func filled(f *form.Form) []byte {
	const most = 1000
	for range most {
		n, _ := f.Problem()
		if n == nil {
			break
		}
		switch n.Kind {
		case form.Text:
			n.Input.Set("text")
			n.Typed()
		case form.Number, form.Integer:
			n.Input.Set("1")
			n.Typed()
		case form.JSON:
			n.Input.Set("{}")
			n.Typed()
		case form.Choice, form.Variant:
			n.Turn(1)
		case form.Many:
			n.Toggle()
		case form.List, form.Object:
			n.Open()
		}
	}
	return f.JSON()
}
