//go:build unix

package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"belay/mcpclient/recording"
	"belay/session"
	"belay/session/journal"
)

// sheet is a file in memory.
type sheet struct {
	mu     sync.Mutex
	b      bytes.Buffer
	closed bool
}

func (s *sheet) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sheet) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// played plays what was written, which must be whole and come out as it was.
func (s *sheet) played(t *testing.T) *session.Session {
	t.Helper()
	var p journal.Player
	last := time.Duration(0)
	for i, line := range bytes.Split(bytes.TrimSpace(s.b.Bytes()), []byte("\n")) {
		r, err := journal.Parse(line)
		if err != nil || r.Seq != uint64(i+1) || r.T < last {
			t.Fatalf("line %d is number %d of %v, after %v: %v", i+1, r.Seq, r.T, last, err)
		}
		last = r.T
		step, err := journal.Read(line)
		if err == nil {
			err = p.Play(step)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if p.Differs() > 0 {
		t.Errorf("%d outputs come out otherwise:\n%s", p.Differs(), s.b.Bytes())
	}
	if !s.closed {
		t.Error("the file was not closed")
	}
	return p.Session()
}

// rowsOf are the calls of the user, as they stand in the table.
func rowsOf(s *session.Session) (rows []string) {
	first, last := s.Span()
	for id := first; id <= last && first > 0; id++ {
		if r, ok := s.Row(id); ok && r.Origin == session.FromUser {
			rows = append(rows, r.Wire.String()+" "+r.Target+" "+r.State.String())
		}
	}
	return rows
}

// A recording that begins in the middle of a run has the run from its beginning.
func TestARecordingThatBeginsLater(t *testing.T) {
	c := run(t, options(t, "plain"))
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "before", `{"token":"ghp_0123456789abcdefghij0123"}`), session.Done)
	file := &sheet{}
	if _, err := c.Record(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Record(t.Context(), &sheet{}); !errors.Is(err, errRecords) {
		t.Errorf("a second one: %v", err)
	}
	wantState(t, c, callTool(t, c, "after", `{}`), session.Done)
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "again", `{}`), session.Done)
	var want []string
	c.View(func(s *session.Session) { want = rowsOf(s) })
	closeIt(t, c)
	got := rowsOf(file.played(t))
	if len(want) != 3 || strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("it has %q, want %q", got, want)
	}
	if bytes.Contains(file.b.Bytes(), []byte("ghp_0123456789")) {
		t.Error("a secret is in it")
	}
}

// Where the first connections are no longer kept, the recording begins with a later one,
// and says so; IDs are what they were.
func TestARecordingThatBeginsWithALaterConnection(t *testing.T) {
	o := options(t, "plain")
	o.kept = recording.Room{All: 192 << 10, Part: 12 << 10}
	c := run(t, o)
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "first", `{}`), session.Done)
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
	c.locked(func(s *session.Session, now time.Time) {
		for range 200 {
			s.Tell(now, session.Stderr{Epoch: 2, Line: make([]byte, 1<<10)})
		}
	})
	wantState(t, c, callTool(t, c, "second", `{}`), session.Done)
	file := &sheet{}
	if _, err := c.Record(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	wantState(t, c, callTool(t, c, "third", `{}`), session.Done)
	var want []string
	c.View(func(s *session.Session) { want = rowsOf(s) })
	closeIt(t, c)
	s := file.played(t)
	if got := rowsOf(s); len(want) != 3 || strings.Join(got, ", ") != strings.Join(want[1:], ", ") {
		t.Errorf("it has %q, want all but the first of %q", got, want)
	}
	if e, ok := s.Entry(1); !ok || !strings.Contains(string(e.Raw), "not in this recording: connection 1, with ") {
		t.Errorf("it begins with %q", e.Raw)
	}
	var first struct {
		Config struct{ Begun *session.Begun }
	}
	line, _, _ := bytes.Cut(file.b.Bytes(), []byte("\n"))
	if err := json.Unmarshal(line, &first); err != nil || first.Config.Begun == nil || first.Config.Begun.Epoch != 1 {
		t.Errorf("its first line: %v %s", err, line)
	}
}

