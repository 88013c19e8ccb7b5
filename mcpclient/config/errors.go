package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Error is something wrong in a config file. It holds no value of the file but
// the names of keys, servers and variables.
type Error struct {
	File    string
	Line    int    // from 1; 0 when it is about the file as a whole
	Column  int    // from 1, in bytes
	Key     string // such as mcpServers.files.args[1]; empty at the top
	Problem string // what is wrong and what to do, without a full stop
}

// Error is FILE:LINE:COLUMN: KEY: PROBLEM, which editors know how to open.
func (e *Error) Error() string {
	if e.Line == 0 {
		return pathWords(e.File) + ": " + e.Where()
	}
	return pathWords(e.File) + ":" + e.Where()
}

// Where is the error without the name of the file.
func (e *Error) Where() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:%d: ", e.Line, e.Column)
	}
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Problem)
	return b.String()
}

// position is where in a file something stands.
type position struct {
	file   *File
	offset int
	key    string
}

// problem makes an error about what stands there.
func (p position) problem(format string, args ...any) *Error {
	e := &Error{File: p.file.Path, Key: p.key, Problem: fmt.Sprintf(format, args...)}
	e.Line, e.Column = p.file.lineColumn(p.offset)
	return e
}

// member is the position of a member of the object that stands at p.
func (p position) member(name string, offset int) position {
	step := name
	if !plainKey().MatchString(name) {
		step = strconv.Quote(name)
	}
	if p.key != "" {
		step = p.key + "." + step
	}
	return position{p.file, offset, step}
}

// element is the position of an element of the array that stands at p.
func (p position) element(i, offset int) position {
	return position{p.file, offset, fmt.Sprintf("%s[%d]", p.key, i)}
}

// plainKey is a key that stands in a path without quotes. Most starts read no file:
// the letters of all scripts are many, and are put together when they are needed.
var plainKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\p{L}\p{N}_@/-]+$`) })

// lineColumn finds an offset again; both count from 1, columns in bytes.
func (f *File) lineColumn(offset int) (line, column int) {
	if f.ends == nil {
		f.ends = []int{-1}
		for i, c := range f.text {
			if c == '\n' {
				f.ends = append(f.ends, i)
			}
		}
	}
	line, _ = slices.BinarySearch(f.ends, offset)
	return line, offset - f.ends[line-1]
}

// pathWords is a path as it may stand among other words: quoted if anything in
// it could be taken for something else.
func pathWords(path string) string {
	if q := strconv.Quote(path); strings.ReplaceAll(q[1:len(q)-1], `\\`, `\`) != path {
		return q
	}
	return path
}
