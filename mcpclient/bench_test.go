//go:build unix

package mcpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"belay/session"
)

// feed writes n lines into a pipe, as fast as it takes them.
func feed(b *testing.B, n int) *os.File {
	b.Helper()
	const per = 10_000
	var block bytes.Buffer
	for i := range per {
		fmt.Fprintf(&block, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":%d,"total":1000000,"message":"step %d of the work"}}`+"\n", 2, i+1, i)
	}
	one := block.Len()/per + 1
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(one))
	go func() {
		defer w.Close()
		for ; n > 0; n -= per {
			data := block.Bytes()
			if n < per {
				cut := 0
				for range n {
					cut += bytes.IndexByte(data[cut:], '\n') + 1
				}
				data = data[:cut]
			}
			if _, err := w.Write(data); err != nil {
				return
			}
		}
	}()
	return r
}

// BenchmarkBareReader is the yardstick: lines are found and counted, nothing else.
func BenchmarkBareReader(b *testing.B) {
	r := feed(b, b.N)
	defer r.Close()
	lines, n := newLineReader(r, defaultMaxLine, time.Now), 0
	b.ResetTimer()
	for {
		err := lines.fill()
		for _, ok := lines.next(); ok; _, ok = lines.next() {
			n++
		}
		if err != nil {
			break
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
	if n != b.N {
		b.Fatalf("%d lines of %d", n, b.N)
	}
}

// BenchmarkIngest is the same stream taken into the core, with all that a
// client does besides.
func BenchmarkIngest(b *testing.B) { ingest(b, Options{}) }

// BenchmarkIngestRecorded is the same with a recording that goes nowhere.
func BenchmarkIngestRecorded(b *testing.B) {
	b.Run("plain", func(b *testing.B) { ingest(b, Options{Record: nowhere{io.Discard}, RecordUnmasked: true}) })
	b.Run("masked", func(b *testing.B) { ingest(b, Options{Record: nowhere{io.Discard}}) })
	var env []string
	for i := range 40 {
		env = append(env, fmt.Sprintf("VARIABLE_%d=value-%d-%x", i, i*i, i*7919), fmt.Sprintf("SHORT_%d=%d", i, i))
	}
	b.Run("masked with an environment", func(b *testing.B) { ingest(b, Options{Record: nowhere{io.Discard}, Env: env}) })
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

func ingest(b *testing.B, o Options) {
	c := New(o)
	defer closeIt(b, c)
	var x session.Exchange
	c.Do(func(s *session.Session, now time.Time) { x.Epoch = s.Connect(now) })
	r := feed(b, b.N)
	defer r.Close()
	forced := make(chan struct{})
	b.ReportAllocs()
	b.ResetTimer()
	_ = pump(newLineReader(r, defaultMaxLine, time.Now), newInbox(c, x, forced))
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
	var got uint64
	c.View(func(s *session.Session) { got = s.Status().Received })
	if got != uint64(b.N) {
		b.Fatalf("the core has received %d messages of %d", got, b.N)
	}
}

// BenchmarkKeyUnderFlood is the time from a key (something done through Do)
// until the server has read its bytes, while the server floods its stdout as
// fast as the pipe carries it. The server's clock is ours.
func BenchmarkKeyUnderFlood(b *testing.B) {
	c := run(b, options(b, "floods and tells the time"))
	awaitReady(b, c)
	callTool(b, c, "flood", `{}`)
	await(b, c, "the flood", func(s *session.Session) bool { return s.Status().Received > 10_000 })
	took := make([]time.Duration, 0, b.N)
	var before uint64
	c.View(func(s *session.Session) { before = s.Status().Received })
	b.ResetTimer()
	for range b.N {
		time.Sleep(2 * time.Millisecond)
		pressed := time.Now()
		d := outcome(b, c, callTool(b, c, "time", `{}`))
		var answer struct{ StructuredContent struct{ At int64 } }
		if err := json.Unmarshal(d.Result, &answer); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Unix(0, answer.StructuredContent.At).Sub(pressed))
	}
	b.StopTimer()
	var after uint64
	c.View(func(s *session.Session) { after = s.Status().Received })
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
	b.ReportMetric(float64(took[len(took)-1].Microseconds()), "µs-max")
	b.ReportMetric(float64(after-before)/b.Elapsed().Seconds(), "lines/s")
}