// What is kept is bounded, whatever a server writes.
func TestARecordingOfTooMuch(t *testing.T) {
	c := run(t, options(t, "plain"))
	awaitReady(t, c)
	c.locked(func(s *session.Session, now time.Time) {
		s.Tell(now, session.Stderr{Epoch: 1, Line: make([]byte, recording.Usual.All+1)})
	})
	file := &sheet{}
	if missing, err := c.Record(t.Context(), file); err != nil || missing.Messages != 1 {
		t.Errorf("%v %+v", err, missing)
	}
	closeIt(t, c)
	file.played(t)
	if _, err := c.Record(t.Context(), &sheet{}); err == nil {
		t.Error("it is begun after the end")
	}
	_ = c.Close(context.Background())
}

// A recording can be stopped, and its file is whole then; what comes later is not in it.
// Another one has the run from its beginning again.
func TestARecordingIsStopped(t *testing.T) {
	c := run(t, options(t, "plain"))
	awaitReady(t, c)
	if err := c.StopRecording(t.Context()); !errors.Is(err, errNoRecorder) {
		t.Errorf("where there is none: %v", err)
	}
	wantState(t, c, callTool(t, c, "before", `{}`), session.Done)
	first, second := &sheet{}, &sheet{}
	if _, err := c.Record(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	wantState(t, c, callTool(t, c, "within", `{}`), session.Done)
	if err := c.StopRecording(t.Context()); err != nil || c.Recording().On || c.Recording().Err != nil {
		t.Fatalf("%v %+v", err, c.Recording())
	}
	if got := strings.Join(rowsOf(first.played(t)), ", "); !strings.Contains(got, "before") || !strings.Contains(got, "within") {
		t.Errorf("it has %q", got)
	}
	size := first.b.Len()
	wantState(t, c, callTool(t, c, "after", `{}`), session.Done)
	if _, err := c.Record(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	wantState(t, c, callTool(t, c, "last", `{}`), session.Done)
	var want []string
	c.View(func(s *session.Session) { want = rowsOf(s) })
	closeIt(t, c)
	if got := rowsOf(second.played(t)); len(want) != 4 || strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("the second one has %q, want %q", got, want)
	}
	if first.b.Len() != size {
		t.Error("the first one went on")
	}
}

// One that was asked for at the start is stopped in the same way.
func TestARecordingFromTheStartIsStopped(t *testing.T) {
	o, file := options(t, "plain"), &sheet{}
	o.Record = file
	c := run(t, o)
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "within", `{}`), session.Done)
	if err := c.StopRecording(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rowsOf(file.played(t)), ", "); !strings.Contains(got, "within") {
		t.Errorf("it has %q", got)
	}
	closeIt(t, c)
}

