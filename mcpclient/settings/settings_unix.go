//go:build unix

package settings

import (
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// nonblock has no opening wait for the other end of a pipe.
const nonblock = syscall.O_NONBLOCK

// account is who may write to the user's settings.
type account struct {
	uid   uint32
	group int64 // the group that has the user alone; -1: there is none
}

func check(path string) error {
	me := account{uint32(os.Geteuid()), -1}
	// Many systems give each user a group of the same name, and let it write.
	if u, err := user.LookupId(strconv.Itoa(os.Geteuid())); err == nil {
		if g, err := user.LookupGroupId(u.Gid); err == nil && g.Name == u.Username {
			me.group, _ = strconv.ParseInt(u.Gid, 10, 64)
		}
	}
	return me.check(path)
}

// linksMost is how many links a path may lead through, as on Linux. Nothing can be
// opened behind more.
const linksMost = 40

// check goes the way that the system goes to open a path, through every link on it,
// and looks at each directory, link and file there: whoever may replace one of them
// decides where the way ends. The innermost that lets others in is told of.
func (me account) check(path string) (wrong error) {
	rest := strings.Split(path, "/")
	at := "/" // no link is in it
	look := func(path string) (fs.FileInfo, bool) {
		info, err := os.Lstat(path)
		if err != nil {
			return nil, false
		}
		if err := me.may(path, info, len(rest) == 0); err != nil {
			wrong = err
		}
		return info, true
	}
	look(at)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		there := filepath.Join(at, name)
		info, ok := look(there)
		if !ok { // and nothing is behind it
			return wrong
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = there
			continue
		}
		to, err := os.Readlink(there)
		if links++; err != nil || links > linksMost {
			return wrong
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	return wrong
}

// may returns an error where another account could change one file or directory; last marks
// the end of the path, as against a directory above.
func (me account) may(path string, info fs.FileInfo, last bool) error {
	const group, others = 0o020, 0o002
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	mode := info.Mode()
	switch {
	case stat.Uid != me.uid && (last || stat.Uid != 0):
		return &Error{Path: path, Mode: mode, Owner: name(stat.Uid), Remedy: "make it yours with chown, or run belay as who it belongs to"}
	case mode&fs.ModeSymlink != 0: // its own mode means nothing
		return nil
	case mode&fs.ModeSticky != 0 && !last:
		return nil
	case mode.Perm()&others != 0,
		mode.Perm()&group != 0 && int64(stat.Gid) != me.group && (last || stat.Gid != 0):
		return &Error{Path: path, Mode: mode, Remedy: "chmod go-w " + quoted(path) + " mends that"}
	}
	return nil
}

// name is what a user is called.
func name(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "user " + id
}
