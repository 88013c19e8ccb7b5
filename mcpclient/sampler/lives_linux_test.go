package sampler

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"belay/session/witness"
)

// Of the moment that was noted it is told, once, which processes lived: what ended a moment later is among them, and
// what had ended is not.
func TestWhichProcessesLivedIsNoted(t *testing.T) {
	begin := func() *exec.Cmd {
		cmd := exec.Command("sleep", "60")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	end := func(cmd *exec.Cmd) {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	lives := new(Lives)
	lives.Note(time.Now())
	w := New(os.Getpid(), "", new(Births), lives, func([]string) string { return "" })
	if _, _, ok := w.Noted(); ok {
		t.Error("something was noted of no process")
	}
	w.Look(time.Now())
	lives.Note(time.Now())
	if _, _, ok := w.Noted(); ok {
		t.Error("something was noted of a server without other processes")
	}
	one, other := begin(), begin()
	w.Look(time.Now())
	end(one)
	at := time.Now()
	lives.Note(at)
	end(other)
	got, s, ok := w.Noted()
	if !ok || !got.Equal(at) || s.Every == 0 || s.EveryWide == 0 || s.Processors == 0 || s.Looked || s.Wide {
		t.Fatalf("%v, noted at %v: %+v", ok, got, s)
	}
	seen := map[int]bool{}
	for _, p := range s.Processes {
		seen[p.PID] = !p.Ended
		if p.PID == other.Process.Pid && (p.Parent != os.Getpid() || p.Name != "sleep" || p.Age < 0 || p.Age > time.Minute) {
			t.Errorf("%+v", p)
		}
	}
	if !seen[os.Getpid()] || !seen[other.Process.Pid] || seen[one.Process.Pid] {
		t.Errorf("%v", seen)
	}
	if _, _, ok := w.Noted(); ok {
		t.Error("it is told twice")
	}
	w.Look(time.Now())
	lives.Note(time.Now())
	if _, _, ok := w.Noted(); ok {
		t.Error("what has ended is still watched")
	}
}

// What is noted while a sample is under way is told after that sample only where both say the same: that nothing that it was
// not asked for has ended, and that nothing lives that the sample found gone.
func TestWhatIsNotedDuringASample(t *testing.T) {
	old := &known{last: reading{Process: witness.Process{PID: os.Getpid()}}}
	r, err := newSource().read(old.last.PID)
	if err != nil {
		t.Fatal(err)
	}
	old.last = r
	parent := &known{}
	if parent.last, err = newSource().read(os.Getppid()); err != nil {
		t.Fatal(err)
	}
	gone := &known{last: reading{Process: witness.Process{PID: 1 << 30}}}
	for _, c := range []struct {
		what          string
		before, after []*known
		told          bool
	}{
		{"the same", []*known{old, parent}, []*known{old, parent}, true},
		{"a new one", []*known{old, gone}, []*known{old, gone, parent}, false},
		{"one that the sample found gone", []*known{old, parent}, []*known{old}, false},
		{"one that was gone, and that the sample found before", []*known{old, gone}, []*known{old, gone}, true},
		{"too many", []*known{old, parent}, slices.Repeat([]*known{gone}, mostLives+1), false},
	} {
		lives := new(Lives)
		lives.watch(c.before)
		lives.Note(time.Now())
		lives.watch(c.after)
		if _, _, told := lives.take(); told != c.told {
			t.Errorf("%s: it is told: %t, want %t", c.what, told, c.told)
		}
	}
}

// A server with more processes than are read in a moment has none of them noted.
func TestTooManyProcessesAreNotNoted(t *testing.T) {
	lives := new(Lives)
	all := make([]*known, mostLives+1)
	for i := range all {
		all[i] = &known{}
		all[i].last.PID = os.Getpid()
	}
	lives.watch(all)
	lives.Note(time.Now())
	if _, _, ok := lives.take(); ok {
		t.Error("they are noted")
	}
}

func BenchmarkLivesNote(b *testing.B) {
	lives := new(Lives)
	all := []*known{{}, {}, {}}
	for _, k := range all {
		k.last.PID = os.Getpid()
	}
	lives.watch(all)
	for b.Loop() {
		lives.Note(time.Now())
	}
}
