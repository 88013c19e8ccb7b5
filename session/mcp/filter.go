package mcp

import (
	"slices"
	"strings"

	"belay/session/rawjson"
)

// Tells reports whether the changes of a list are among what the filter names.
func (f Filter) Tells(k ListKind) bool {
	return [NumLists]bool{Tools: f.Tools, Prompts: f.Prompts, Resources: f.Resources, Templates: f.Resources}[k]
}

// Filter is what a subscription of the modern era is to bring: changes of
// lists, and updates of resources. What it does not name does not come.
type Filter struct {
	Tools, Prompts, Resources bool // changes of these lists
	URIs                      []string
}

// Words are what the filter asks for, one thing each. URIs are foreign text.
func (f Filter) Words() []string {
	var words []string
	for _, l := range []struct {
		in   bool
		word string
	}{{f.Tools, "tools"}, {f.Prompts, "prompts"}, {f.Resources, "resources"}} {
		if l.in {
			words = append(words, l.word)
		}
	}
	return append(words, f.URIs...)
}

// FilterAt reads the filter in the member notifications of parameters.
func FilterAt(params []byte) (f Filter) {
	obj := rawjson.At(params, "notifications")
	if rawjson.Kind(obj) != '{' {
		return f
	}
	for m := rawjson.MembersOf(obj); ; {
		name, value, ok := m.Next()
		if !ok {
			return f
		}
		yes := rawjson.Kind(value) == 't'
		switch string(name) {
		case filterTools:
			f.Tools = yes
		case filterPrompts:
			f.Prompts = yes
		case filterResources:
			f.Resources = yes
		case filterURIs:
			f.URIs = rawjson.Texts(value, MaxParts)
		}
	}
}

// agreedAt reads the filter of an acknowledgement, and says what is wrong with
// it: then nothing is known of what was agreed to.
func agreedAt(params []byte) (f Filter, wrong string) {
	obj := rawjson.At(params, "notifications")
	switch {
	case len(obj) == 0:
		return f, "notifications is missing"
	case rawjson.Kind(obj) != '{':
		return f, "notifications is " + rawjson.KindWords(obj) + ", not an object"
	}
	for m := rawjson.MembersOf(obj); ; {
		name, value, ok := m.Next()
		if !ok {
			return FilterAt(params), ""
		}
		switch string(name) {
		case filterTools, filterPrompts, filterResources:
			if k := rawjson.Kind(value); k != 't' && k != 'f' {
				return f, string(name) + " is " + rawjson.KindWords(value) + ", not true or false"
			}
		case filterURIs:
			if wrong := wrongTexts(value); wrong != "" {
				return f, filterURIs + " " + wrong
			}
		}
	}
}

// wrongTexts says why a value is no list of strings.
func wrongTexts(value []byte) string {
	if rawjson.Kind(value) != '[' {
		return "is " + rawjson.KindWords(value) + ", not a list"
	}
	for e := rawjson.ElementsOf(value); ; {
		v, ok := e.Next()
		switch {
		case !ok:
			return ""
		case rawjson.Kind(v) != '"':
			return "holds " + rawjson.KindWords(v) + ", not only strings"
		}
	}
}

// AsksFor reports whether a notification is of a kind that the filter names.
func (f Filter) AsksFor(method, uri string) bool {
	switch method {
	case "notifications/tools/list_changed":
		return f.Tools
	case "notifications/prompts/list_changed":
		return f.Prompts
	case "notifications/resources/list_changed":
		return f.Resources
	}
	return slices.ContainsFunc(f.URIs, func(of string) bool { return Within(uri, of) })
}

// Without is what f asks for and other does not.
func (f Filter) Without(other Filter) Filter {
	f.Tools, f.Prompts, f.Resources = f.Tools && !other.Tools, f.Prompts && !other.Prompts, f.Resources && !other.Resources
	f.URIs = slices.DeleteFunc(slices.Clone(f.URIs), func(uri string) bool { return slices.Contains(other.URIs, uri) })
	return f
}

// Params are the parameters of a subscriptions/listen with this filter.
func (f Filter) Params() []byte {
	var members []string
	add := func(wanted bool, name string) {
		if wanted {
			members = append(members, `"`+name+`":true`)
		}
	}
	add(f.Tools, filterTools)
	add(f.Prompts, filterPrompts)
	add(f.Resources, filterResources)
	if len(f.URIs) > 0 {
		uris := make([]string, len(f.URIs))
		for i, uri := range f.URIs {
			uris[i] = string(rawjson.AppendQuote(nil, uri))
		}
		members = append(members, `"`+filterURIs+`":[`+strings.Join(uris, ",")+`]`)
	}
	return []byte(`{"notifications":{` + strings.Join(members, ",") + `}}`)
}

const filterTools = "toolsListChanged"

const filterPrompts = "promptsListChanged"

const filterResources = "resourcesListChanged"

// The members of a filter on the wire.
const (
	filterURIs = "resourceSubscriptions"
)

// Within reports whether an update of uri is one of the resource that was
// subscribed to: it may name a part of it (SUB-19).
func Within(uri, of string) bool {
	rest, ok := strings.CutPrefix(uri, of)
	return ok && (rest == "" || strings.HasSuffix(of, "/") || strings.ContainsRune("/?#", rune(rest[0])))
}
