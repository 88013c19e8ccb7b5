package mcpclient

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/mcpclient/lines"
	"belay/mcpclient/process"
	"belay/session"
)

// echo is a server that says what it is told.
type echo struct {
	*process.Child
	t    *testing.T
	said int64
}

func newEcho(t *testing.T) *echo {
	t.Helper()
	ch, err := process.Spawn(process.Command{
		Argv: []string{"cat"}, Expect: func(*os.File) func() { return func() {} }, Group: func(int) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _, _ = ch.Stdin.Close(), ch.Stdout.Close(), ch.Stderr.Close()
		_ = ch.Cmd.Wait()
	})
	return &echo{Child: ch, t: t}
}

// say has the server write a text, and waits until that has come.
func (e *echo) say(text string) {
	e.t.Helper()
	if _, err := io.WriteString(e.Stdin, text); err != nil {
		e.t.Fatal(err)
	}
	e.comes(text)
}

// comes waits until a text has come after all that came before.
func (e *echo) comes(text string) {
	e.t.Helper()
	e.said += int64(len(text))
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		n, ok := e.Stdout.Come(true)
		if ok && n >= e.said {
			return
		}
		if !ok || time.Now().After(end) {
			e.t.Fatalf("%d bytes of %d have come: %v", n, e.said, ok)
		}
	}
}

// mark notes what has come by a time.
func (e *echo) mark(a *arrivals, at time.Time) {
	if n, ok := a.Come(true); ok {
		a.mark(n, at)
	}
}

// A message of which a byte lay in the pipe when something was written had begun by then, however
// late it is read; what came after has the time of its reading.
func TestWhatLiesUnreadHasCome(t *testing.T) {
	server := newEcho(t)
	say := server.say
	second := func(n int) time.Time { return time.Unix(int64(n), 0) }
	a := &arrivals{Output: server.Stdout}
	ls := lines.NewReader(a, defaultMaxLine, func() time.Time { return second(9) })
	ls.By = a.by
	server.mark(a, second(1)) // nothing lies there
	say("\n {\"a\":1}\n")
	server.mark(a, second(2))
	say(`{"b":`)
	server.mark(a, second(3))
	say("2}\n{\"c\":3}\n")
	var got []int64
	read := func() {
		t.Helper()
		if err := ls.Fill(); err != nil {
			t.Fatal(err)
		}
		for ln, ok := ls.Next(); ok; ln, ok = ls.Next() {
			got = append(got, ln.Began.Unix())
		}
	}
	read()
	say(`{"d":4}` + "\n" + `{"e`)
	server.mark(a, second(4))
	read()
	say("\":5}\n" + strings.Repeat("x", 3) + "\n")
	server.mark(a, second(10)) // a clock that went back tells nothing
	read()
	if want := []int64{2, 3, 9, 4, 4, 9}; !slices.Equal(got, want) {
		t.Errorf("began at %v, want %v", got, want)
	}
	for range 2 * mostMarks {
		say("y")
		server.mark(a, second(5))
	}
	if n := len(a.marks); n != mostMarks {
		t.Errorf("%d marks are kept of a reader that does not run", n)
	}
}

