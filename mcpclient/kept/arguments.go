package kept

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"belay/mcpclient/settings"
)

// ArgumentsDir is where the arguments of calls are kept unless told otherwise: belay/arguments in
// the user's config directory. The lock-… files in it are empty, and stay.
func ArgumentsDir() (string, error) { return settings.Dir("arguments") }

// What is kept of a server is bounded.
const (
	setsMost  = 5         // of what is called, the newest
	toolsMost = 64        // of a server, those that were called last
	setMost   = 16 << 10  // bytes of a set; a longer one is not kept
	nameMost  = 1 << 10   // bytes of the name of what is called; what is called longer is not kept
	fileMost  = 512 << 10 // bytes of the file: what was called longest ago makes room
)

// Called is what a call called.
type Called struct {
	Method string
	Name   string // of a tool, a prompt or a template: foreign text
}

// Set is a set of arguments of an earlier call.
type Set struct {
	Arguments []byte // an object
	Made      time.Time
	Without   []string // names of what was left out of it, as it is secret: foreign text
}

// Arguments are those of the calls to one server. Make them with [NewArguments]. All methods may be
// called from any goroutine, and may wait for the disk.
type Arguments struct {
	files  settings.Files
	server Server
	file   func() (string, error) // its name, which takes a while at first
}

// NewArguments is what is kept in a directory of the calls to a server, whoever belay is there.
// Nothing is read, and no hash computed, before that is needed.
func NewArguments(dir string, s Server) *Arguments {
	return &Arguments{
		files:  settings.Files{Dir: dir, What: "a list of arguments", Mends: "let belay put it aside at the next call"},
		server: s,
		file: sync.OnceValues(func() (string, error) {
			sum, err := slowHash("belay arguments", s.Place)
			return "arguments-" + sum + ".json", err
		}),
	}
}

// argumentsFile is what a file holds.
type argumentsFile struct {
	Server string     `json:"server"` // for people
	Tools  []toolKept `json:"tools"`  // what was called last is the first
}

type toolKept struct {
	Method string    `json:"method"`
	Name   string    `json:"name"`
	Sets   []setKept `json:"sets"` // the newest is the first
}

// setKept is a set in a file. Its JSON is a text there: what is written between brackets is
// indented, and a kilobyte of these would become megabytes.
type setKept struct {
	Arguments string    `json:"arguments"`
	Made      time.Time `json:"made"`
	Without   []string  `json:"without,omitempty"`
}

func (a *Arguments) read() (c argumentsFile, err error) {
	file, err := a.file()
	if err != nil {
		return c, err
	}
	if err := a.files.Read(file, &c); errors.Is(err, fs.ErrNotExist) {
		return argumentsFile{}, nil
	} else if err != nil {
		return argumentsFile{}, err
	}
	for i := range c.Tools {
		t := &c.Tools[i]
		t.Sets = slices.DeleteFunc(t.Sets, func(s setKept) bool { return len(s.Arguments) > setMost || !isObject([]byte(s.Arguments)) })
		t.Sets = t.Sets[:min(len(t.Sets), setsMost)]
	}
	return c, nil
}

func isObject(text []byte) bool {
	return json.Valid(text) && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
}

// Of are the sets that are kept of what is called, the newest first. It reads the file. The error
// says what is wrong with that.
func (a *Arguments) Of(what Called) ([]Set, error) {
	c, err := a.read()
	var sets []Set
	for _, t := range c.Tools {
		if t.Method != what.Method || t.Name != what.Name {
			continue
		}
		for _, s := range t.Sets {
			sets = append(sets, Set{Arguments: []byte(s.Arguments), Made: s.Made, Without: s.Without})
		}
	}
	return sets, err
}

// Keep keeps the arguments of a call made now, without what the redactor leaves out. Arguments that
// are empty, too long or no object are not kept, which is no error.
func (a *Arguments) Keep(now time.Time, what Called, arguments []byte, s Redactor) error {
	if len(arguments) > setMost || len(what.Name)+len(what.Method) > nameMost {
		return nil
	}
	passed, without, ok := s.pass(arguments)
	if !ok || string(passed) == "{}" || len(passed) > setMost {
		return nil
	}
	set := setKept{Arguments: string(passed), Made: now, Without: without}
	return a.change(func(c *argumentsFile) { c.add(what, set) })
}

// Forget deletes what is kept of the server, and says how many sets that were.
func (a *Arguments) Forget() (sets int, err error) {
	err = a.change(func(c *argumentsFile) {
		for _, t := range c.Tools {
			sets += len(t.Sets)
		}
		c.Tools = nil
	})
	if err != nil {
		return 0, err
	}
	file, err := a.file()
	return sets, errors.Join(err, a.files.Remove(file+".broken"))
}

// change changes the file as it is by then: another belay may have changed it since. Without
// anything left there is no file, nor one for the lock.
func (a *Arguments) change(f func(c *argumentsFile)) error {
	file, err := a.file()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	lock := "lock-" + file
	defer a.files.Lock(ctx, lock, nil)()
	c, err := a.read()
	if keepsOut(err) {
		return err
	}
	f(&c)
	if len(c.Tools) == 0 {
		_ = a.files.Remove(lock) // Windows removes no file that is open
		return a.files.Remove(file)
	}
	c.Server = a.server.Shown
	return a.files.Write(file, c)
}

// add makes a set the newest of what was called, and that the first of all.
func (c *argumentsFile) add(what Called, set setKept) {
	t := toolKept{Method: what.Method, Name: what.Name}
	if i := slices.IndexFunc(c.Tools, func(t toolKept) bool { return t.Method == what.Method && t.Name == what.Name }); i >= 0 {
		t = c.Tools[i]
		c.Tools = slices.Delete(c.Tools, i, i+1)
	}
	t.Sets = slices.DeleteFunc(t.Sets, func(s setKept) bool { return s.Arguments == set.Arguments && slices.Equal(s.Without, set.Without) })
	t.Sets = slices.Insert(t.Sets, 0, set)
	t.Sets = t.Sets[:min(len(t.Sets), setsMost)]
	c.Tools = slices.Insert(c.Tools, 0, t)
	c.Tools = c.Tools[:min(len(c.Tools), toolsMost)]
	c.fit()
}

// fit drops what was called longest ago until the file is short enough.
func (c *argumentsFile) fit() {
	left := fileMost
	for i := range c.Tools {
		t := &c.Tools[i]
		for j := range t.Sets {
			text, _ := json.MarshalIndent(t.Sets[j], "      ", "  ")
			left -= len(text) + len(t.Name) + len(t.Method) + 100 // what is around it
			if left < 0 {
				t.Sets, c.Tools = t.Sets[:j], c.Tools[:i+min(j, 1)]
				return
			}
		}
	}
}
