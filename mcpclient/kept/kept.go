// Package kept keeps two things beyond the end of belay: the IDs of tasks, in a file for each
// server and each identity that belay has there, and the arguments of calls, in a file for each
// server. No file holds a result or a secret, as far as belay knows one, and the name of a file is
// a hash, slow to compute, of the server and the identity.
package kept

import (
	"context"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"belay/mcpclient/settings"
	"belay/session"
)

// Dir is where the IDs are kept unless told otherwise: belay/tasks in the user's config
// directory. The lock-… files in it are empty, and stay.
func Dir() (string, error) { return settings.Dir("tasks") }

// Server is whose tasks are kept: a server, and who belay is there. The ID of a task is bound to
// both, and is never asked of another server, or in another user's name (TSK-68, TSK-78;
// basic/utilities/tasks).
type Server struct {
	Shown    string   // for people: no part of it is secret
	Place    []string // the address; or the command line and the directory
	Identity []string // what says who belay is there, as it is sent; it may be secret
}

// slowness is how often the hash is repeated: a password in a header field cannot be tried out
// quickly against the name of a file.
const slowness = 200_000

func (s Server) file() (string, error) {
	sum, err := slowHash("belay tasks", s.Place, s.Identity)
	return "tasks-" + sum + ".json", err
}

// slowHash is a hash of lists of words for a purpose.
func slowHash(purpose string, lists ...[]string) (string, error) {
	var all strings.Builder
	for _, parts := range lists {
		fmt.Fprintf(&all, "%d;", len(parts))
		for _, p := range parts {
			fmt.Fprintf(&all, "%d:%s", len(p), p)
		}
	}
	sum, err := pbkdf2.Key(sha256.New, all.String(), []byte(purpose), slowness, 16)
	return hex.EncodeToString(sum), err
}

// contents is what a file holds.
type contents struct {
	Server string             `json:"server"` // for people
	Tasks  []session.KeptTask `json:"tasks"`
}

// most bounds the tasks in a file: the oldest make room.
const most = 200

// lockPatience is how long another belay may write.
const lockPatience = 5 * time.Second

// Tasks are the tasks that are kept for one server.
type Tasks struct {
	files  settings.Files
	server Server
	file   string
	before []session.KeptTask
}

// Open reads what is kept for a server in a directory. Tasks whose time is over now are left
// out. The error says what is wrong with the file, which is put aside by the next change.
func Open(dir string, s Server, now time.Time) (*Tasks, error) {
	t := &Tasks{files: settings.Files{Dir: dir, What: "a list of tasks", Mends: "let belay put it aside when it keeps the next task"}, server: s}
	var err error
	if t.file, err = s.file(); err != nil {
		return t, err
	}
	t.before, err = t.read()
	t.before = slices.DeleteFunc(t.before, func(k session.KeptTask) bool { return isOver(k, now) })
	return t, err
}

func isOver(k session.KeptTask, now time.Time) bool {
	return !k.Expires.IsZero() && !k.Expires.After(now)
}

// Before are the tasks that were kept when the file was opened.
func (t *Tasks) Before() []session.KeptTask { return slices.Clone(t.before) }

// Path is the file.
func (t *Tasks) Path() string { return filepath.Join(t.files.Dir, t.file) }

func (t *Tasks) read() ([]session.KeptTask, error) {
	var c contents
	err := t.files.Read(t.file, &c)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(c.Tasks, func(k session.KeptTask) bool { return k.ID == "" }), nil
}

// Change carries changes out, in their order, in the file as it is by then: another belay may
// have changed it since. Without a task left there is no file.
func (t *Tasks) Change(now time.Time, changes []session.KeptChange) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	defer t.files.Lock(ctx, "lock-"+t.file, nil)()
	all, err := t.read()
	if keepsOut(err) {
		return err
	}
	for _, c := range changes {
		i := slices.IndexFunc(all, func(k session.KeptTask) bool { return k.ID == c.Task.ID })
		switch {
		case c.Gone && i >= 0:
			all = slices.Delete(all, i, i+1)
		case c.Gone:
		case i >= 0:
			all[i] = c.Task
		default:
			all = append(all, c.Task)
		}
	}
	all = slices.DeleteFunc(all, func(k session.KeptTask) bool { return isOver(k, now) })
	all = all[max(0, len(all)-most):]
	if len(all) == 0 && err == nil {
		return t.files.Remove(t.file)
	}
	return t.files.Write(t.file, contents{Server: t.server.Shown, Tasks: all})
}

// keepsOut reports whether an error of reading the file says that it is not belay's to replace:
// others may write to it, or the user may not read it. What is damaged is put aside.
func keepsOut(err error) bool {
	_, open := errors.AsType[*settings.Error](err)
	return open || errors.Is(err, fs.ErrPermission)
}