// What a reader has taken and not looked at has come as well.
func TestWhatIsTakenAndNotLookedAtHasCome(t *testing.T) {
	server := newEcho(t)
	a := &arrivals{Output: server.Stdout}
	for n, text := range []string{"{}\n", "[]\n"} {
		server.say(text)
		if _, err := a.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		written, later := time.Unix(int64(10*n), 0), time.Unix(int64(10*n+9), 0)
		server.mark(a, written)
		server.mark(a, written.Add(time.Second)) // which says no more
		if by := a.by(int64(3*n), later); !by.Equal(written) {
			t.Errorf("it had come by %v", by)
		}
		if by := a.by(int64(3*n+3), later); !by.Equal(later) {
			t.Errorf("what came after it had come by %v", by)
		}
	}
	_ = server.Stdin.Close()
	if n, err := a.Read(make([]byte, 10)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %d, %v", n, err)
	}
	_ = server.Stdout.Close()
	if _, err := a.Read(make([]byte, 10)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	server.mark(a, time.Unix(1, 0)) // and tells nothing
}

// timedInput is a stdin that knows when it was written to.
type timedInput struct {
	process.Input
	written time.Time
}

func (in *timedInput) WriteTimed(b []byte, now func() time.Time) ([]process.Piece, error) {
	done, err := in.Input.WriteTimed(b, now)
	in.written = time.Now()
	time.Sleep(time.Millisecond) // what is looked at from here on has a later time on any clock
	return done, err
}

// The writer looks at what lies in stdout before it writes.
func TestTheWriterLooksAtWhatLiesUnread(t *testing.T) {
	server := newEcho(t)
	c := run(t, Options{Command: []string{"cat"}})
	p := newStdio(c, &child{Child: server.Child})
	in := &timedInput{Input: server.Stdin}
	p.Stdin = in
	server.say("{}\n")
	p.handed <- []session.Output{{Op: session.OpWrite, Data: []byte("{}")}}
	go p.write()
	server.comes("{}\n")
	p.closeStdin()
	<-p.writeEnded
	if by := p.came.by(0, in.written.Add(time.Hour)); by.After(in.written) {
		t.Errorf("what lay unread had come by %v, after the message was written", by.Sub(in.written))
	}
}

// notedInput is a stdin that notes each write.
type notedInput struct {
	process.Input
	writes []string
}

func (in *notedInput) WriteTimed(b []byte, now func() time.Time) ([]process.Piece, error) {
	in.writes = append(in.writes, string(b))
	return in.Input.WriteTimed(b, now)
}

// A cancel is told as written when it was, and not when there is room for what follows it: that is another write.
func TestWhatFollowsACancelIsAnotherWrite(t *testing.T) {
	server := newEcho(t)
	c := run(t, Options{Command: []string{"cat"}})
	p := newStdio(c, &child{Child: server.Child})
	in := &notedInput{Input: server.Stdin}
	p.Stdin = in
	answer := session.Output{Op: session.OpWrite, Data: []byte("{}"), Urgent: true}
	note := session.Output{Op: session.OpWrite, Data: []byte("[1]"), Urgent: true, IsCancel: true}
	p.handed <- []session.Output{answer, note, note, answer, {Op: session.OpWrite, Data: []byte("[2]")}}
	go p.write()
	const cancels, rest = "{}\n[1]\n[1]\n", "{}\n[2]\n"
	server.comes(cancels + rest)
	p.closeStdin()
	<-p.writeEnded
	if !slices.Equal(in.writes, []string{cancels, rest}) {
		t.Errorf("%q", in.writes)
	}
}

// takenOutput is a stdout of which a reader is always taking something.
type takenOutput struct {
	process.Output
	asked []bool
}

func (o *takenOutput) Come(mayWait bool) (n int64, ok bool) {
	o.asked = append(o.asked, mayWait)
	if !mayWait {
		return 0, false
	}
	return o.Output.Come(true)
}

// A cancel leaves without waiting for the reader. What lies in stdout is looked at right behind it;
// other messages wait.
func TestACancelDoesNotWaitForTheReader(t *testing.T) {
	for _, isCancel := range []bool{false, true} {
		server := newEcho(t)
		c := run(t, Options{Command: []string{"cat"}})
		p := newStdio(c, &child{Child: server.Child})
		taken := &takenOutput{Output: server.Stdout}
		p.came.Output = taken
		server.say("{}\n")
		p.handed <- []session.Output{{Op: session.OpWrite, Data: []byte("{}"), IsCancel: isCancel}}
		go p.write()
		server.comes("{}\n")
		p.closeStdin()
		<-p.writeEnded
		want := []bool{true}
		if isCancel {
			want = []bool{false, true}
		}
		if !slices.Equal(taken.asked, want) {
			t.Errorf("a cancel %v: stdout was looked at so: %v, want %v", isCancel, taken.asked, want)
		}
		if late := time.Now().Add(time.Hour); !p.came.by(0, late).Before(late) {
			t.Errorf("a cancel %v: nothing is known of what lay unread", isCancel)
		}
	}
}
