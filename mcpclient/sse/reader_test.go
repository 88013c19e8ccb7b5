package sse_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"belay/mcpclient/sse"
)

// all reads a stream to its end.
func all(t *testing.T, src io.Reader, limit int) (events []string) {
	t.Helper()
	r := sse.NewReader(src, limit, time.Now)
	for {
		err := r.Fill()
		for ev, ok := r.Next(); ok; ev, ok = r.Next() {
			events = append(events, describe(ev))
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatalf("the stream ended with %v", err)
			}
			return events
		}
	}
}

func describe(ev sse.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|", ev.Name)
	if ev.HasID {
		fmt.Fprintf(&b, "id=%s", ev.ID)
	}
	b.WriteString("|")
	if ev.Retry >= 0 {
		b.WriteString(ev.Retry.String())
	}
	fmt.Fprintf(&b, "|%s", ev.Data)
	if ev.Over != nil {
		fmt.Fprintf(&b, "over id=%s", ev.Over.ID)
	}
	if ev.Odd != nil {
		fmt.Fprintf(&b, "odd %s", ev.Odd)
	}
	return b.String()
}

// Every stream is read in pieces of all kinds: what is in it must not depend on
// where the network cuts it.
func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		name, stream string
		want         []string
	}{
		{"one", "data: {}\n\n", []string{"|||{}"}},
		{"no space after the colon", "data:{}\n\n", []string{"|||{}"}},
		{"one space only is taken off", "data:  x\n\n", []string{"||| x"}},
		{"several lines", "data: a\ndata: b\ndata\n\n", []string{"|||a\nb\n"}},
		{"carriage returns", "data: a\r\rdata: b\r\r", []string{"|||a", "|||b"}},
		{"both line ends", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"|||a", "|||b"}},
		{"byte order mark", "\xEF\xBB\xBFdata: a\n\n", []string{"|||a"}},
		{"mark in the middle is text", "data: a\n\n\xEF\xBB\xBFdata: b\n\n", []string{"|||a", "|||odd \xEF\xBB\xBFdata: b"}},
		{"comments", ": hello\n:\n\ndata: a\n: between\n\n", []string{"|||a"}},
		{"name, ID, retry", "event: endpoint\nid: 7\nretry: 1500\ndata: /x\n\n", []string{"endpoint|id=7|1.5s|/x"}},
		{"priming event", "id: 7\ndata:\n\n", []string{"|id=7||"}},
		{"ID without data", "id: 8\n\n", []string{"|id=8||"}},
		{"empty ID", "id\ndata: x\n\n", []string{"|id=||x"}},
		{"ID with NUL is ignored", "id: a\x00b\ndata: x\n\n", []string{"|||x"}},
		{"odd retry is ignored", "retry: 1.5\nretry: -3\nretry: soon\ndata: x\n\n", []string{"|||x"}},
		{"unknown fields", "id: 7\nfoo: bar\nDATA: y\ndata: x\n\n", []string{"|||odd foo: bar", "|||odd DATA: y", "|id=7||x"}},
		{"JSON without a field", "{\"id\":7}\n\ndata: x\n\n", []string{"|||odd {\"id\":7}", "|||x"}},
		{"a line that is cut off", "data: a\n\nfoo", []string{"|||a"}},
		{"cut off", "data: a\n\ndata: b\n", []string{"|||a"}},
		{"cut off in a line", "data: a\n\ndata: b", []string{"|||a"}},
		{"nothing", "", nil},
		{"UTF-8", "data: “ü” 漢\n\n", []string{"|||“ü” 漢"}},
		{"line separators of Unicode are text", "data: a\u2028b\n\n", []string{"|||a\u2028b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, src := range map[string]io.Reader{
				"whole": strings.NewReader(tt.stream), "byte by byte": iotest.OneByteReader(strings.NewReader(tt.stream)),
				"halves": iotest.HalfReader(strings.NewReader(tt.stream)), "end with data": iotest.DataErrReader(strings.NewReader(tt.stream)),
			} {
				if got := all(t, src, 1<<20); !reflect.DeepEqual(got, tt.want) {
					t.Errorf("%s: got %q, want %q", how, got, tt.want)
				}
			}
		})
	}
}

