package mcp

import (
	"bytes"
	"cmp"
	"fmt"
	"unicode/utf8"
	"unsafe"

	"belay/session/rawjson"
)

// Limits of a page, so that a hostile list cannot multiply itself in memory: an
// entry takes some forty times the memory of the smallest {"name":""}.
const (
	itemLimit   = 50_000
	sizeLimit   = 32 << 20 // bytes of memory
	brokenLimit = 50
)

// memory is about how many bytes of memory an entry takes that is so long: itself,
// its texts once more, and what belay knows of it.
func memory(entry int) int { return 2*entry + int(unsafe.Sizeof(Item{})) }

// pageReader reads the entries of a list one by one: one that cannot be read is
// named and left out, and the others stay.
type pageReader struct {
	page   ListPage
	entry  int // from 1
	broken int
}

func (r *pageReader) complain(format string, args ...any) {
	if r.broken++; r.broken <= brokenLimit {
		r.page.Broken = append(r.page.Broken, fmt.Sprintf("entry %d ", r.entry)+fmt.Sprintf(format, args...))
	}
}

// listPage reads a page of a list. The page outlives the message, so that they
// share no bytes.
func listPage(kind ListKind, arr []byte) *ListPage {
	r := pageReader{page: ListPage{Kind: kind}}
	kept, cut := withinLimits(arr)
	for e := rawjson.ElementsOf(kept); ; {
		value, ok := e.Next()
		if !ok {
			break
		}
		r.entry++
		r.read(value)
	}
	p := &r.page
	r.entry += cut
	p.Size += len(kept)
	if r.broken > brokenLimit {
		p.Broken = append(p.Broken, fmt.Sprintf("%d more things are broken", r.broken-brokenLimit))
	}
	if cut > 0 {
		p.Broken = append(p.Broken, fmt.Sprintf("the page has %d entries; the last %d are left out", r.entry, cut))
	}
	return p
}

// withinLimits is a copy of as many entries of a page as may be kept, and how many
// are left out.
func withinLimits(arr []byte) (kept []byte, cut int) {
	end, items, size := 1, 0, 0
	for e := rawjson.ElementsOf(arr); ; {
		value, ok := e.Next()
		if !ok {
			break
		}
		if size += len(value); rawjson.Kind(value) == '{' { // others are named and left out
			size += memory(len(value)) - len(value)
			items++
		}
		if cut > 0 || items > itemLimit || size > sizeLimit {
			cut++
			continue
		}
		end = e.End()
	}
	return append(append(make([]byte, 0, end+1), arr[:end]...), ']'), cut
}

// next takes the value of nextCursor, raw. It is sent back as it came, escapes and all, and "" is
// a cursor like any other (SRV-28, SRV-30; server/utilities/pagination); only bytes that belay
// must not send are replaced.
func (p *ListPage) next(value []byte) {
	switch text, ok := rawjson.Text(value); {
	case value == nil || rawjson.Kind(value) == 'n':
	case !ok:
		p.Broken = append(p.Broken, "nextCursor is "+rawjson.KindWords(value)+", not a string; the list may go on")
	case utf8.Valid(value):
		p.Next = bytes.Clone(value)
	default:
		p.Next = rawjson.AppendQuote(nil, text)
	}
}

// read reads one entry. Only what it is called by has to be there; a tool
// without an input schema stays in the list.
func (r *pageReader) read(entry []byte) {
	if rawjson.Kind(entry) != '{' {
		r.complain("is %s", rawjson.KindWords(entry))
		return
	}
	item := Item{Kind: r.page.Kind, Raw: entry}
	var hasName, hasURI bool
	var arguments []byte
	for m := rawjson.MembersOf(entry); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "name":
			item.Name, hasName = rawjson.Text(value)
		case "title":
			item.Title, _ = rawjson.Text(value)
		case "description":
			item.Description, _ = rawjson.Text(value)
		case uriMember[item.Kind]:
			item.URI, hasURI = rawjson.Text(value)
		case "mimeType":
			item.MIME, _ = rawjson.Text(value)
		case "arguments":
			arguments = value
		case "inputSchema":
			item.InputSchema = value
		case "outputSchema":
			if rawjson.Kind(value) != 'n' {
				item.OutputSchema = value
			} else {
				r.complain("has an outputSchema that is null, not an object")
			}
		case "execution":
			support, _ := rawjson.TextAt(value, "taskSupport")
			item.NeedsTask = item.Kind == Tools && support == "required"
			item.TakesTask = item.NeedsTask || item.Kind == Tools && support == "optional"
		case "annotations":
			item.Annotations = rawObject(value)
		}
	}
	if member := uriMember[item.Kind]; member != "" && !hasURI {
		r.complain("has no %s, or one that is no string", member)
		return
	} else if member == "" && !hasName {
		r.complain("has no name, or one that is no string")
		return
	}
	if item.Kind == Tools && item.Annotations != nil {
		title := textMember(item.Annotations, "title")
		if item.Title = cmp.Or(item.Title, title); item.Title != title {
			item.AnnTitle = title
		}
	}
	if item.Kind == Prompts && rawjson.Kind(arguments) == '[' {
		item.Args = r.arguments(item.Name, arguments)
	}
	if is := item.BrokenSchema(); is != "" {
		r.complain("has an inputSchema that is %s, not an object", is)
	}
	if item.Kind == Tools {
		item.Mirrors, item.Unfit = mirrorsOf(item.InputSchema)
		for i := range item.Mirrors {
			if item.Mirrors[i].Secret {
				item.Secrets++
			}
		}
	}
	r.page.Items = append(r.page.Items, item)
	r.page.Size += item.memory()
}

// uriMember is the member that names entries of lists without names to call
// them by.
var uriMember = [NumLists]string{Resources: "uri", Templates: "uriTemplate"}

// rawObject is the raw value when it is an object, else nil.
func rawObject(value []byte) []byte {
	if rawjson.Kind(value) != '{' {
		return nil
	}
	return value
}

// textMember is the text of a member of obj; empty when it has none.
func textMember(obj []byte, name string) (s string) {
	for m := rawjson.MembersOf(obj); ; {
		n, value, ok := m.Next()
		if !ok {
			return s
		}
		if string(n) == name {
			s, _ = rawjson.Text(value)
		}
	}
}

func (r *pageReader) arguments(prompt string, arr []byte) (args []PromptArg) {
	n := 0
	for e := rawjson.ElementsOf(arr); ; {
		value, ok := e.Next()
		if !ok {
			return args
		}
		n++
		var a PromptArg
		hasName := false
		if rawjson.Kind(value) == '{' {
			for m := rawjson.MembersOf(value); ; {
				name, v, ok := m.Next()
				if !ok {
					break
				}
				switch string(name) {
				case "name":
					a.Name, hasName = rawjson.Text(v)
				case "title":
					a.Title, _ = rawjson.Text(v)
				case "description":
					a.Description, _ = rawjson.Text(v)
				case "required":
					a.Required = rawjson.Kind(v) == 't'
				}
			}
		}
		switch {
		case !hasName:
			r.complain("(%s) has an argument without a proper name, number %d", rawjson.Excerpt([]byte(prompt)), n)
		case len(args) < itemLimit:
			args = append(args, a)
		}
	}
}
