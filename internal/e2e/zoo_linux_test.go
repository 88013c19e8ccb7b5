package e2e

import (
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"belay/internal/conduct"
	"belay/internal/requirements"
)

// Servers whose tool runs as a task, of both kinds and over each transport: the audit cancels
// the tasks, and sees what became of them, also where it sees nothing else.
func TestAuditsOfTasks(t *testing.T) {
	t.Parallel()
	var wait sync.WaitGroup
	defer wait.Wait()
	some := map[string][]conduct.Way{
		"audited: a good task":                                 conduct.TaskWays,
		"audited: a task that completes all the same":          {conduct.HTTPModern},
		"audited: a task that is cancelled and then completes": {conduct.Stdio},
		"audited: a cancel that is not answered":               {conduct.JSON},
	}
	for _, a := range conduct.TaskZoo() {
		ways := some[a.Name]
		if *auditAll {
			ways = conduct.TaskWays
		}
		for _, way := range ways {
			server, _ := taskPeer(t, a.TaskConduct, way)
			wait.Go(func() {
				holds(t, string(way)+", "+a.Name, a.Exit(way), func(check string) []string { return a.Wants(check, way) }, always(append([]string{"--protocol", way.Revision(), "--yes", "--crowd", "2"}, server...)...))
			})
		}
	}
}

// httpZoo are the servers that are always audited over HTTP, those that ask among them.
var httpZoo = []string{
	"quiet", "ignores every cancel, and answers", "isError that says cancelled", `cancels 7 when told "7"`,
	"asks, and withdraws its question when its call is cancelled", "asks by its answer", endsExchange,
}

// endsExchange says no more of a call elsewhere: of the servers that heed their cancels it alone is
// always audited in the first era as well.
const endsExchange = "ends the exchange of a call at its cancel"

// Servers of known conduct behind the built program, over HTTP in both eras.
func TestAuditsOverHTTP(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-19", "CXL-20")
	var wait sync.WaitGroup
	defer wait.Wait()
	for _, a := range conduct.Zoo() {
		if a.Fake || !*auditAll && !slices.Contains(httpZoo, a.Name) {
			continue
		}
		for _, way := range a.Ways {
			if !way.IsHTTP() || !*auditAll && a.Exit == 0 && way != conduct.HTTPModern && !strings.HasPrefix(a.Name, "asks") && a.Name != endsExchange || !*auditAll && strings.Contains(a.Name, "7") {
				continue
			}
			wait.Go(func() {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Error(err)
					return
				}
				w := conduct.OverHTTP(t, a.Conduct(), conduct.Stage{Way: way, Played: func(*conduct.Scene) {}}, l)
				holds(t, string(way)+", "+a.Name, a.Exit, func(check string) []string { return a.Wants(check, way) }, func(pace int) ([]string, bool) {
					w.SetPace(pace)
					return []string{"--protocol", way.Revision(), "--yes", w.URL()}, pace > 1
				})
			})
		}
	}
}

// stdioZoo are the servers that are always audited as processes.
var stdioZoo = []string{"deaf after a cancel", "dies of a cancel", "cancels all calls", "a message some time after the cancel, which 2026-07-28 forbids"}

// Servers of known conduct as processes, in both eras. They do not work, so that nothing of their
// processes can pass for work that stopped.
func TestAuditsOverStdio(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-17", "CXL-19")
	var wait sync.WaitGroup
	defer wait.Wait()
	for _, a := range conduct.Zoo() {
		for _, way := range a.Ways {
			if way.IsHTTP() || a.Fake || !*auditAll && (!slices.Contains(stdioZoo, a.Name) || way != a.Ways[0]) {
				continue
			}
			wait.Go(func() {
				holds(t, string(way)+", "+a.Name, a.Exit, func(check string) []string { return asProcess(check, a.Wants(check, way)) },
					func(pace int) ([]string, bool) {
						return []string{"--protocol", way.Revision(), "--yes", "--", os.Args[0], "animal", a.Name, string(way), strconv.Itoa(pace)}, pace > 1
					})
			})
		}
	}
}

// asProcess is what is true of a check of a server that is a process, by what is true of one that
// has none: it leaks nothing, and ends with its input. Memory may rise a little.
func asProcess(check string, want []string) []string {
	_, claim, _ := strings.Cut(check, "/")
	switch {
	case claim == "server-ends" && slices.Contains(want, "skipped"):
		return []string{"pass", "skipped"}
	case slices.Contains([]string{"processes", "connections", "files", "memory"}, claim) && slices.Contains(want, "unseen"):
		return []string{"pass", "unseen"}
	}
	return want
}
