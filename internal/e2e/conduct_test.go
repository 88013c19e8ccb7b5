package e2e

import (
	"flag"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"

	"belay/internal/conduct"
)

// A run on purpose, with a table of conducts and verdicts:
//
//	go test ./internal/e2e -run TestConducts -conduct.runs 100 -conduct.table [-conduct.busy 2] [-conduct.only TEXT]
var (
	conductRuns  = flag.Int("conduct.runs", 1, "how often each conduct is played")
	conductTable = flag.Bool("conduct.table", false, "print which verdicts each conduct got")
	conductBusy  = flag.Int("conduct.busy", 0, "processes beside them that use as much of a processor as they get")
	conductOnly  = flag.String("conduct.only", "", "only conducts whose names hold this")
	conductWays  = flag.Bool("conduct.ways", false, "on every way, and not only on stdio and on streams over HTTP")
	conductAtOne = flag.Int("conduct.parallel", 8, "how many are played at a time")
)

// tooLate reports whether too many crossings were told as late. It may happen to one
// in a hundred: what took long on this machine cannot be told from what took long
// elsewhere. Few runs say little about that, least of all on a machine that has
// other things to do: there it is too many when most of them are.
func tooLate(late, runs int) bool {
	if runs >= 100 {
		return late*100 > runs
	}
	return late*2 > runs
}

// waysOf are the ways on which a conduct is played behind the built program.
func waysOf(c conduct.Conduct) (ways []conduct.Way) {
	if c.Fake || c.Narrow && !canNarrow {
		return nil
	}
	if *conductWays {
		return c.Ways
	}
	usual := []conduct.Way{conduct.Stdio, conduct.SSE}
	for _, way := range c.Ways {
		if slices.Contains(usual, way) {
			ways = append(ways, way)
		}
	}
	if len(ways) == 0 {
		return c.Ways
	}
	return ways
}

// tallies are the results of all conducts.
type tallies struct {
	mu    sync.Mutex
	tally conduct.Tally
}

// play plays a conduct so many times, a few calls a session. A crossing that is
// told as late has the conduct played more often: it may happen to one in a
// hundred.
func (all *tallies) play(t *testing.T, c conduct.Conduct, way conduct.Way, runs int) {
	name := string(way) + ": " + c.Name
	done, late := 0, 0
	for limit := runs; done < limit; {
		n := min(limit-done, 3)
		if c.Ends {
			n = 1
		}
		results, err := playSession(t, c, way, n)
		if err != "" {
			t.Errorf("%s: %s", name, err)
			return
		}
		for _, seen := range results {
			wrong := c.Judge(seen)
			if c.WasToldLate(seen) {
				late++
				t.Logf("%s: a crossing told as late: the first byte was written %v before the cancel could be read\n%s", name, -seen.Stamps.Lateness(), seen)
				if limit < 20 {
					limit = 20
				}
				wrong = nil
			}
			for _, w := range wrong {
				t.Errorf("%s: %s\n%s", name, w, seen)
			}
			all.mu.Lock()
			all.tally.Add(name, seen.Verdict, wrong)
			all.mu.Unlock()
		}
		done += n
	}
	if tooLate(late, done) {
		t.Errorf("%s: %d of %d crossings were told as late", name, late, done)
	}
}

// beBusy has processes use up the processors for as long as the test lasts.
func beBusy(t *testing.T, n int) {
	t.Helper()
	for range n {
		cmd := exec.Command(os.Args[0], "burn")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
}
