package e2e

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/termtest"
)

// What the processes of a server did after a cancel is told as it was, of servers of which
// it is known. All of them are quiet.
func TestTheProcessesAfterACancel(t *testing.T) {
	beBusy(t, *conductBusy)
	slots := make(chan struct{}, 2*runtime.GOMAXPROCS(0)) // some of them use a processor each
	for _, c := range []struct {
		peer, verdict string
		says          string // on the timeline or in the evidence
		lacks         string
		fields        string // in what the call was
		child         string // that the call begins; a whole command: one that is no child any more; empty: it begins none that lasts
		ended         string // a child that has ended before the cancel; empty: there is none
		grace         string // empty: 5s
		idle          time.Duration
	}{
		{"works-idle", "quiet", `had read it`, `processes used|still running|started`, `processes +1 → 1 → 1`, "", "", "", 0},
		{"works-burn", "still working", `its processes used (\d+ ms|\d(\.\d+)? s) of CPU in`, `still running|meant to stay`, `CPU time`, "", "", "", 0},
		{"works-child-burns", "still working", `still running ([2-9]|\d\d)(\.\d+)? s after the cancel: "sh -c while :; do :; done" \(pid \d+\), started during this call, \d+(\.\d+)? s old`, `meant to stay`, `processes +1 → 2 → 2`, "sh", "", "", 0},
		{"works-child-lives", "left a process", `still running ([2-9]|\d\d)(\.\d+)? s after the cancel: "sleep 599" \(pid \d+\), started during this call, \d+(\.\d+)? s old`, `processes used`, `"sleep 599" \(pid \d+\), .* (runs|was running \S+ after the cancel)`, "sleep", "", "", 0},
		{"works-chain", "still working", `"sleep 0\.5" \(pid \d+\) was started after the cancel`, `meant to stay`, `"sleep 0.5" \(pid \d+\), .* had ended`, "sleep", "", "", 0},
		{"works-child-killed", "ended after the cancel", `"sleep 599" \(pid \d+\), started during this call, had ended (\d+ ms|\d+(\.\d+)? s) after the cancel`, `still running|processes used`, `(?s)processes +1 → 2 → 1.*had ended (<1ms|\d+ms|\d+(\.\d+)?s) after`, "sleep", "", "", 0},
		{"works-child-helped", "ended after the cancel", `lives, nor does the one that was started after the cancel; they may have finished by themselves`, `still running|processes used`, `"sleep 3" \(pid \d+\), .* had ended (\d+ms|\d+(\.\d+)?s) after the cancel`, "sleep", "", "", 0},
		{"works-child-ends", "ended after the cancel", `may have finished by themselves`, `still running|processes used`, `"cat" \(pid \d+\), .* had ended`, "cat", "", "", 0},
		{"works-connected", "quiet", `had read it`, `was seen closed`, `opened +2 connections, of which 2 open`, "", "", "", 0},
		{"works-disconnected", "quiet", `a connection to "127\.0\.0\.1:\d+"(, which may have been opened before the call,)? was seen closed`, `still running`, `of which 0 open`, "", "", "", 0},
		{"works-child-detaches", "left a process", `still running ([2-9]|\d\d)(\.\d+)? s after the cancel: "sleep 61\.1" \(pid \d+\), started during this call`, `processes used`, `"sleep 61\.1" \(pid \d+\), .* (runs|was running \S+ after the cancel)`, "sleep 61.1", "", "", 0}, // its sh ends soon
		{"works-child-leaves", "left a process", `still running ([2-9]|\d\d)(\.\d+)? s after the cancel: "sleep 61\.2" \(pid \d+\), started during this call`, `processes used`, `"sleep 61\.2" \(pid \d+\), .* (runs|was running \S+ after the cancel)`, "sleep 61.2", "", "", 0},
		{"works-child-outlives", "server died", `still running (\d+ ms|\d(\.\d+)? s) after the cancel, when the server had ended: "sleep 9" \(pid \d+\), started during this call, \d+(\.\d+)? s old`, `meant to stay|processes used`, `"sleep 9" \(pid \d+\), .* was running \S+ after the cancel`, "sleep 9", "", "", 0},
		{"works-child-exits", "ended after the cancel", `"sleep 8" \(pid \d+\), started during this call, had ended \d+(\.\d+)? s after the cancel`, `still running|processes used`, `"sleep 8" \(pid \d+\), .* had ended`, "sleep", "", "12s", 0},
		{"works-child-was", "quiet", `had read it`, `still running|meant to stay|processes used|finished by themselves`, `"sleep 4" \(pid \d+\), .* had ended before the cancel`, "", "sleep", "", 0},
		{"works-grandchild", "left a process", `still running ([2-9]|\d\d)(\.\d+)? s after the cancel: "sleep 61\.3" \(pid \d+\), started during this call`, `processes used`, `"sleep 61\.3" \(pid \d+\), .* (runs|was running \S+ after the cancel)`, "sleep 61.3", "sh", "", 0},
		{"works-pool", "quiet", `had read it`, `still running|meant to stay|processes used|started during this call`, `processes +2 → 2 → 2`, "", "", "", 0},
		{"works-always", "quiet", `had read it`, `processes used|still running|started`, `processes +1 → 1 → 1`, "", "", "", 3 * time.Second},
	} {
		t.Run(c.peer, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			s := playAt(t, 300, 50, c.peer, "--grace", cmp.Or(c.grace, "5s"), "--protocol", "2025-11-25")
			s.See("scripted")
			time.Sleep(cmp.Or(c.idle, 900*time.Millisecond)) // what it uses idle is to be known
			s.call("slow").See("running").serverReads(1, `"tools/call"`)
			if strings.Contains(c.child, " ") {
				s.untilLives(c.child)
			} else if c.child != "" {
				s.untilRuns(c.child, 1)
			}
			time.Sleep(2300 * time.Millisecond) // connections are counted once a second
			if c.ended != "" {
				s.untilRuns(c.ended, 0)
			}
			s.Press("x").cancelling().Press("2", "+")
			s.untilSaid(c.verdict, `⊘ cancelled · `+regexp.QuoteMeta(c.verdict)+`\s`)
			s.untilSaid("the evidence", c.says)
			time.Sleep(300 * time.Millisecond)                                                          // the sample of the grace's end has come
			if lacks := c.lacks; strings.Contains(s.Screen().String(), "whether this call worked on") { // what cannot be told on a busy machine
				s.neverSays(strings.TrimPrefix(lacks, "processes used|"))
			} else {
				s.neverSays(lacks)
			}
			s.untilSaid("the verdict still", `⊘ cancelled · `+regexp.QuoteMeta(c.verdict)+`\s`)
			s.Press("h", "h").untilSaid("the figures", c.fields)
			exit := 0
			if c.verdict == "server died" {
				exit = 3
			}
			s.Press("q").Exit(exit)
		})
	}
}

