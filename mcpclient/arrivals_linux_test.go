package mcpclient

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session"
)

// pipes are a server's stdin and stdout, without the server.
func pipes(t *testing.T) (in inputPipe, out outputPipe, server struct{ in, out *os.File }) {
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
	return inputPipe{inW}, outputPipe{outR}, server
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
	a := &arrivals{out: out}
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
