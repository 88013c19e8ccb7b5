package replay

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"belay/session"
)

// busyRecording writes a recording of about so many bytes: a call after another, each
// with its progress, and each tenth of them cancelled.
func busyRecording(tb testing.TB, size int64) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "run.jsonl")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	r := newRun(nil)
	r.quick = true
	text := bytes.Repeat([]byte("what the tool has found "), 40)
	for n, wrote := 0, int64(0); wrote < size; n++ {
		id := r.does(call("work"))
		row, _ := r.s.Row(id)
		for i := range 5 {
			r.now = r.now.Add(time.Millisecond)
			r.hears(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"message":"part %d"}}`, row.Wire, i+1, i+1)
		}
		if n%10 == 0 {
			r.does(session.Cancel{Call: id})
		}
		r.later(time.Millisecond)
		r.hears(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, row.Wire, text)
		k, err := r.file.WriteTo(f)
		if err != nil {
			tb.Fatal(err)
		}
		wrote += k
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

// BenchmarkStepBack steps back in a recording of 100 MB, from its end: once, which goes on from a
// copy that was left on the way there, and then message by message.
func BenchmarkStepBack(b *testing.B) {
	x, err := Open(busyRecording(b, 100<<20))
	if err != nil {
		b.Fatal(err)
	}
	p := NewPlayer(x, false)
	defer p.Close()
	began := time.Now()
	rested(b, p)
	all := time.Since(began)
	began = time.Now()
	p.Step(false)
	rested(b, p)
	first := time.Since(began)
	for b.Loop() {
		p.Step(false)
		rested(b, p)
	}
	b.ReportMetric(all.Seconds()*1000, "ms/all")
	b.ReportMetric(first.Seconds()*1000, "ms/first")
	b.ReportMetric(all.Seconds()/first.Seconds(), "all/first")
	b.ReportMetric(float64(len(p.shelf.kept)), "copies")
}

// BenchmarkFirstFrame opens a recording of 1 MB and one of 1 GB, and waits until the
// player has rows to show and knows how long the run was. The last figure is how many times as
// long the large one takes; no more than 2 is wanted.
func BenchmarkFirstFrame(b *testing.B) {
	paths := [2]string{busyRecording(b, 1<<20), ""}
	paths[1] = repeated(b, paths[0], 1<<30)
	var took [2]time.Duration
	for b.Loop() {
		for i, path := range paths {
			began := time.Now()
			x, err := Open(path)
			if err != nil {
				b.Fatal(err)
			}
			p := NewPlayer(x, false)
			until(b, p, "with a row", func(st Status) bool { return st.Line > 20 && st.Length > 0 })
			took[i] += time.Since(began)
			if err := p.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(took[0].Microseconds())/float64(b.N), "µs/1MB")
	b.ReportMetric(float64(took[1].Microseconds())/float64(b.N), "µs/1GB")
	b.ReportMetric(float64(took[1])/float64(took[0]), "ratio")
}

// repeated is a recording that goes on with its own lines until it has a size. What they
// are worth the second time is nothing to whoever looks at the first frame.
func repeated(tb testing.TB, path string, size int64) string {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	to := filepath.Join(tb.TempDir(), "large.jsonl")
	f, err := os.Create(to)
	if err != nil {
		tb.Fatal(err)
	}
	_, more, _ := bytes.Cut(data, []byte("\n"))
	for n := int64(0); n < size; data = more {
		k, err := f.Write(data)
		if err != nil {
			tb.Fatal(err)
		}
		n += int64(k)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return to
}
