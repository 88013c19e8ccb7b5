package ui

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// realNow is a time that also passes in a bubble of synctest.
func realNow() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

// slowestKey is how long the slowest of the keys is worked on that are pressed
// after a thing of some size.
func slowestKey(b *testing.B, thing bigThing, size int) (slowest time.Duration) {
	b.Helper()
	play := func(t *testing.T) {
		playBig(t, thing, size, func(where string, update func()) {
			from := realNow()
			update()
			if took := realNow() - from; strings.HasSuffix(where, "tea.KeyPressMsg") {
				slowest = max(slowest, took)
			}
		})
	}
	all := func(string, string) (bool, error) { return true, nil }
	if !testing.RunTests(all, []testing.InternalTest{{Name: thing.what, F: play}}) {
		b.Fatal("it failed")
	}
	return slowest
}

// BenchmarkKeysBesideABigThing is the slowest key while something big of a server's is
// on the screen, and how that compares with the same keys beside something small: in
// one run, and the quickest of all times each, as the machine has other work.
func BenchmarkKeysBesideABigThing(b *testing.B) {
	for _, thing := range bigThings {
		b.Run(strings.ReplaceAll(thing.what, " ", "-"), func(b *testing.B) {
			idle, big := time.Hour, time.Hour
			for b.Loop() {
				idle = min(idle, slowestKey(b, thing, 1))
				big = min(big, slowestKey(b, thing, bigSize()))
			}
			b.ReportMetric(float64(big)/float64(idle), "x-idle")
			b.ReportMetric(float64(big.Microseconds())/1000, "ms/slowest-key")
			b.ReportMetric(0, "ns/op") // it is mostly the making of the thing
		})
	}
}
