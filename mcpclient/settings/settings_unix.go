//go:build unix

package settings

import (
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

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

// check looks at a path and all above it, as it is written and as it really is.
func (me account) check(path string) error {
	if err := me.along(path); err != nil {
		return err
	}
	for there := path; ; there = filepath.Dir(there) {
		if plain, err := filepath.EvalSymlinks(there); err == nil {
			if there == path {
				return me.along(plain)
			}
			return me.along(filepath.Join(plain, "not yet there"))
		}
		if there == filepath.Dir(there) {
			return nil
		}
	}
}

// along looks at a path and all above it, without following links.
func (me account) along(path string) error {
	for p := path; ; p = filepath.Dir(p) {
		if info, err := os.Lstat(p); err == nil {
			if err := me.may(p, info, p == path); err != nil {
				return err
			}
		}
		if p == filepath.Dir(p) {
			return nil
		}
	}
}

// may looks at one file or directory; last says that it is what is asked about.
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
