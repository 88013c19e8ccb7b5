//go:build unix

package replay

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session"
)

// followed is a recording that is followed and shown to its end.
func followed(t *testing.T, r *run) (*Player, string) {
	t.Helper()
	path := written(t, r.file.Bytes())
	p := opened(t, path, true)
	r.isShown(t, p)
	return p, path
}

// isShown waits until all of a recording is shown, and fails unless it is that.
func (r *run) isShown(t *testing.T, p *Player) {
	t.Helper()
	st := until(t, p, "at the end", func(st Status) bool {
		return st.State == Following && !st.Waits && int(st.Line) == len(r.rows)
	})
	if st.Faulty != 0 {
		t.Errorf("%+v", st)
	}
	r.shows(t, p, st.Line)
}

// writes has a file hold other bytes, as who writes it from its beginning does.
func writes(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// another is a run whose recording begins with another line.
func another(r *run) *run {
	r.file = *bytes.NewBuffer(bytes.Replace(r.file.Bytes(), []byte(`"config":{`), []byte(`"config":{"Platform":"x",`), 1))
	return r
}

// What becomes of a file that is followed is told, and what it holds then is shown.
func TestAFollowedFileBecomesAnother(t *testing.T) {
	for _, c := range []struct {
		name    string
		befalls func(t *testing.T, path string, then []byte)
		says    []string
	}{
		{"truncated, and begun anew", func(t *testing.T, path string, then []byte) { writes(t, path, then) }, []string{
			"the file was truncated: it is shown from its beginning",
			"a recording has begun in the file: it is shown from its beginning", // belay looked between two writes
		}},
		{"replaced", func(t *testing.T, path string, then []byte) {
			other := filepath.Join(t.TempDir(), "other")
			writes(t, other, then)
			if err := os.Rename(other, path); err != nil {
				t.Fatal(err)
			}
		}, []string{"another file has taken the place of the recording: it is shown from its beginning"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, path := followed(t, story(nil))
			before := p.Status()
			then := another(short())
			c.befalls(t, path, then.file.Bytes())
			until(t, p, "told", func(st Status) bool { return st.Told > before.Told })
			then.isShown(t, p)
			if st := p.Status(); !slices.Contains(c.says, st.News) || st.Session == before.Session {
				t.Errorf("it says %q, and shows session %d after %d", st.News, st.Session, before.Session)
			}
			p.Step(false)
			if st := rested(t, p); int(st.Line) >= len(then.rows) {
				t.Errorf("a step back goes to %+v", st)
			}
		})
	}
	t.Run("written anew, and longer", func(t *testing.T) {
		p, path := followed(t, short())
		then := another(story(nil))
		writes(t, path, then.file.Bytes())
		then.isShown(t, p)
		if st := p.Status(); !strings.HasPrefix(st.News, "the file was ") && !strings.HasPrefix(st.News, "a recording has begun") || !strings.HasSuffix(st.News, ": it is shown from its beginning") {
			t.Errorf("it says %q", st.News)
		}
	})
}

// A file that holds no recording any more is told, what was shown stays, and a recording that
// begins in it is shown.
func TestAFollowedFileHoldsNoRecording(t *testing.T) {
	for name, c := range map[string]struct{ data, says string }{
		"empty":           {"", "the file was truncated, and now the file is empty; what was read before stays, and belay waits"},
		"something else":  {"[1,2,3]\n", "and now it is no recording of belay's"},
		"half a line":     {`{"seq":1,"t":0,"wa`, "and now the recording is cut in its first line"},
		"a newer belay's": {`{"seq":1,"op":"new","version":99,"config":{}}` + "\n", "and now the recording has format 99"},
	} {
		r := story(nil)
		p, path := followed(t, r)
		writes(t, path, []byte(c.data))
		st := until(t, p, "told", func(st Status) bool { return st.Waits && strings.Contains(st.News, c.says) })
		if st.State != Following || int(st.Line) != len(r.rows) {
			t.Errorf("%s: %+v", name, st)
		}
		r.shows(t, p, st.Line)
		for _, key := range []func(){func() { p.Step(false) }, p.Begin, func() { p.GoToCall("77") }, func() { p.Play(true) }, p.End} {
			key()
		}
		until(t, p, "waiting still", func(st Status) bool { return st.State == Following && st.Waits })
		r.shows(t, p, st.Line)
		then := another(short())
		writes(t, path, then.file.Bytes())
		then.isShown(t, p)
		if st := p.Status(); st.News != "a recording has begun in the file: it is shown from its beginning" {
			t.Errorf("%s: then it says %q", name, st.News)
		}
	}
}

// Why a file that is followed holds no recording is told without the words of the system's calls.
func TestAFollowedFileThatCannotBeRead(t *testing.T) {
	_, err := open(filepath.Join(written(t, nil), "x"))
	const want = "another file has taken the place of the recording, and now it cannot be read (not a directory); what was read before stays, and belay waits for a recording to begin in it"
	if got := waitWords(isReplaced, err); got != want {
		t.Errorf("%q", got)
	}
}

// A file is as it was while it is not shorter than what was read of it.
func TestWhatAFileBecomes(t *testing.T) {
	data := story(nil).file.Bytes()
	path := written(t, data)
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	size := int64(len(data))
	for read, want := range map[int64]string{size - 1: "", size: "", size + 1: isTruncated} {
		if got := x.becomes(read); got != want {
			t.Errorf("of %d bytes %d were read: %q", size, read, got)
		}
	}
	writes(t, path, another(story(nil)).file.Bytes())
	if got := x.becomes(size); got != isRewritten {
		t.Errorf("with another first line: %q", got)
	}
}

// What is still there of a recording that was cut is shown.
func TestAFollowedFileIsCut(t *testing.T) {
	r := story(nil)
	p, path := followed(t, r)
	lines := bytes.SplitAfter(r.file.Bytes(), []byte("\n"))
	const left = 5
	if err := os.Truncate(path, int64(len(bytes.Join(lines[:left], nil)))); err != nil {
		t.Fatal(err)
	}
	until(t, p, "shorter", func(st Status) bool { return st.State == Following && st.Line == left && st.Told == 1 })
	r.shows(t, p, left)
	writes(t, path, r.file.Bytes())
	r.isShown(t, p)
}

// Of a recording that has only begun, the time is that of its beginning.
func TestARecordingThatHasOnlyBegun(t *testing.T) {
	first, _, _ := bytes.Cut(story(nil).file.Bytes(), []byte("\n"))
	p := opened(t, written(t, append(bytes.Clone(first), '\n')), true)
	if st := until(t, p, "following", func(st Status) bool { return st.State == Following }); st.At != 0 || st.Waits {
		t.Errorf("%+v", st)
	}
}

// A file that is removed is told once; another one in its place is shown.
func TestAFollowedFileIsRemoved(t *testing.T) {
	r := story(nil)
	p, path := followed(t, r)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	st := until(t, p, "told", func(st Status) bool { return st.News == isGone })
	time.Sleep(3 * look)
	if again := p.Status(); again.Told != st.Told || again.State != Following || again.Waits {
		t.Errorf("%+v", again)
	}
	r.shows(t, p, int64(len(r.rows)))
	then := another(short())
	writes(t, path, then.file.Bytes())
	then.isShown(t, p)
}

// A recording is waited for in a file that is empty, or ends within its first line.
func TestARecordingIsWaitedFor(t *testing.T) {
	r := story(nil)
	for _, n := range []int{0, 30} {
		path := written(t, r.file.Bytes()[:n])
		p := opened(t, path, true)
		st := until(t, p, "waiting", func(st Status) bool { return st.State == Following && st.Waits })
		if !strings.HasSuffix(st.News, "; belay waits for a recording to begin in it") || st.Faulty != 0 || st.At != 0 {
			t.Errorf("%+v", st)
		}
		p.View(func(s *session.Session) {
			if s.Status().Epoch != 0 {
				t.Error("a connection is shown")
			}
		})
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(r.file.Bytes()[n:]); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		r.isShown(t, p)
	}
	if _, err := Open(written(t, nil)); err == nil {
		t.Error("an empty file that is not followed is opened")
	}
	if _, err := OpenToFollow(written(t, []byte("[1]\n"))); err == nil {
		t.Error("what is no recording is waited for")
	}
}

// How long a recording is that is followed is known when another place than its end is shown,
// too: what was played of it counts, and what is written to it since.
func TestTheLengthOfAFollowedRecordingGrows(t *testing.T) {
	r := story(nil)
	all := r.file.Bytes()
	lines := bytes.SplitAfter(all, []byte("\n"))
	lengthOf := func(data []byte) time.Duration {
		x, err := Open(written(t, data))
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		return x.length
	}
	some, more := bytes.Join(lines[:5], nil), bytes.Join(lines[:12], nil)
	shortest, longer, longest := lengthOf(some), lengthOf(more), lengthOf(all)
	if shortest >= longer || longer >= longest {
		t.Fatalf("the parts are %v, %v and %v long", shortest, longer, longest)
	}
	path := written(t, some)
	p := opened(t, path, true)
	until(t, p, "following", func(st Status) bool { return st.State == Following })
	writes(t, path, more)
	until(t, p, "following more", func(st Status) bool { return st.Line == 12 })
	p.Begin()
	until(t, p, "at the beginning", func(st Status) bool { return st.Line == 1 && st.State == Paused && st.Length == longer })
	writes(t, path, all)
	until(t, p, "longer", func(st Status) bool { return st.Line == 1 && st.Length == longest })
}
