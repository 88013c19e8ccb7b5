package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"belay/internal/nearest"
	"belay/mcpclient/reason"
	"belay/mcpclient/settings"
)

// maxFile is the longest config file that is read, in bytes.
const maxFile = 4 << 20

// File is one config file, read.
type File struct {
	Place
	Servers []*Server // in the file's order
	Inputs  []Input

	text  []byte
	plain []byte // text as JSON, byte for byte at the same offsets
	ends  []int  // offsets of the ends of lines, the first at -1; made when needed
}

// Read reads the file of a place. A file that is not there is an
// [fs.ErrNotExist]; everything else that is wrong with the file as a whole is
// an [*Error]. What is wrong with one entry is in that entry.
func Read(p Place) (*File, error) {
	text, err := readText(p.Path)
	if err != nil {
		return nil, err
	}
	return Parse(p, text)
}

// readText reads a file that is no longer than maxFile.
func readText(path string) ([]byte, error) {
	fail := func(format string, args ...any) ([]byte, error) {
		return nil, &Error{File: path, Problem: fmt.Sprintf(format, args...)}
	}
	f, err := settings.Open(path, os.O_RDONLY)
	var odd *settings.IrregularError
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, fmt.Errorf("%s: %w", pathWords(path), fs.ErrNotExist)
	case errors.As(err, &odd):
		return fail("it is no regular file, but %s", odd.What())
	case err != nil:
		return fail("it cannot be read: %s", reason.Of(err))
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return fail("it cannot be read: %s", reason.Of(err))
	case len(text) > maxFile:
		return fail("it is longer than %d MiB", maxFile>>20)
	}
	return text, nil
}

// Parse is [Read] for the text of a file. The error is an [*Error] or nil.
func Parse(p Place, text []byte) (*File, error) {
	f := &File{Place: p, text: text}
	if len(text) > 1 && (text[0] == 0xff && text[1] == 0xfe || text[0] == 0xfe && text[1] == 0xff) {
		return nil, position{file: f}.problem("the file is UTF-16; save it as UTF-8")
	}
	top, problem := parse(f, "servers", "mcpServers", "inputs")
	if problem != nil {
		return nil, problem
	}
	if inputs, ok := top.get("inputs"); ok {
		if f.Inputs, problem = readInputs(inputs); problem != nil {
			return nil, problem
		}
	}
	named := map[string]bool{}
	for _, m := range top.members {
		if m.name == "inputs" || m.value.kind == 'n' {
			continue
		}
		if m.value.kind != '{' {
			return nil, m.value.at.problem("this is %s; it must be an object: {\"NAME\": { … }}", m.value.kindWords())
		}
		for _, entry := range m.value.members {
			s := readServer(f, entry)
			if named[s.Name] {
				return nil, s.at.problem("a server of this name stands in the file already")
			}
			named[s.Name] = true
			f.Servers = append(f.Servers, s)
		}
	}
	return f, nil
}

// entry reads the members of one server, and keeps the first problem.
type entry struct {
	node
	err *Error
}

func readServer(f *File, m member) *Server {
	s := &Server{Name: m.name, File: f, at: m.value.at}
	s.raw = f.plain[m.value.at.offset:m.value.end]
	s.at.offset = m.at
	e := entry{node: m.value}
	if e.kind != '{' {
		s.Err = e.at.problem("this is %s; an entry is an object: { … }", e.kindWords())
		return s
	}
	if s.Name == "" {
		e.fail(s.at.problem("the server has no name"))
	}
	s.Ignored = e.ignored()
	s.Command, s.Args = e.string("command"), e.strings("args")
	s.Env = e.pairs("env", checkEnvName, (*entry).written)
	s.EnvFile, s.Dir = e.string("envFile"), e.string("cwd")
	s.URL, s.Headers = e.string("url"), e.pairs("headers", checkHeaderName, (*entry).field)
	s.Disabled = e.bool("disabled")
	kind := e.string("type")
	s.Transport = e.transport(kind, s)
	if s.Err = e.err; s.Err != nil {
		s.Transport = 0
	}
	return s
}

// serverKeys are the keys of an entry that belay knows.
var serverKeys = []string{"type", "command", "args", "env", "envFile", "cwd", "url", "headers", "disabled"}

// ignored are the other keys of the entry.
func (e *entry) ignored() []Ignored {
	const typo = 2 // characters
	var out []Ignored
	for _, m := range e.members {
		if slices.Contains(serverKeys, m.name) {
			continue
		}
		ignored := Ignored{Name: m.name}
		for _, key := range serverKeys {
			if nearest.Distance(strings.ToLower(m.name), strings.ToLower(key)) <= min(typo, len(key)/2) {
				ignored.Near = key
				break
			}
		}
		out = append(out, ignored)
	}
	return out
}

func (e *entry) fail(err *Error) {
	if e.err == nil {
		e.err = err
	}
}

