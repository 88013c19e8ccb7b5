package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"belay/session"
)

// ends is the time of the last line of a recording, as its text has it.
func ends(t *testing.T, file []byte) time.Duration {
	t.Helper()
	lines := bytes.Split(bytes.TrimSpace(file), []byte("\n"))
	var last struct{ T time.Duration }
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
		t.Fatal(err)
	}
	return last.T
}

// inFlight is a run that was killed while a call was being cancelled, of which the clock on the wall
// said this in each line.
func inFlight(wall string) []byte {
	r := newRun(nil)
	id := r.does(call("slow"))
	r.later(time.Second)
	r.does(session.Cancel{Call: id})
	first, rest, _ := bytes.Cut(r.file.Bytes(), []byte("\n"))
	rest = regexp.MustCompile(`"wall":"[^"]*"`).ReplaceAll(rest, []byte(wall))
	return append(append(first, '\n'), rest...)
}

// Whether the writer of a file that is followed still runs is not known: no time passes behind the last
// line, and for how long nothing was written is told.
func TestNoTimePassesBehindTheLastLine(t *testing.T) {
	for name, c := range map[string]struct {
		wall string
		long bool
	}{
		"two hours ago": {fmt.Sprintf(`"wall":%q`, time.Now().Add(-2*time.Hour).UTC().Format(time.RFC3339Nano)), true},
		"in the future": {`"wall":"9999-01-01T00:00:00Z"`, false},
		"not told":      {`"wall":null`, false},
	} {
		file := inFlight(c.wall)
		end := ends(t, file)
		p := opened(t, written(t, file), true)
		st := until(t, p, "following", func(st Status) bool { return st.State == Following })
		until(t, p, "silent", func(next Status) bool { return next.Silent > st.Silent })
		st = p.Status()
		if st.At != end || st.Length != end || !p.Now().Equal(origin.Add(end)) || st.Ended || st.Faulty != 0 {
			t.Errorf("%s: %v of %v, at %v, want %v: %+v", name, st.At, st.Length, p.Now(), end, st)
		}
		if st.Silent < 0 || (st.Silent > time.Hour) != c.long || st.Silent > 3*time.Hour {
			t.Errorf("%s: silent for %v", name, st.Silent)
		}
		_ = p.Close()
	}
}

// Behind the end of a connection that belay has left nothing is written: a recording that is followed is
// at its end there, as one that is not followed. What is written all the same is shown.
func TestAFollowedRecordingEnds(t *testing.T) {
	r := newRun(nil)
	r.does(call("slow"))
	r.later(time.Second)
	r.s.Tell(r.now, session.Quit{})
	r.pull()
	before := r.file.Len()
	r.s.Tell(r.now, session.Closed{Epoch: r.epoch, Why: session.Close{ByUs: true, Status: "exit status 0"}})
	file := r.file.Bytes()
	end, lines := ends(t, file), int64(bytes.Count(file, []byte("\n")))

	path := written(t, file[:before])
	p := opened(t, path, true)
	until(t, p, "following", func(st Status) bool { return st.State == Following && !st.Ended })
	appends(t, path, file[before:])
	ended := func(st Status) bool { return st.State == Paused && st.Ended && st.Line == lines }
	if st := until(t, p, "at the end", ended); st.At != end || st.Length != end || st.Silent != 0 || st.Open || st.Faulty != 0 {
		t.Errorf("it ends at %v: %+v", end, st)
	}
	if p.Next(Cancel, true) {
		t.Error("behind its end there may be a cancel")
	}
	p.Play(true)
	until(t, p, "played from the beginning", func(st Status) bool { return st.State == Playing && st.Line < lines })
	p.End()
	until(t, p, "at the end again", ended)

	appends(t, path, []byte("x\n"))
	until(t, p, "longer", func(st Status) bool { return st.Line == lines+1 && st.Faulty == 1 && st.Ended })
	if err := os.WriteFile(path, inFlight(`"wall":null`), 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, p, "another recording", func(st Status) bool { return st.State == Following && !st.Ended && st.Faulty == 0 })
}

func appends(t *testing.T, path string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}
