//go:build unix

package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"belay/mcpclient/recording"
	"belay/session"
	"belay/session/secret"
)

// A recording is complete when Close returns, over all epochs, and its bytes
// are those that were counted.
func TestRecordingIsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.jsonl")
	f, err := recording.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, "says a lot at eof")
	o.Record, o.RecordUnmasked = f, true // masking has its own test
	c := run(t, o)
	awaitReady(t, c)
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
	closeIt(t, c)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r := c.Recording(); r.On || r.Err != nil || r.Bytes != int64(len(data)) {
		t.Errorf("%+v, the file has %d bytes", r, len(data))
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		t.Error("the last line has no end")
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		if !json.Valid(line) {
			t.Fatalf("line %d is no JSON: %.200q", i, line)
		}
	}
	if n := bytes.Count(data, []byte("notifications/message")); n != 2000 {
		t.Errorf("%d of 2000 messages were recorded", n)
	}
}

func TestRecordingMasksSecrets(t *testing.T) {
	const token = "ghp_0123456789abcdefghij0123"
	for _, keep := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "session.jsonl")
		f, err := recording.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		o := options(t, "plain")
		o.Record, o.RecordUnmasked = f, keep
		c := run(t, o)
		awaitReady(t, c)
		wantState(t, c, callTool(t, c, "before "+token+" after", `{}`), session.Done)
		closeIt(t, c)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(token)) != keep {
			t.Errorf("secrets kept: want %v", keep)
		}
		want := "before " + strings.Repeat("*", len(token)-8) // the rest says which secret it is, as it stands in a name
		if bytes.Contains(data, []byte(want)) == keep {
			t.Errorf("masked in place: want %v", !keep)
		}
	}
}

// disk is a file whose writes wait until they are let through, and can fail.
type disk struct {
	let chan struct{} // closed: writes go through
	ask chan struct{} // gets a value for each write, when it is not full; nil: for none
	to  io.Writer     // what it keeps them in; nil: nothing

	mu     sync.Mutex
	got    int
	err    error
	closed bool
}

func (d *disk) Write(p []byte) (int, error) {
	select {
	case d.ask <- struct{}{}:
	default:
	}
	<-d.let
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return 0, d.err
	}
	d.got += len(p)
	if d.to != nil {
		return d.to.Write(p)
	}
	return len(p), nil
}

func (d *disk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return nil
}

// isHeldUp reports whether as much waits for the disk of a client's recording as may.
func isHeldUp(c *Client) bool {
	now := make(chan struct{})
	close(now)
	return !c.rec.Load().Wait(now)
}

// A disk that takes nothing holds up the reader at the bound, and nobody else;
// when it goes on, nothing was lost.
func TestSlowDiskHoldsUpOnlyTheReader(t *testing.T) {
	const count = 100_000
	d := &disk{let: make(chan struct{})}
	o := options(t, "floods progress")
	o.Record, o.RecordUnmasked = d, true
	c := run(t, o)
	awaitReady(t, c)
	id := callTool(t, c, "flood", "100000")
	await(t, c, "the bound to be reached", func(*session.Session) bool { return isHeldUp(c) })
	// The keys go on, and what they cause is recorded as well.
	other := callTool(t, c, "other", `{}`)
	awaitSent(t, c, other)
	for range 1000 {
		c.tell(session.Tick{})
	}
	c.View(func(s *session.Session) {
		if r, _ := s.Row(id); r.Progress.Count > count/2 {
			t.Errorf("%d messages of %d wait for the disk", r.Progress.Count, count)
		}
	})
	close(d.let)
	dt := wantState(t, c, id, session.Done)
	if dt.Progress.Count != count {
		t.Errorf("progress %+v", dt.Progress)
	}
	wantState(t, c, other, session.Done)
}

// To tell a recording of a long secret takes next to nothing, and what comes after it
// is written masked, also while the mask is still to be made.
func TestALongSecretIsLearntBesideTheScreen(t *testing.T) {
	var written memory
	d := &disk{let: make(chan struct{}), ask: make(chan struct{}, 1), to: &written}
	o := options(t, "plain")
	o.Record = d
	c := New(o)
	t.Cleanup(func() { closeIt(t, c) })
	<-d.ask // the first line is being written, and nothing else can be
	long := strings.Repeat("lorem ipsum ", 1<<20/12)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.Conceal(secret.Value{Name: "p", Text: long}, secret.Value{Name: "q", Text: "wombat-7"})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<10 {
		t.Errorf("%d bytes were taken for a mask on the screen's loop", n)
	}
	c.tell(session.Stderr{Line: []byte("before lorem ipsum lorem ipsum wombat-7")})
	c.tell(session.Stderr{Line: []byte("all of it: " + long)})
	close(d.let)
	closeIt(t, c)
	got := written.String()
	if !strings.Contains(got, "before lorem ipsum lorem ipsum ********") || !strings.Contains(got, "all of it: ****") {
		t.Errorf("not masked as it should be: %.3000s", got)
	}
	if _, rest, _ := strings.Cut(got, "all of it: "); strings.Contains(rest, "ipsum") {
		t.Error("a part of the long secret is in the recording")
	}
}

// A disk that is full ends the recording with one message. The session goes on.
func TestDiskFull(t *testing.T) {
	d := &disk{let: make(chan struct{}), err: &fs.PathError{Op: "write", Path: "/here/run.jsonl", Err: syscall.ENOSPC}}
	close(d.let)
	o := options(t, "plain")
	o.Record = d
	c := New(o)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
	await(t, c, "the recording to stop", func(*session.Session) bool { return c.Recording().Err != nil })
	wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
	if r := c.Recording(); r.On || r.Err.Error() != "the recording stopped after 0 bytes: no space left on device" {
		t.Errorf("%+v", r)
	}
	if err := c.Close(t.Context()); err == nil || err.Error() != c.Recording().Err.Error() {
		t.Errorf("Close: %v", err)
	}
	if !d.closed {
		t.Error("the file was not closed")
	}
}

// A disk that takes nothing at all cannot keep belay from ending.
func TestCloseWithADiskThatHangs(t *testing.T) {
	d := &disk{let: make(chan struct{})}
	o := options(t, "floods progress")
	o.Record, o.RecordUnmasked, o.Shutdown = d, true, quick
	c := New(o)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
	callTool(t, c, "flood", "1000000")
	await(t, c, "the bound to be reached", func(*session.Session) bool { return isHeldUp(c) })
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan error)
	go func() { closed <- c.Close(ctx) }()
	cancel()
	if err := <-closed; err == nil || !strings.Contains(err.Error(), "not complete") {
		t.Errorf("Close: %v", err)
	}
	noSurvivor(t, c.Process().PID)
	close(d.let) // lets the goroutine that hangs in the disk go
	c.rec.Load().Close(t.Context())
}

var _ io.WriteCloser = (*disk)(nil)
