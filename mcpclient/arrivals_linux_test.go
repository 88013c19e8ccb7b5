package mcpclient

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session"
)

// pipes are a server's stdin and stdout, without the server.
func pipes(t *testing.T) (in inputPipe, out *outputPipe, server struct{ in, out *os.File }) {
	t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []*os.File{inR, inW, outR, outW} {
			_ = f.Close()
		}
	})
	server.in, server.out = inR, outW
	return inputPipe{inW}, newOutputPipe(outR), server
}

// A message of which a byte lay in the pipe when something was written had begun by then, however
// late it is read; what came after has the time of its reading.
func TestWhatLiesUnreadHasCome(t *testing.T) {
	_, out, server := pipes(t)
	say := func(text string) {
		if _, err := server.out.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	second := func(n int) time.Time { return time.Unix(int64(n), 0) }
	a := &arrivals{output: out}
	lines := newLineReader(a, defaultMaxLine, func() time.Time { return second(9) })
	lines.by = a.by
	a.mark(second(1)) // nothing lies there
	say("\n {\"a\":1}\n")
	a.mark(second(2))
	say(`{"b":`)
	a.mark(second(3))
	say("2}\n{\"c\":3}\n")
	var got []int64
	read := func() {
		t.Helper()
		if err := lines.fill(); err != nil {
			t.Fatal(err)
		}
		for ln, ok := lines.next(); ok; ln, ok = lines.next() {
			got = append(got, ln.began.Unix())
		}
	}
	read()
	say(`{"d":4}` + "\n" + `{"e`)
	a.mark(second(4))
	read()
	say("\":5}\n" + strings.Repeat("x", 3) + "\n")
	a.mark(second(10)) // a clock that went back tells nothing
	read()
	if want := []int64{2, 3, 9, 4, 4, 9}; !slices.Equal(got, want) {
		t.Errorf("began at %v, want %v", got, want)
	}
	for range 2 * mostMarks {
		say("y")
		a.mark(second(5))
	}
	if n := len(a.marks); n != mostMarks {
		t.Errorf("%d marks are kept of a reader that does not run", n)
	}
}

// What a reader has taken and not looked at has come as well.
func TestWhatIsTakenAndNotLookedAtHasCome(t *testing.T) {
	_, out, server := pipes(t)
	a := &arrivals{output: out}
	for n, text := range []string{"{}\n", "[]\n"} {
		if _, err := server.out.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		written, later := time.Unix(int64(10*n), 0), time.Unix(int64(10*n+9), 0)
		a.mark(written)
		a.mark(written.Add(time.Second)) // which says no more
		if by := a.by(int64(3*n), later); !by.Equal(written) {
			t.Errorf("it had come by %v", by)
		}
		if by := a.by(int64(3*n+3), later); !by.Equal(later) {
			t.Errorf("what came after it had come by %v", by)
		}
	}
	_ = server.out.Close()
	if n, err := a.Read(make([]byte, 10)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %d, %v", n, err)
	}
	_ = out.Close()
	if _, err := a.Read(make([]byte, 10)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	a.mark(time.Unix(1, 0)) // and tells nothing
}

// The writer looks at what lies in stdout before each write.
func TestTheWriterLooksAtWhatLiesUnread(t *testing.T) {
	in, out, server := pipes(t)
	c := run(t, Options{Command: []string{"cat"}})
	p := newStdio(c, &child{stdin: in, stdout: out})
	if _, err := server.out.WriteString("{}\n"); err != nil {
		t.Fatal(err)
	}
	p.handed <- session.Output{Op: session.OpWrite, Data: []byte("{}")}
	go p.write()
	if _, err := server.in.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	read := time.Now()
	if by := p.came.by(0, read.Add(time.Hour)); by.After(read) {
		t.Errorf("what lay unread had come by %v, after the server had read", by.Sub(read))
	}
	p.closeStdin()
	<-p.writeEnded
}
