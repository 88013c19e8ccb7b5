package mcp

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// InitializeResult is the answer to initialize, decoded outside the lock.
// Missing names the needed members that are absent or of the wrong type.
type InitializeResult struct {
	Version      string
	Capabilities []byte
	Has          Capabilities
	Name, Title  string
	ServerVer    string
	Instructions string
	Missing      []string
}

// ListKind is which of the server's lists a page belongs to.
type ListKind uint8

// The lists of a server.
const (
	Tools ListKind = iota
	Prompts
	Resources
	Templates
	NumLists
)

var listMethods = [NumLists]string{
	Tools: "tools/list", Prompts: "prompts/list", Resources: "resources/list", Templates: "resources/templates/list",
}

// Method is the request that fetches the list.
func (k ListKind) Method() string { return listMethods[k] }

func (k ListKind) String() string { return listNames[k] }

var listNames = [NumLists]string{Tools: "tools", Prompts: "prompts", Resources: "resources", Templates: "templates"}

// ListKinds reads the names of lists, with blanks between them. No name gives no list; the
// error quotes a name that no list has.
func ListKinds(names string) (kinds []ListKind, err error) {
	for name := range strings.FieldsSeq(names) {
		k := slices.Index(listNames[:], name)
		if k < 0 {
			return nil, fmt.Errorf("%s is no list; there are %s", sentence.Quoted(sentence.Clip(name)), strings.Join(listNames[:], ", "))
		}
		kinds = append(kinds, ListKind(k))
	}
	return kinds, nil
}

// MarshalText implements [encoding.TextMarshaler].
func (k ListKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *ListKind) UnmarshalText(name []byte) error {
	kinds, err := ListKinds(string(name))
	switch {
	case err != nil:
		return err
	case len(kinds) != 1:
		return fmt.Errorf("%q names %d lists", name, len(kinds))
	}
	*k = kinds[0]
	return nil
}

// ListPage is one page of a list, decoded outside the lock.
type ListPage struct {
	Kind   ListKind
	Items  []Item
	Next   []byte   // the cursor of the next page, as the server wrote it in JSON; nil: there is none
	Broken []string // what was wrong with entries that could not be read
	Size   int      // bytes of memory that the items take
}

// Item is a tool, a prompt, a resource or a resource template as the server
// describes it. All of it is foreign text. Items are never changed after they
// were decoded, so copies may share their slices.
type Item struct {
	Kind        ListKind
	Name        string // of a resource: its name; of a tool or prompt: what it is called by
	Title       string // its own, or else that of its annotations
	AnnTitle    string // tools: that of its annotations, where that is another one
	Description string
	URI         string // resources; the URI template of templates
	MIME        string
	Args        []PromptArg // prompts
	InputSchema []byte      // tools; raw JSON of whatever kind, nil when missing
	Annotations []byte      // raw JSON, nil when missing
	Mirrors     []Mirror    // tools: what goes out in the head of a call, too; nil where there is none
	Unfit       string      // tools: why it cannot be called over HTTP; may hold foreign text
	NameFault   string      // tools: the rule that the name breaks, in words to put behind it; empty: none
	NeedsTask   bool        // tools: the server takes a call of it only as a task, …
	TakesTask   bool        // … or also as one
	Secrets     uint8       // how many of the mirrors are secret
	Twin, Twins int         // tools: which of how many of the same name; zero: the only one
	Raw         []byte      // the whole entry

	OutputSchema []byte // tools; raw JSON of whatever kind, nil when missing
}

// memory is how many bytes of memory the item takes besides Raw, of which its raw
// members are parts.
func (it *Item) memory() int {
	n := int(unsafe.Sizeof(*it)) + len(it.Name) + len(it.Title) + len(it.AnnTitle) + len(it.Description) + len(it.URI) + len(it.MIME) + len(it.Unfit)
	for _, a := range it.Args {
		n += int(unsafe.Sizeof(a)) + len(a.Name) + len(a.Title) + len(a.Description)
	}
	for _, m := range it.Mirrors {
		n += int(unsafe.Sizeof(m)) + len(m.Header)
		for _, step := range m.Path {
			n += int(unsafe.Sizeof(step)) + len(step)
		}
	}
	return n
}

// BrokenSchema says what the input schema of a tool is when it is no object, as
// the protocol demands: "null". It is empty when the schema is one, or missing.
func (it *Item) BrokenSchema() string {
	if it.Kind != Tools || it.InputSchema == nil || rawjson.Kind(it.InputSchema) == '{' {
		return ""
	}
	return rawjson.KindWords(it.InputSchema)
}

// PromptArg is an argument of a prompt.
type PromptArg struct {
	Name, Title, Description string
	Required                 bool
}

// Changes are the lists of whose changes a server declares that it tells.
func (c Capabilities) Changes() Filter {
	return Filter{Tools: c.ToolsChanged, Prompts: c.PromptsChanged, Resources: c.ResourcesChanged}
}

// Capabilities are the server's capabilities that belay acts on.
type Capabilities struct {
	Tools, ToolsChanged         bool
	Prompts, PromptsChanged     bool
	Resources, ResourcesChanged bool
	Subscribe                   bool
	Logging                     bool
	Completions                 bool
	Tasks                       bool // tasks of 2025-11-25; …
	TaskLists, TaskCancels      bool // … tasks/list and tasks/cancel
	TaskCalls                   bool // … and calls of tools
	TaskExtension               bool // tasks of 2026-07-28, as an extension
}

// ServerInfo is what the server says about itself. Foreign text throughout.
type ServerInfo struct {
	Name, Title, Version string
	Claimed              bool // an answer's _meta says so, without a handshake (VER-46; basic)
	Instructions         string
	Capabilities         []byte // raw JSON
	Has                  Capabilities
	Unsaid               bool // it never said what it can do; Has is what it is asked for all the same
}
