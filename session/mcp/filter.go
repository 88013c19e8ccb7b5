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
// lists, updates of resources, and the states of tasks (the extension
// io.modelcontextprotocol/tasks). What it does not name does not come.
type Filter struct {
	Tools, Prompts, Resources bool // changes of these lists
	URIs                      []string
	Tasks                     []string `json:",omitempty"` // their IDs
}

// Words are what the filter asks for, one thing each. URIs and IDs are foreign text.
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
	words = append(words, f.URIs...)
	for _, id := range f.Tasks {
		words = append(words, "task "+id)
	}
	return words
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
		case filterTasks:
			f.Tasks = rawjson.Texts(value, MaxParts)
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
		case filterURIs, filterTasks:
			if wrong := wrongTexts(value); wrong != "" {
				return f, string(name) + " " + wrong
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

// AsksFor reports whether a notification about a resource or a task, or about neither, is
// of a kind that the filter names.
func (f Filter) AsksFor(method, about string) bool {
	switch method {
	case "notifications/tools/list_changed":
		return f.Tools
	case "notifications/prompts/list_changed":
		return f.Prompts
	case "notifications/resources/list_changed":
		return f.Resources
	case methodTaskNote:
		return slices.Contains(f.Tasks, about)
	}
	return slices.ContainsFunc(f.URIs, func(of string) bool { return IsWithin(about, of) })
}

// Without is what f asks for and other does not.
func (f Filter) Without(other Filter) Filter {
	f.Tools, f.Prompts, f.Resources = f.Tools && !other.Tools, f.Prompts && !other.Prompts, f.Resources && !other.Resources
	f.URIs = without(f.URIs, other.URIs)
	f.Tasks = without(f.Tasks, other.Tasks)
	return f
}

func without(list, other []string) []string {
	if len(list) == 0 {
		return nil
	}
	has := make(map[string]bool, len(other))
	for _, s := range other {
		has[s] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return has[s] })
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
	list := func(texts []string, name string) {
		if len(texts) == 0 {
			return
		}
		quoted := make([]string, len(texts))
		for i, s := range texts {
			quoted[i] = string(rawjson.AppendQuote(nil, s))
		}
		members = append(members, `"`+name+`":[`+strings.Join(quoted, ",")+`]`)
	}
	list(f.URIs, filterURIs)
	list(f.Tasks, filterTasks)
	return []byte(`{"notifications":{` + strings.Join(members, ",") + `}}`)
}

// The members of a filter on the wire.
const (
	filterTools     = "toolsListChanged"
	filterPrompts   = "promptsListChanged"
	filterResources = "resourcesListChanged"
	filterURIs      = "resourceSubscriptions"
	filterTasks     = "taskIds"
)

// methodTaskNote is the notification of the extension io.modelcontextprotocol/tasks.
const methodTaskNote = "notifications/tasks"

// IsWithin reports whether an update of uri is one of the resource that was subscribed to: it may
// name a part of it (SUB-19; basic/patterns/subscriptions).
func IsWithin(uri, of string) bool {
	rest, ok := strings.CutPrefix(uri, of)
	return ok && (rest == "" || strings.HasSuffix(of, "/") || strings.ContainsRune("/?#", rune(rest[0])))
}