// Data over the limit is told with the ID of its message, and the stream goes on.
func TestOverlong(t *testing.T) {
	long := `{"jsonrpc":"2.0","result":{"x":"` + strings.Repeat("y", 100_000) + `"},"id":7}`
	for name, stream := range map[string]string{
		"one line":       "data: " + long + "\n\ndata: {}\n\n",
		"two lines":      "data: " + long[:60_000] + "\ndata: " + long[60_000:] + "\n\ndata: {}\n\n",
		"a long comment": ": " + long + "\ndata: " + long + "\n\ndata: {}\n\n",
		"a long ID":      "id: " + long + "\ndata: " + long + "\n\ndata: {}\n\n",
	} {
		for how, src := range map[string]io.Reader{
			"whole": strings.NewReader(stream), "byte by byte": iotest.OneByteReader(strings.NewReader(stream)),
		} {
			got := all(t, src, 1000)
			want := []string{"|||over id=7", "|||{}"}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: got %q, want %q", name, how, got, want)
			}
		}
	}
}

// A line that is no field is given in its beginning, however long it is.
func TestOddLines(t *testing.T) {
	for name, src := range map[string]func(string) io.Reader{
		"whole": func(s string) io.Reader { return strings.NewReader(s) }, "byte by byte": func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
	} {
		for _, size := range []int{900, 5000, 100_000} {
			line := strings.Repeat("z", size)
			got := all(t, src("data: a\n"+line+"\ndata: b\n\n"), 2000)
			if want := []string{"|||odd " + line[:min(size, 1024)], "|||a\nb"}; !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d bytes: got %.100q", name, size, got)
			}
		}
	}
}

// What has come of an event, and not its end; a comment is none of that.
func TestWhatIsUnfinished(t *testing.T) {
	for stream, want := range map[string]int{
		"data: abc": 9, "data: abc\n": 3, "data: abc\n\n": 0, ": still here": 0, ":" + strings.Repeat("x", 5000): 0, "{\"id\":7": 7, strings.Repeat("z", 5000): 5000,
		"data: abc\n: still here": 3,
	} {
		r := sse.NewReader(strings.NewReader(stream), 1000, time.Now)
		for r.Fill() == nil {
			for ok := true; ok; {
				_, ok = r.Next()
			}
		}
		if size, kept := r.Part(); size != want || kept != (size <= 1000) {
			t.Errorf("%.20q: %d, kept %v", stream, size, kept)
		}
	}
}

// A line without end takes no more memory than the limit.
func TestEndless(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := sse.NewReader(io.LimitReader(endless{}, 64<<20), 1<<20, time.Now)
	for r.Fill() == nil {
		if _, ok := r.Next(); ok {
			t.Fatal("an event came out of it")
		}
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("64 MiB without an end took %d bytes of memory", got)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// What a reader says must not depend on where the stream is cut, whatever is in
// it.
func FuzzReader(f *testing.F) {
	f.Add("data: a\r\nid: 3\n\n: x\revent: e\rdata: b\r\r", 10)
	f.Add("\xEF\xBB\xBFretry: 5\n\n", 3)
	f.Fuzz(func(t *testing.T, stream string, limit int) {
		limit = max(1, limit%500)
		whole := all(t, strings.NewReader(stream), limit)
		cut := all(t, iotest.OneByteReader(strings.NewReader(stream)), limit)
		if !reflect.DeepEqual(whole, cut) {
			t.Errorf("whole: %q\nbyte by byte: %q", whole, cut)
		}
	})
}

func TestRetryIsBounded(t *testing.T) {
	r := sse.NewReader(strings.NewReader("retry: 99999999999999999999\nid: 1\n\n"), 100, time.Now)
	_ = r.Fill()
	ev, ok := r.Next()
	if !ok || ev.Retry != -1 {
		t.Errorf("got %v, %v", ev.Retry, ok)
	}
}