// Large results are kept hollow where there is no room for them, the oldest first: so the
// recording has all of the run, and says of each how large it was.
func TestARecordingOfLargeResults(t *testing.T) {
	c := run(t, options(t, "brings much"))
	awaitReady(t, c)
	calls := make([]session.CallID, 0, 12)
	for range cap(calls) {
		d := wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
		calls = append(calls, d.ID)
	}
	file := &sheet{}
	missing, err := c.Record(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	last := wantState(t, c, callTool(t, c, "any", `{}`), session.Done) // as a whole: the file has room
	calls = append(calls, last.ID)
	await(t, c, "all checks", func(s *session.Session) bool {
		d, _ := s.Detail(last.ID)
		return d.Conformity == session.Conforms
	})
	closeIt(t, c)
	replays(t, file.b.Bytes(), c)
	s, hollow, size := file.played(t), 0, 0
	for i, id := range calls {
		got, _ := s.Detail(id)
		c.View(func(s *session.Session) {
			if want, _ := s.Detail(id); got.Conformity != want.Conformity || got.Hollow && got.Dropped != len(want.Result)+want.Dropped || !got.Hollow && !bytes.Equal(got.Result, want.Result) {
				t.Errorf("call %d: conformity %v, %d bytes kept, %d not", id, got.Conformity, len(got.Result), got.Dropped)
			}
		})
		if got.Hollow {
			if hollow++; hollow != i+1 {
				t.Errorf("call %d is hollow, and an older one is not", id)
			}
		}
	}
	for q, last := s.HistorySpan(); q <= last; q++ {
		if e, _ := s.Entry(q); e.Flags&session.FlagHollow != 0 {
			size += e.Size
		}
	}
	if want := (recording.Missing{Results: hollow, Bytes: size}); hollow < 5 || hollow > 9 || missing != want {
		t.Errorf("missing %+v, want %+v", missing, want)
	}
}

// A recording that a full disk takes nothing of is none, and the one before is what it was;
// a slow disk is believed.
func TestARecordingThatCannotBegin(t *testing.T) {
	c := run(t, options(t, "plain"))
	awaitReady(t, c)
	full := &disk{let: make(chan struct{}), err: &fs.PathError{Op: "write", Path: "/here/run.jsonl", Err: syscall.ENOSPC}}
	close(full.let)
	if _, err := c.Record(t.Context(), full); err == nil || err.Error() != "nothing was recorded: no space left on device; name another file" || !full.closed {
		t.Errorf("%v", err)
	}
	if r := c.Recording(); r.On || r.Err != nil {
		t.Errorf("it is told as one that goes on, or has stopped: %+v", r)
	}
	slow, ctx := &disk{let: make(chan struct{})}, outOfTime(t)
	if _, err := c.Record(ctx, slow); err != nil || !c.Recording().On {
		t.Errorf("a slow disk: %v %+v", err, c.Recording())
	}
	close(slow.let)
	if err := c.StopRecording(t.Context()); err != nil {
		t.Error(err)
	}
	file := &sheet{}
	if _, err := c.Record(t.Context(), file); err != nil {
		t.Error(err)
	}
	closeIt(t, c)
	file.played(t)
}

// Why the recording before stopped is told until another one has something: one that cannot begin
// says so alone, and does not have the other told once more.
func TestARecordingThatCannotBeginAfterOneThatStopped(t *testing.T) {
	c := run(t, options(t, "plain"))
	awaitReady(t, c)
	noSpace := &fs.PathError{Op: "write", Path: "/here/run.jsonl", Err: syscall.ENOSPC}
	first := &disk{let: make(chan struct{})}
	close(first.let)
	if _, err := c.Record(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	first.mu.Lock()
	first.err = noSpace
	first.mu.Unlock()
	c.locked(func(s *session.Session, now time.Time) { s.Tell(now, session.ProcessSample{Epoch: 1}) })
	for c.Recording().Err == nil {
		<-c.Wake()
	}
	stopped := c.Recording().Err
	full := &disk{let: make(chan struct{}), ask: make(chan struct{}, 1), err: noSpace}
	failed := make(chan error)
	go func() {
		_, err := c.Record(t.Context(), full)
		failed <- err
	}()
	<-full.ask
	if r := c.Recording(); !errors.Is(r.Err, stopped) {
		t.Errorf("while another one is tried the first one is told as %v, and was %v", r.Err, stopped)
	}
	close(full.let)
	if err := <-failed; err == nil || err.Error() != "nothing was recorded: no space left on device; name another file" {
		t.Errorf("%v", err)
	}
	if r := c.Recording(); r.On || !errors.Is(r.Err, stopped) {
		t.Errorf("then it is told as %+v, and was %v", r, stopped)
	}
	slow := &disk{let: make(chan struct{})}
	if _, err := c.Record(outOfTime(t), slow); err != nil || c.Recording().Err != nil || !c.Recording().On {
		t.Errorf("a slow disk: %v, %+v", err, c.Recording())
	}
	close(slow.let)
	if err := c.StopRecording(t.Context()); err != nil {
		t.Error(err)
	}
	closeIt(t, c)
}

func outOfTime(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
