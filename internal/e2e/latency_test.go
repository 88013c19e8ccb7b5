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
//	go test ./internal/e2e -run '^$' -bench KeyToCancel -benchtime 800x
//
// It reports quantiles; nothing is asserted, since a machine may be busy. For the
// same reason a belay that is idle runs beside, and has its keys pressed in turn:
// only the ratios tell something.
func BenchmarkKeyToCancel(b *testing.B) {
	for _, bb := range []struct {
		name, conduct string
		rows          int
	}{
		{"flood", "flood", 0},
		{"10000rows", "silent-cancel", 10_000},
	} {
		b.Run(bb.name, func(b *testing.B) {
			idle, busy := readyToCancel(b, "silent-cancel", 0), readyToCancel(b, bb.conduct, bb.rows)
			b.ResetTimer()
			for range b.N {
				idle.press()
				busy.press()
			}
			b.StopTimer()
			for _, q := range []struct {
				name string
				at   float64
			}{{"p50", 0.50}, {"p99", 0.99}} {
				b.ReportMetric(busy.quantile(q.at), q.name+"-ms")
				b.ReportMetric(idle.quantile(q.at), q.name+"-idle-ms")
				b.ReportMetric(busy.quantile(q.at)/idle.quantile(q.at), q.name+"-ratio")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// canceller is a belay whose key x is pressed, and how long each cancel took.
type canceller struct {
	*stage
	log  *tail
	took []time.Duration
}

// readyToCancel is one with so many calls in flight.
func readyToCancel(b *testing.B, conduct string, rows int) *canceller {
	b.Helper()
	s := playAt(b, 140, 40, conduct)
	s.See("scripted").call("slow").See("running")
	c := &canceller{stage: s, log: openLog(b, s.log)}
	c.log.await(`"tools/call"`)
	for n := 0; n < rows; n += 500 {
		s.Type(strings.Repeat("r", 500))
		for range 500 {
			c.log.await(`"tools/call"`)
		}
	}
	return c
}

// press makes a call, and cancels it as a person would: not in the frame of the call.
func (c *canceller) press() {
	c.Type("r")
	c.log.await(`"tools/call"`)
	time.Sleep(20 * time.Millisecond)
	pressed := time.Now()
	c.Type("x")
	c.took = append(c.took, c.log.await("notifications/cancelled").Sub(pressed))
}

// quantile is how long it took in milliseconds, or less, in a share of the cases.
func (c *canceller) quantile(q float64) float64 {
	slices.Sort(c.took)
	return float64(c.took[min(len(c.took)-1, int(q*float64(len(c.took))))].Microseconds()) / 1000
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
	deadline := time.Now().Add(hang)
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