// With two calls in flight that have a child each, the verdicts stay what they were.
func TestTheProcessesOfTwoCalls(t *testing.T) {
	t.Parallel()
	s := playAt(t, 300, 50, "works-child-lives", "--grace", "2s", "--protocol", "2025-11-25")
	s.See("scripted")
	time.Sleep(700 * time.Millisecond)
	s.call("slow").See("1 in flight").untilRuns("sleep", 1)
	s.call("slow").See("2 in flight").untilRuns("sleep", 2)
	time.Sleep(500 * time.Millisecond)
	s.Press("X").See("2 requests").Press("y").Press("2", "+")
	s.untilSaid("quiet", `⊘ cancelled · quiet\s`)
	s.untilSaid("what cannot be told", `process(es)? began when another call was sent, or later: whose .* cannot be told`)
	s.neverSays(`still running|meant to stay`)
	s.Press("h", "h").untilSaid("it in the figures", `other calls were in flight: what is whose cannot be told`)
	s.Press("q").Exit(0)
}

// What an answered call has left serves the next call: a command that the next call runs in it is that call's.
func TestTheProcessesBelowWhatAnAnsweredCallLeft(t *testing.T) {
	t.Parallel()
	s := playAt(t, 300, 50, "works-in-a-shell", "--grace", "2s", "--protocol", "2025-11-25")
	s.See("scripted").call("slow").See("done").untilRuns("sh", 1)
	time.Sleep(700 * time.Millisecond)
	s.Press("r").See("running").untilLives("sleep 62")
	time.Sleep(500 * time.Millisecond)
	s.Press("x").cancelling().Press("2", "+")
	s.untilSaid("left a process", `⊘ cancelled · left a process\s`)
	s.untilSaid("the evidence", `still running \d+(\.\d+)? s after the cancel: "sleep 62" \(pid \d+\), started during this call`)
	s.Press("q").Exit(0)
}

// Without the witness the same server is quiet.
func TestWithoutTheWitness(t *testing.T) {
	t.Parallel()
	s := playAt(t, 300, 50, "works-child-lives", "--grace", "3s", "--no-witness", "--protocol", "2025-11-25")
	s.See("scripted")
	time.Sleep(700 * time.Millisecond)
	s.call("slow").See("running").untilRuns("sleep", 1)
	time.Sleep(500 * time.Millisecond)
	s.Press("x").Press("2", "+")
	s.untilSaid("quiet", `⊘ cancelled · quiet\s`)
	s.Press("h", "h").See("params").neverSays(`processes of the server`)
	s.Press("q").Exit(0)
}

// untilRuns waits until the server runs a number of programs with a name: the system says it,
// and not belay.
func (s *stage) untilRuns(name string, n int) *stage {
	s.t.Helper()
	s.Until(fmt.Sprintf("%d of %s run", n, name), func(termtest.Screen) bool {
		running := 0
		for _, server := range s.children() {
			of, err := termtest.ChildrenOf(server.PID)
			if err != nil {
				s.t.Fatal(err)
			}
			for _, p := range of {
				if p.Command == name {
					running++
				}
			}
		}
		return running == n
	})
	return s
}

// untilLives waits until a process runs with a command line, whoever began it.
func (s *stage) untilLives(command string) *stage {
	s.t.Helper()
	s.Until(command+" runs", func(termtest.Screen) bool {
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		return slices.ContainsFunc(lines, func(path string) bool {
			line, err := os.ReadFile(path)
			return err == nil && strings.ReplaceAll(strings.TrimSuffix(string(line), "\x00"), "\x00", " ") == command
		})
	})
	return s
}

// neverSays fails if the screen says what matches a pattern.
func (s *stage) neverSays(pattern string) {
	s.t.Helper()
	if now := s.Screen(); regexp.MustCompile(pattern).MatchString(now.String()) {
		s.t.Errorf("it says %q:\n%s", pattern, now.Framed())
	}
}
