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

// BenchmarkStepBack steps back in a recording of 100 MB, from its end: once, which plays
// all that lies before, and then message by message.
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
	b.ReportMetric(float64(len(p.shelf.kept)), "copies")
}
