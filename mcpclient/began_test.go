//go:build unix

package mcpclient

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"belay/mcpclient/lines"
	"belay/session"
	"belay/session/journal"
)

// A message is told with the time of its first byte, whatever it comes in, and
// however long it is. A portion comes a second after the one before it.
func TestAMessageIsToldWithItsFirstByte(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"notifications/x"}`
	const failed = `{"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"no"}}`
	const chunkSize = 256 << 10 // what the readers take at once, at most
	long := strings.Repeat("x", chunkSize)
	stdio := func(w *httpTransport, r io.Reader, in *inbox) {
		_ = pump(lines.NewReader(r, w.c.opt.MaxLine, w.c.opt.Now), in)
	}
	stream := func(w *httpTransport, r io.Reader, in *inbox) { w.readStream(r, in) }
	whole := func(w *httpTransport, r io.Reader, in *inbox) { w.readMessage(r, in) }
	refusal := func(w *httpTransport, r io.Reader, in *inbox) { w.readRefusal(r, session.Head{Status: 400}, in) }
	for _, tt := range []struct {
		name     string
		read     func(*httpTransport, io.Reader, *inbox)
		portions []string
		want     []int // how many seconds passed from the first byte of each to its end
	}{
		{"lines at once", stdio, []string{note + "\n" + note + "\n"}, []int{0, 0}},
		{"a line in pieces", stdio, []string{note + "\n" + note[:1], note[1:9], note[9:] + "\n" + note + "\n"}, []int{0, 2, 0}},
		{"a line after space", stdio, []string{"\n \t", "\r\n ", note[:7], note[7:] + "\n"}, []int{1}},
		{"the last line", stdio, []string{note[:7], note[7:]}, []int{2}}, // the end comes a second later
		{"a long line", stdio, []string{`{"a":"`, long, long, `"}` + "\n" + note + "\n"}, []int{3, 0}},
		{"a line over the limit", stdio, []string{`{"a":"`, long, long + long + long, `"}` + "\n" + note + "\n"}, []int{3, 0}},

		{"events at once", stream, []string{"data: " + note + "\n\ndata: " + note + "\n\n"}, []int{0, 0}},
		{"an event in pieces", stream, []string{"d", "ata: " + note[:5], note[5:] + "\n", "\ndata: " + note + "\n\n"}, []int{3, 0}},
		{"an event in lines", stream, []string{"event: message\n", "data: " + note + "\n", "\n"}, []int{1}}, // the name is no part of the message
		{"an event with data in lines", stream, []string{"id: 1\n", `data: {"jsonrpc":"2.0",` + "\n", `data: "method":"notifications/x"}` + "\n", "\n"}, []int{2}},
		{"after comments", stream, []string{":\n\n: hello\n", "data: " + note + "\r", "\n\r\n:", "\n", "data: " + note + "\n\n"}, []int{1, 0}},
		{"an event behind half a comment", stream, []string{": a", "b\ndata: " + note + "\n", "\n"}, []int{1}},
		{"a long event", stream, []string{`data: {"a":"`, long, long, `"}` + "\n\ndata: " + note + "\n\n"}, []int{3, 0}},
		{"an event over the limit", stream, []string{`data: {"a":"`, long, long + long + long, `"}` + "\n\ndata: " + note + "\n\n"}, []int{3, 0}},

		{"a body", whole, []string{note[:1], note[1:]}, []int{2}},
		{"a body after space", whole, []string{" ", "\r\n", note[:1], note[1:]}, []int{2}},
		{"a body over the limit", whole, []string{`{"a":"`, long + long + long + long, `"}`}, []int{3}},
		{"a refusal", refusal, []string{failed[:1], failed[1:]}, []int{2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rec := new(buffer)
				c, x := connected(Options{Record: rec, MaxLine: 3 * chunkSize})
				r, w := io.Pipe()
				done := make(chan struct{})
				go func() {
					defer close(done)
					tt.read(&httpTransport{c: c}, bufio.NewReaderSize(r, 1<<20), newInbox(c, x, nil))
				}()
				for _, p := range tt.portions {
					_, _ = io.WriteString(w, p)
					synctest.Wait()
					time.Sleep(time.Second)
				}
				_ = w.Close()
				<-done
				closeIt(t, c)
				if got := rec.beginnings(t); !slices.Equal(got, tt.want) {
					t.Errorf("from first byte to end: %v, want %v", got, tt.want)
				}
			})
		})
	}
}

// buffer is a recording in memory.
type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

// beginnings are the seconds from the first byte of each message to its end.
func (b *buffer) beginnings(t *testing.T) (list []int) {
	t.Helper()
	for line := range bytes.Lines(b.Bytes()) {
		r, err := journal.Parse(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if in, ok := r.Input.(session.Received); ok {
			if in.Ago%time.Second != 0 {
				t.Errorf("%v is no number of seconds", in.Ago)
			}
			list = append(list, int(in.Ago/time.Second))
		}
	}
	return list
}
