package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"belay/internal/termtest"
)

// starter is a program, and what its screen shows at some point of its start.
type starter struct {
	name string
	argv []string
	sees string
	took []time.Duration
}

// BenchmarkStart measures from the start of a program to what it shows: belay with
// the demo server, and with a server that answers at once, beside a Bubble Tea
// program that does nothing. Run it with
//
//	go test ./internal/e2e -run '^$' -bench Start -benchtime 50x
//
// Programs take turns, so that a busy machine is as busy for each. It reports medians
// and their ratios to the bare program. Another client can be measured beside them:
// BELAY_RIVAL is its command, as a path without arguments, BELAY_RIVAL_SEES what it
// shows when it can be used; it gets the server that answers at once as its arguments.
func BenchmarkStart(b *testing.B) {
	bare, quick := built(b, "bare"), built(b, "quick")
	all := []*starter{
		{name: "bare", argv: []string{bare}, sees: "bare"},
		{name: "frame", argv: []string{belay, "--", quick}, sees: "1 Calls"},
		{name: "usable", argv: []string{belay, "--", quick}, sees: "1 tool"},
		{name: "demo-frame", argv: []string{belay}, sees: "1 Calls"},
		{name: "demo-usable", argv: []string{belay}, sees: "tools"},
	}
	if rival := os.Getenv("BELAY_RIVAL"); rival != "" {
		all = append(all, &starter{name: "rival", argv: []string{rival, quick}, sees: os.Getenv("BELAY_RIVAL_SEES")})
	}
	b.ResetTimer()
	for range b.N {
		for _, s := range all {
			s.start(b)
		}
	}
	b.StopTimer()
	for _, s := range all {
		b.ReportMetric(s.median(), s.name+"-ms")
		if s != all[0] {
			b.ReportMetric(s.median()/all[0].median(), s.name+"-ratio")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// built is a program of testdata.
func built(b *testing.B, name string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", path, "./testdata/"+name).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return path
}

func (s *starter) start(b *testing.B) {
	b.Helper()
	began := time.Now()
	term, err := termtest.Start(b, termtest.Options{Argv: s.argv, Cols: 140, Rows: 32})
	if err != nil {
		b.Fatal(err)
	}
	if err := term.WaitText(s.sees); err != nil {
		b.Fatal(err)
	}
	s.took = append(s.took, time.Since(began))
	_, _ = term.Close()
}

// median is in milliseconds.
func (s *starter) median() float64 {
	slices.Sort(s.took)
	return float64(s.took[len(s.took)/2].Microseconds()) / 1000
}
