package roots

import (
	"errors"
	"path"
	"strings"
	"testing"

	"belay/session"
	"belay/ui/dialog"
	"belay/ui/panel/paneltest"
)

// disk has the directories below /src.
type disk struct{ asked []string }

func (d *disk) Root(dir string) (session.Root, error) {
	d.asked = append(d.asked, dir)
	if !strings.HasPrefix(dir, "/src/") {
		return session.Root{}, errors.New("there is no \x1b[2Jsuch directory")
	}
	return session.Root{URI: "file://" + dir, Name: path.Base(dir)}, nil
}

type harness struct {
	*paneltest.Host
	r    *Roots
	disk *disk
}

func run(t *testing.T, cfg session.Config, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, 80, 24, cfg, func(h *paneltest.Host) {
		w := &harness{Host: h, disk: &disk{}}
		w.r = New(h, w.disk)
		h.Connect(paneltest.Initialized)
		f(w)
	})
}

// command carries out :root, and returns what is said of it.
func (w *harness) command(arg string) string {
	w.Run(w.r.Command(arg))
	return w.Said()
}

// has fails unless the session has exactly these roots.
func (w *harness) has(uris ...string) {
	w.T.Helper()
	var got []string
	for _, r := range w.r.all() {
		got = append(got, r.URI)
	}
	if strings.Join(got, " ") != strings.Join(uris, " ") {
		w.T.Errorf("the roots are %q, want %q", got, uris)
	}
}

// Each change is told to the session once, and a refused one not at all.
func TestRootsAreAddedAndRemoved(t *testing.T) {
	run(t, session.Config{}, func(w *harness) {
		for _, c := range []struct {
			arg, says string
			roots     []string
		}{
			{"add /src/a", `added the root "/src/a"`, []string{"file:///src/a"}},
			{"add /src/a", `"/src/a" is a root already`, []string{"file:///src/a"}},
			{"add  /src/b b ", `added the root "/src/b b"`, []string{"file:///src/a", "file:///src/b b"}},
			{"add /etc", "not added: there is no ⟨ESC⟩[2Jsuch directory", []string{"file:///src/a", "file:///src/b b"}},
			{"remove /nowhere", `"/nowhere" is no root; :root lists them`, []string{"file:///src/a", "file:///src/b b"}},
			{"remove /src/a", `removed the root "/src/a"`, []string{"file:///src/b b"}},
			{"remove b b", `removed the root`, nil},
			{"add", "type :root, :root add DIR or :root remove DIR", nil},
			{"perhaps /src/a", "type :root, :root add DIR", nil},
		} {
			if got := w.command(c.arg); !strings.Contains(got, c.says) {
				t.Errorf(":root %s: says %q, want %q", c.arg, got, c.says)
			}
			w.has(c.roots...)
		}
		sets := 0
		for _, in := range w.Inputs {
			if _, ok := in.(session.SetRoots); ok {
				sets++
			}
		}
		if sets != 4 {
			t.Errorf("the session was told of %d changes, want 4", sets)
		}
	})
}

// A root whose directory is gone from the disk can be taken away: by its path, or by the
// name that it had.
func TestARootThatIsGoneFromTheDisk(t *testing.T) {
	for _, typed := range []string{"/gone/dir", "/gone/dir/", "dir", "file:///gone/dir"} {
		run(t, session.Config{Roots: []session.Root{{URI: "file:///gone/dir", Name: "dir"}, {URI: "file:///src/a", Name: "a"}}}, func(w *harness) {
			if got := w.command("remove " + typed); !strings.Contains(got, `removed the root "/gone/dir"`) {
				t.Errorf("remove %s: %q", typed, got)
			}
			w.has("file:///src/a")
		})
	}
}

// A server that was told at its start that there are no roots hears of none: the user is
// told what that means. One that was told of some hears of each change.
func TestWhatTheServerIsTold(t *testing.T) {
	run(t, session.Config{}, func(w *harness) {
		if got := w.command("add /src/a"); !strings.Contains(got, "declared from the next :restart on") {
			t.Errorf("%q", got)
		}
		if got := w.command("remove /src/a"); !strings.Contains(got, "this server was told of none") {
			t.Errorf("%q", got)
		}
		if w.Got("list_changed") != 0 {
			t.Error("a server that was told of no roots was told of a change")
		}
	})
	run(t, session.Config{Roots: []session.Root{{URI: "file:///src/a", Name: "a"}}}, func(w *harness) {
		if got := w.command("add /src/b"); got != `added the root "/src/b"` {
			t.Errorf("%q", got)
		}
		w.Gets("notifications/roots/list_changed")
	})
}

// The page lists the roots, follows them while it is open, and lies there once.
func TestThePageOfRoots(t *testing.T) {
	run(t, session.Config{}, func(w *harness) {
		w.command("")
		page := w.Top().(*dialog.Page)
		w.Shows(page, "Roots", "There are none.", "This server was told at its start that there are none")
		w.command("add /src/a")
		w.Shows(page, "file:///src/a")
		w.ShowsNot(page, "There are none.")
		w.command("")
		if len(w.Stack) != 1 {
			t.Errorf("%d pages lie over each other", len(w.Stack))
		}
		w.Run(w.Top().Close())
		w.Lies(nil)
		w.command("remove /src/a") // also when its page is gone
		w.Lies(nil)
		w.has()
	})
	run(t, session.Config{Roots: []session.Root{{URI: "file:///src/" + paneltest.Hostile, Name: paneltest.Hostile}}}, func(w *harness) {
		for _, size := range paneltest.Sizes() {
			w.Resize(size.X, size.Y)
			w.command("")
			w.Draw(w.Top())
		}
		w.Resize(140, 60)
		w.Shows(w.Top(), "Roots", ":root add DIR and :root remove DIR change them.")
	})
}
