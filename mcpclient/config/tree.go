package config

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value and where it stands.
type node struct {
	kind    jsontext.Kind // n f t " 0 { [
	at      position
	text    string // of a string; a number or literal as it was written
	end     int    // offset behind it
	members []member
	elems   []node
}

type member struct {
	name  string
	at    int // offset of the name
	value node
}

// get is the value of a member, which may be missing. A null is as good as
// nothing: editors write it for a field that was emptied.
func (n node) get(name string) (node, bool) {
	i := slices.IndexFunc(n.members, func(m member) bool { return m.name == name })
	if i < 0 || n.members[i].value.kind == 'n' {
		return node{}, false
	}
	return n.members[i].value, true
}

// kindWords name a value in an error.
func (n node) kindWords() string {
	switch n.kind {
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 'n':
		return "null"
	default:
		return n.text
	}
}

// reader reads nodes from a file.
type reader struct {
	file  *File
	plain []byte
	dec   *jsontext.Decoder
}

// parse reads the whole of a file. Of the members at its top it reads those
// that wanted names and skips the others. An empty file is an empty object.
func parse(f *File, wanted ...string) (node, *Error) {
	f.plain = plainJSON(f.text)
	r := &reader{file: f, plain: f.plain}
	r.dec = jsontext.NewDecoder(bytes.NewReader(r.plain))
	top := position{file: f}
	if len(bytes.TrimSpace(r.plain)) == 0 {
		return node{kind: '{', at: top}, nil
	}
	if r.dec.PeekKind() != '{' {
		if _, err := r.dec.ReadValue(); err != nil {
			return node{}, r.explain(err)
		}
		return node{}, top.problem("the file must hold one JSON object: { … }")
	}
	n, err := r.value(top, wanted)
	if err != nil {
		return node{}, r.explain(err)
	}
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return node{}, position{file: f, offset: r.next()}.problem("there is something behind the end of the object")
	}
	return n, nil
}

// next is the offset of the value or name that comes next.
func (r *reader) next() int {
	at := int(r.dec.InputOffset())
	for at < len(r.plain) && strings.IndexByte(" \t\r\n,:", r.plain[at]) >= 0 {
		at++
	}
	return at
}

// deepest is how many brackets may be open around a value whose inside is
// looked at; nothing that belay knows lies deeper.
const deepest = 6

// value reads the value that stands at p. With wanted, members of other names
// are skipped.
func (r *reader) value(p position, wanted []string) (node, error) {
	p.offset = r.next()
	if kind := r.dec.PeekKind(); r.dec.StackDepth() > deepest && (kind == '{' || kind == '[') {
		return node{kind: kind, at: p}, r.dec.SkipValue()
	}
	t, err := r.dec.ReadToken()
	if err != nil {
		return node{}, err
	}
	n := node{kind: t.Kind(), at: p}
	switch n.kind {
	case '{':
		err = r.object(&n, wanted)
	case '[':
		err = r.array(&n)
	default:
		n.text = t.String()
	}
	n.end = int(r.dec.InputOffset())
	return n, err
}

func (r *reader) object(n *node, wanted []string) error {
	for r.dec.PeekKind() != '}' {
		at := r.next()
		t, err := r.dec.ReadToken()
		if err != nil {
			return err
		}
		m := member{name: t.String(), at: at}
		if wanted != nil && !slices.Contains(wanted, m.name) {
			if err := r.dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if m.value, err = r.value(n.at.member(m.name, at), nil); err != nil {
			return err
		}
		n.members = append(n.members, m)
	}
	_, err := r.dec.ReadToken()
	return err
}

func (r *reader) array(n *node) error {
	for i := 0; r.dec.PeekKind() != ']'; i++ {
		v, err := r.value(n.at.element(i, r.next()), nil)
		if err != nil {
			return err
		}
		n.elems = append(n.elems, v)
	}
	_, err := r.dec.ReadToken()
	return err
}

// explain says where the decoder stumbled, in words that show no more of the
// file than one character.
func (r *reader) explain(err error) *Error {
	p := position{file: r.file, offset: int(r.dec.InputOffset())}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return p.problem("this is no JSON")
	}
	p.offset = int(syntax.ByteOffset)
	depth := 0
	for token := range syntax.JSONPointer.Tokens() {
		if depth++; depth > deepest {
			break
		}
		if i, err := strconv.Atoi(token); err == nil {
			p = p.element(i, p.offset)
		} else {
			p = p.member(token, p.offset)
		}
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return p.problem("this key stands there twice; which one counts?")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || p.offset >= len(r.plain) {
		return p.problem("the file ends in the middle of it; a closing bracket or quote is missing")
	}
	if p.offset+1 < len(r.plain) && string(r.plain[p.offset:p.offset+2]) == "/*" {
		return p.problem("this comment does not end")
	}
	words := strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
	if strings.Contains(words, "escape sequence") {
		words = `a backslash in a string is written as \\` // and not quoted: it may be a password's
	}
	return p.problem("this is no JSON: %s", words)
}
