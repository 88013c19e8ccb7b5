package config

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"belay/internal/nearest"
)

// Collection is what the files of several places hold.
type Collection struct {
	places []Place
	found  []found // the nearest first
}

// found is a file that is there, readable or not.
type found struct {
	file *File
	err  error
}

// Gather reads the files of the places, the nearest first. What is not there is
// passed over.
func Gather(places []Place) *Collection {
	c := &Collection{places: places}
	for _, p := range places {
		f, err := Read(p)
		if !errors.Is(err, fs.ErrNotExist) {
			c.found = append(c.found, found{f, err})
		}
	}
	return c
}

// Servers lists the entries of all files, the nearest file first. Of entries
// with the same name only the nearest is in it.
func (c *Collection) Servers() []*Server {
	var out []*Server
	seen := map[string]bool{}
	for _, f := range c.found {
		if f.err != nil {
			continue
		}
		for _, s := range f.file.Servers {
			if !seen[s.Name] {
				seen[s.Name] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// Failed are the errors of the files that could not be read.
func (c *Collection) Failed() []error {
	var out []error
	for _, f := range c.found {
		if f.err != nil {
			out = append(out, f.err)
		}
	}
	return out
}

// Find is the entry of this name in the nearest file that has one, and further are those
// behind it. An unreadable file that lies nearer than the entry is an error, because the user
// may have meant its entry. A name that no file has which can be read is a [*NotFoundError].
func (c *Collection) Find(name string) (s *Server, further []*Server, err error) {
	var unread error // the nearest file that cannot be read, if it lies nearer than s
	for _, f := range c.found {
		if f.err != nil {
			if s == nil && unread == nil {
				unread = f.err
			}
			continue
		}
		i := slices.IndexFunc(f.file.Servers, func(s *Server) bool { return s.Name == name })
		switch {
		case i < 0:
		case s == nil:
			s = f.file.Servers[i]
		default:
			further = append(further, f.file.Servers[i])
		}
	}
	switch {
	case s == nil:
		return nil, nil, &NotFoundError{Name: name, Near: c.near(name), Looked: c.Looked(), Unread: unread != nil}
	case unread != nil:
		return nil, nil, unread
	}
	return s, further, nil
}

// NotFoundError says that no file has an entry of a name.
type NotFoundError struct {
	Name   string
	Near   []string // names that are much like it
	Looked []string // where it was looked for, in words, one line each
	Unread bool     // one of these could not be read
}

// Error is a sentence, and a line for each place.
func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("there is no server %q", e.Name)
	if e.Unread {
		text += " in any file that can be read"
	}
	if len(e.Near) > 0 {
		text += "; did you mean " + orList(e.Near) + "?"
	}
	return text + "\nlooked in:\n  " + strings.Join(e.Looked, "\n  ")
}

func orList(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	return strings.Join(quoted, " or ")
}

// Looked lists the files that were found with their entries; where none was found, all places
// of the search.
func (c *Collection) Looked() []string {
	var out []string
	for _, f := range c.found {
		switch {
		case f.err != nil:
			out = append(out, f.err.Error())
		case len(f.file.Servers) == 1:
			out = append(out, pathWords(f.file.Path)+" (1 server)")
		default:
			out = append(out, fmt.Sprintf("%s (%d servers)", pathWords(f.file.Path), len(f.file.Servers)))
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, p := range c.places {
		out = append(out, pathWords(p.Path)+" (not there)")
	}
	return out
}

// near are up to three names that differ from name by little, the nearest
// first.
func (c *Collection) near(name string) []string {
	var names []string
	for _, s := range c.Servers() {
		names = append(names, s.Name)
	}
	if name == "" { // not typed yet
		return names[:min(3, len(names))]
	}
	return nearest.Names(name, names)
}
