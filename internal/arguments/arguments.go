// Package arguments makes the arguments of a call from the words of a command line: k=v,
// each typed by the schema of the tool, beside an object that was written as JSON; and
// names what is wrong with them before anything is sent.
package arguments

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"belay/internal/form"
	"belay/session/mcp"
)

// Fault is what is wrong with an argument. Where is empty for the arguments as a whole.
// Both may quote the schema, which is foreign text.
type Fault struct{ Where, Why string }

func (f Fault) String() string {
	if f.Where == "" {
		return f.Why
	}
	return f.Where + ": " + f.Why
}

// Build makes the arguments of a tool with this input schema, nil where it has none. Words
// are k=v. Whole is a JSON object or nil; a word takes the place of its member. With
// faults nothing is to be sent.
//
// A value is read as the schema of its property has it: text stays as it is where text is
// wanted; one of several options is that option; a number, true or false, a list and an
// object are JSON. Where the schema allows several types, or does not say, a value that
// is JSON is taken as that, and any other one as text.
func Build(ctx context.Context, schema []byte, words []string, whole []byte) ([]byte, []Fault) {
	members, err := form.ParseObject(whole)
	if err != nil {
		return nil, []Fault{{"--json", err.Error()}}
	}
	root := form.New(form.ParseSchema(schema)).Root.Type
	given := map[string]bool{}
	unread := map[string]bool{} // what is quoted there is no value of its type, which is named already
	var faults []Fault
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		switch {
		case !ok || name == "":
			faults = append(faults, Fault{"--arg " + w, "NAME=VALUE is wanted"})
			continue
		case given[name]:
			faults = append(faults, Fault{quoted(name), "it is given twice; a list is written as JSON: --arg '" + name + "=[…]'"})
			continue
		}
		given[name] = true
		value, why := typed(typeOf(root, name), text)
		if why != "" {
			faults, unread[quoted(name)] = append(faults, Fault{quoted(name), why}), true
			value = form.Quote(text)
		}
		members = put(members, name, value)
	}
	out := form.AppendObject(nil, members)
	broken := Check(ctx, schema, out)
	if len(faults) == 0 {
		return out, broken
	}
	for _, f := range broken {
		if !unread[f.Where] {
			faults = append(faults, f)
		}
	}
	return nil, faults
}

// Check names what is wrong with arguments by the schema of their tool. What cannot be
// checked is no fault: the server may judge it.
func Check(ctx context.Context, schema, arguments []byte) (faults []Fault) {
	if len(bytes.TrimSpace(schema)) == 0 || schema[0] != '{' {
		return nil
	}
	r := form.Check(ctx, schema, arguments)
	for _, f := range r.Findings {
		faults = append(faults, Fault{f.Where, f.Why})
	}
	if r.More {
		faults = append(faults, Fault{"", "there may be other faults"})
	}
	return faults
}

func typeOf(root *form.Type, name string) *form.Type {
	for i := range root.Props {
		if root.Props[i].Name == name {
			return root.Props[i].Type()
		}
	}
	return &form.Type{Kind: form.JSON}
}

// typed is a text as a value of its type, or says why it is none.
func typed(t *form.Type, text string) (value []byte, why string) {
	raw := []byte(strings.TrimSpace(text))
	isJSON := mcp.IsWellFormed(raw)
	switch t.Kind {
	case form.Text:
		return form.Quote(text), ""
	case form.Choice:
		return option(t, text, raw), ""
	case form.Number, form.Integer:
		if !isJSON {
			return nil, fmt.Sprintf("a number is wanted, not %q", text)
		}
	case form.List, form.Many:
		if !isJSON {
			return nil, `a list is wanted, as JSON: ["…"]`
		}
	case form.Object:
		if !isJSON {
			return nil, `an object is wanted, as JSON: {"…": …}`
		}
	case form.Variant, form.JSON:
		if !isJSON {
			return form.Quote(text), ""
		}
	}
	return raw, ""
}

// option is the option that a text names, by its value or by its JSON.
func option(t *form.Type, text string, raw []byte) []byte {
	asText := form.Quote(text)
	for _, o := range t.Options {
		if bytes.Equal(o.Value, asText) {
			return asText
		}
	}
	for _, o := range t.Options {
		if bytes.Equal(o.Value, raw) {
			return raw
		}
	}
	return asText // which the schema does not allow, and the check says so
}

func quoted(name string) string { return string(form.Quote(name)) }

func put(members []form.Member, name string, value []byte) []form.Member {
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
			return members
		}
	}
	return append(members, form.Member{Name: name, Value: value})
}