// transport finds out from type, command and url what kind of entry it is.
func (e *entry) transport(kind Value, s *Server) Transport {
	byType := map[string]Transport{
		"stdio": Stdio, "local": Stdio, "http": HTTP, "streamable-http": HTTP, "streamableHttp": HTTP, "sse": SSE,
	}
	t, known := byType[kind.Raw]
	switch {
	case kind.Raw != "" && !known && byType[strings.ToLower(kind.Raw)] != 0:
		e.fail(kind.at.problem("%q is no transport that belay knows; did you mean %q?", kind.Raw, strings.ToLower(kind.Raw)))
	case kind.Raw != "" && !known:
		e.fail(kind.at.problem("%q is no transport that belay knows: stdio, http, sse", kind.Raw))
	case t == Stdio && s.Command.Raw == "", t == 0 && s.Command.Raw == "" && s.URL.Raw == "":
		what := "it has neither a command nor a url"
		if t == Stdio {
			what = "it has no command"
		}
		if c := s.Command.at; c.file != nil {
			e.fail(c.problem("the command is empty"))
		}
		if len(s.Ignored) > 0 {
			what += fmt.Sprintf(", and belay does not know %q", s.Ignored[0].Name)
		}
		e.fail(s.at.problem("%s", what))
	case t != Stdio && t != 0 && s.URL.Raw == "":
		e.fail(s.at.problem("it has no url"))
	case t == 0 && s.Command.Raw != "" && s.URL.Raw != "":
		e.fail(s.at.problem(`it has a command and a url; say which with "type": "stdio" or "http"`))
	case t == 0 && s.Command.Raw != "":
		t = Stdio
	case t == 0:
		t = HTTP
	}
	if t == HTTP || t == SSE {
		e.checkURL(s.URL)
	}
	return t
}

// checkURL looks at an address as far as it is known before ${…} is put in.
func (e *entry) checkURL(v Value) {
	if v.Raw == "" || strings.Contains(v.Raw, "${") {
		return
	}
	u, err := url.Parse(v.Raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		e.fail(v.at.problem("this is no address of the form https://host/path"))
	}
}

// string reads a member that is a text. A zero position says that it is not
// there.
func (e *entry) string(name string) Value {
	n, ok := e.get(name)
	if !ok {
		return Value{}
	}
	return e.text(n)
}

// bool reads a member that is true or false; a missing member is false.
func (e *entry) bool(name string) bool {
	n, ok := e.get(name)
	if ok && n.kind != 't' && n.kind != 'f' && n.kind != 'n' {
		e.fail(n.at.problem("this is %s; it must be true or false", n.kindWords()))
	}
	return ok && n.kind == 't'
}

// text reads a node that is a text.
func (e *entry) text(n node) Value {
	switch {
	case n.kind != '"':
		e.fail(n.at.problem("this is %s; it must be a string", n.kindWords()))
	case strings.ContainsRune(n.text, 0):
		e.fail(n.at.problem("this holds a NUL character, which no program can be given"))
	default:
		return Value{n.text, n.at}
	}
	return Value{}
}

func (e *entry) strings(name string) []Value {
	list, ok := e.get(name)
	if !ok {
		return nil
	}
	if list.kind != '[' {
		e.fail(list.at.problem(`this is %s; it must be an array of strings: ["one", "two"]`, list.kindWords()))
	}
	var out []Value
	for _, n := range list.elems {
		out = append(out, e.text(n))
	}
	return out
}

// pairs reads an object of texts, each value with read.
func (e *entry) pairs(name string, check func(string) string, read func(*entry, node) Value) []Pair {
	object, ok := e.get(name)
	if !ok {
		return nil
	}
	if object.kind != '{' {
		e.fail(object.at.problem(`this is %s; it must be an object: {"NAME": "value"}`, object.kindWords()))
	}
	var out []Pair
	for _, m := range object.members {
		same := func(p Pair) bool { return strings.EqualFold(p.Name, m.name) }
		if name == "headers" && slices.ContainsFunc(out, same) {
			e.fail(m.value.at.problem("this header stands there already: case does not count; which one does?"))
		}
		if wrong := check(m.name); wrong != "" {
			e.fail(m.value.at.problem("%s", wrong))
		}
		out = append(out, Pair{m.name, read(e, m.value)})
	}
	return out
}

// written reads a text. Numbers and booleans count as what they are written as:
// people write ports so.
func (e *entry) written(n node) Value {
	if n.kind == '0' || n.kind == 't' || n.kind == 'f' {
		return Value{n.text, n.at}
	}
	return e.text(n)
}

// field reads the value of a header field.
func (e *entry) field(n node) Value {
	v := e.text(n)
	if strings.ContainsFunc(v.Raw, isControl) {
		e.fail(n.at.problem(controlWords))
	}
	return v
}

// isControl reports whether no header field can hold a character (RFC 9110, section
// 5.5).
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

const controlWords = "this holds control characters, which no header field can hold"

func checkEnvName(name string) string {
	if name == "" || strings.ContainsAny(name, "=\x00") {
		return "this is no name of a variable"
	}
	return ""
}

func checkHeaderName(name string) string {
	if !headerName().MatchString(name) {
		return "this is no name of a header"
	}
	return ""
}

// headerName is a token of RFC 9110, section 5.6.2.
var headerName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$") })
