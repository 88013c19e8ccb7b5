package mcp

import (
	"iter"
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
func (f Filter) Words() []string { return slices.Collect(f.All()) }

// All are the words of the filter, made one by one: a filter of a server's has up to [MaxParts] URIs, of any
// length.
func (f Filter) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, word := range listWords {
			if f.lists()[i] && !yield(word) {
				return
			}
		}
		for _, uri := range f.URIs {
			if !yield(uri) {
				return
			}
		}
		for _, id := range f.Tasks {
			if !yield("task " + id[:min(len(id), MaxTaskID)]) { // a longer one is none that can be used
				return
			}
		}
	}
}

// Count is how many things the filter asks for.
func (f Filter) Count() (n int) {
	for _, is := range f.lists() {
		if is {
			n++
		}
	}
	return n + len(f.URIs) + len(f.Tasks)
}

// listWords are the words of the lists of which a filter names the changes.
var listWords = [...]string{"tools", "prompts", "resources"}

func (f Filter) lists() [len(listWords)]bool {
	return [...]bool{f.Tools, f.Prompts, f.Resources}
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
	f.URIs = sifted(f.URIs, other.URIs, false)
	f.Tasks = sifted(f.Tasks, other.Tasks, false)
	return f
}

// Within is what both f and other ask for.
func (f Filter) Within(other Filter) Filter {
	f.Tools, f.Prompts, f.Resources = f.Tools && other.Tools, f.Prompts && other.Prompts, f.Resources && other.Resources
	f.URIs = sifted(f.URIs, other.URIs, true)
	f.Tasks = sifted(f.Tasks, other.Tasks, true)
	return f
}

// sifted is a list with those texts alone that another one has, or has not.
func sifted(list, other []string, has bool) (kept []string) {
	if len(list) == 0 {
		return nil
	}
	others := make(map[string]bool, len(other))
	for _, s := range other {
		others[s] = true
	}
	for _, s := range list {
		if others[s] == has {
			kept = append(kept, s)
		}
	}
	return kept
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
