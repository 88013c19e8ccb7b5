//go:build unix

package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// place makes conf/belay with a file in it, of the given modes, in a directory of
// the user's own, and returns all three.
func place(t *testing.T, conf, belay, file fs.FileMode) (string, string, string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "conf")
	own := filepath.Join(dir, "belay")
	name := filepath.Join(own, "consents")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]fs.FileMode{filepath.Dir(home): 0o700, home: 0o700, dir: conf, own: belay, name: file} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 { // the administrator's group may write above
			if err := os.Chown(path, -1, 4711); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir, own, name
}

// myself is the user of the test, without a group of the user's own.
func myself() account { return account{uint32(os.Geteuid()), -1} }

// What others may write to, or replace, is named, with how to mend it.
func TestWhoElseMayWrite(t *testing.T) {
	const sticky = fs.ModeSticky
	for name, tt := range map[string]struct {
		conf, belay, file fs.FileMode
		want              string // what lets others in: conf, belay, consents, or nothing
	}{
		"as belay makes it":        {0o700, 0o700, 0o600, ""},
		"to be read by all":        {0o755, 0o755, 0o644, ""},
		"the directory, by all":    {0o700, 0o777, 0o600, "belay"},
		"the directory, by group":  {0o700, 0o770, 0o600, "belay"},
		"a sticky directory":       {0o700, 0o777 | sticky, 0o600, "belay"},
		"the one above, by all":    {0o777, 0o700, 0o600, "conf"},
		"the one above, by group":  {0o775, 0o700, 0o600, "conf"},
		"a sticky one above":       {0o777 | sticky, 0o700, 0o600, ""},
		"the file, by all":         {0o700, 0o700, 0o666, "consents"},
		"the file, by group":       {0o700, 0o700, 0o620, "consents"},
		"by others, not by group":  {0o700, 0o702, 0o600, "belay"},
		"everything, innermost it": {0o777, 0o777, 0o666, "consents"},
	} {
		t.Run(name, func(t *testing.T) {
			_, own, file := place(t, tt.conf, tt.belay, tt.file)
			err := errors.Join(myself().check(own), myself().check(file))
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want+" may be written to by others (") || !strings.Contains(err.Error(), tt.want+" mends that") {
				t.Errorf("%v, want one about %s", err, tt.want)
			}
		})
	}
}

// A directory of somebody else's is not the user's, whatever its mode; what the
// administrator owns may lie above.
func TestWhatBelongsToAnother(t *testing.T) {
	_, own, _ := place(t, 0o700, 0o700, 0o600)
	other := account{uint32(os.Geteuid()) + 4711, -1}
	err := other.check(own)
	if err == nil || !strings.Contains(err.Error(), "the directory "+own+" belongs to ") || !strings.Contains(err.Error(), "chown") {
		t.Error(err)
	}
	if err := myself().check("/"); os.Geteuid() != 0 && err == nil {
		t.Error("the root directory is the user's")
	}
	if err := other.check("/not-there-either/belay"); err != nil {
		t.Errorf("what the administrator owns lies above: %v", err)
	}
}

// A group that has the user alone may write.
func TestTheUsersOwnGroup(t *testing.T) {
	_, own, file := place(t, 0o775, 0o775, 0o660)
	info, err := os.Stat(own)
	if err != nil {
		t.Fatal(err)
	}
	me := myself()
	me.group = int64(info.Sys().(*syscall.Stat_t).Gid)
	if err := errors.Join(me.check(own), me.check(file)); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if me.check(own) == nil {
		t.Error("all others may write, too")
	}
}

// Behind a link it is the real directory that counts, and all that it lies in.
func TestASettingsDirectoryBehindALink(t *testing.T) {
	dir, own, _ := place(t, 0o777, 0o700, 0o600)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(own, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, filepath.Join(link, "consents"), filepath.Join(link, "logins", "none")} {
		if err := myself().check(path); err == nil || !strings.Contains(err.Error(), dir+" may be written") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := myself().check(link); err != nil {
		t.Error(err)
	}
}

// A link may lead to another, and that to the directory: whoever may replace the link
// between them leads elsewhere, as does who may replace a directory on the way, also
// one that a link only passes.
func TestASettingsDirectoryBehindManyLinks(t *testing.T) {
	_, own, _ := place(t, 0o700, 0o700, 0o600)
	home := filepath.Dir(filepath.Dir(own))
	between := filepath.Join(home, "between")
	inner := filepath.Join(between, "inner")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		filepath.Join(between, "second"): own,
		filepath.Join(home, "first"):     filepath.Join(between, "second"),
		filepath.Join(home, "zeroth"):    "first",
		filepath.Join(home, "passing"):   "between/inner/../../conf/belay",
		filepath.Join(home, "aside"):     "between/inner",
		filepath.Join(home, "up"):        "aside/../../conf/belay", // of inner, and not of where the link lies
		filepath.Join(home, "endless"):   "endless",
	} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	for mode, wrong := range map[fs.FileMode]bool{0o700: false, 0o777: true} {
		if err := os.Chmod(between, mode); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"first", "zeroth", "first/consents", "zeroth/not/there", "passing", "up", "up/consents"} {
			err := myself().check(filepath.Join(home, path))
			if got := err != nil && strings.Contains(err.Error(), between+" may be written to"); got != wrong || err != nil && !wrong {
				t.Errorf("%s, %v: %v", path, mode, err)
			}
		}
		if err := myself().check(filepath.Join(home, "endless")); err != nil {
			t.Errorf("a link to itself is nobody's: %v", err)
		}
	}
}

// What is not there yet is as safe as where it will be.
func TestASettingsDirectoryThatIsNotThere(t *testing.T) {
	_, own, _ := place(t, 0o700, 0o700, 0o600)
	if err := Check(filepath.Join(own, "logins", "deeper")); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Check(filepath.Join(own, "logins", "deeper")); err == nil {
		t.Error("others may make it first")
	}
}

func TestWordsForPaths(t *testing.T) {
	e := &Error{Path: "/a b\x1b", Mode: fs.ModeDir | 0o777, Remedy: "x"}
	if got, want := e.Error(), `the directory "/a b\x1b" may be written to by others (drwxrwxrwx): x`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := quoted("/home/ann/.config"); got != "/home/ann/.config" {
		t.Error(got)
	}
}

func TestAModeStandsAsLsListsIt(t *testing.T) {
	for want, mode := range map[string]fs.FileMode{
		"-rw-r--r--": 0o644, "drwxrwxrwx": fs.ModeDir | 0o777, "drwxrwxrwt": fs.ModeDir | fs.ModeSticky | 0o777, "drwxrwx--T": fs.ModeDir | fs.ModeSticky | 0o770,
		"drwxrwsr-x": fs.ModeDir | fs.ModeSetgid | 0o775, "-rwSr-Srw-": fs.ModeSetuid | fs.ModeSetgid | 0o646, "-rwsr-xr-x": fs.ModeSetuid | 0o755,
		"lrwxrwxrwx": fs.ModeSymlink | 0o777, "prw-rw-rw-": fs.ModeNamedPipe | 0o666, "srw-rw-rw-": fs.ModeSocket | 0o666,
		"crw-rw-rw-": fs.ModeDevice | fs.ModeCharDevice | 0o666, "brw-rw-rw-": fs.ModeDevice | 0o666,
	} {
		e := &Error{Path: "/a", Mode: mode, Remedy: "x"}
		if got := e.Error(); !strings.Contains(got, "by others ("+want+"): ") {
			t.Errorf("%s: %s", want, got)
		}
	}
}
