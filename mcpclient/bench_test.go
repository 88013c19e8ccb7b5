//go:build unix

package mcpclient

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"syscall"
	"testing"
	"time"

	"belay/session"
)

// BenchmarkIngest is one notification of a flood, from the pipe to the wire log, with
// all that a client does besides. What else the machine does troubles its pace more
// than the CPU time, which is that of this process: the server has its own.
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
	flooded := besideBelay(b, o)
	b.ReportAllocs()
	b.ResetTimer()
	before := cpuTime(b)
	b.ReportMetric(flooded(b.N), "lines/s")
	b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns/line")
}

// cpuTime is what this process has used so far, the kernel's work for it included.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
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
