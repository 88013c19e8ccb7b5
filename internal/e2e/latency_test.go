package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkKeyToCancel measures from the key, written to the pseudo-terminal,
// to the cancel's bytes, read by the server from its stdin. Run it with
//
//	go test ./internal/e2e -run '^$' -bench KeyToCancel -benchtime 200x
//
// It reports quantiles; nothing is asserted, since a machine may be busy.
func BenchmarkKeyToCancel(b *testing.B) {
	for _, bb := range []struct {
		name, conduct string
		rows          int
	}{
		{"idle", "silent-cancel", 0},
		{"flood", "flood", 0},
		{"10000rows", "silent-cancel", 10_000},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := playAt(b, 140, 40, bb.conduct)
			s.See("scripted").call("slow").See("running")
			log := openLog(b, s.log)
			log.await(`"tools/call"`)
			for n := 0; n < bb.rows; n += 500 {
				s.Type(strings.Repeat("r", 500))
				for range 500 {
					log.await(`"tools/call"`)
				}
			}
			var took []time.Duration
			b.ResetTimer()
			for range b.N {
				s.Type("r")
				log.await(`"tools/call"`)
				time.Sleep(20 * time.Millisecond) // as a person would: not in the frame of the call
				pressed := time.Now()
				s.Type("x")
				read := log.await("notifications/cancelled")
				took = append(took, read.Sub(pressed))
			}
			b.StopTimer()
			slices.Sort(took)
			at := func(q float64) float64 {
				return float64(took[min(len(took)-1, int(q*float64(len(took))))].Microseconds()) / 1000
			}
			b.ReportMetric(at(0.50), "p50-ms")
			b.ReportMetric(at(0.99), "p99-ms")
			b.ReportMetric(at(1), "max-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// tail reads a log as it grows.
type tail struct {
	tb  testing.TB
	in  *bufio.Reader
	got string
}

func openLog(tb testing.TB, path string) *tail {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return &tail{tb: tb, in: bufio.NewReader(f)}
}

// await returns when the server read the next line that holds a word.
func (l *tail) await(word string) time.Time {
	l.tb.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		part, err := l.in.ReadString('\n')
		l.got += part
		if err == io.EOF {
			if time.Now().After(deadline) {
				l.tb.Fatalf("the server never read %q", word)
			}
			time.Sleep(200 * time.Microsecond)
			continue
		}
		line := l.got
		l.got = ""
		var entry logged
		if json.Unmarshal([]byte(line), &entry) == nil && strings.Contains(entry.Line, word) {
			return time.Unix(0, entry.At)
		}
	}
}
