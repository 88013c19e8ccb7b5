package e2e

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"belay/internal/conduct"
)

// The longest tests stand in the last files: go test releases the parallel tests of a package from
// its last one on, and what is begun early does not run alone in the end.

// Servers that are known by heart, behind the built program: what the screen says
// of each is true. When a peer wrote and when it could read decides what that is,
// by its own stamps, and nothing here is measured.
func TestConducts(t *testing.T) {
	t.Parallel()
	beBusy(t, *conductBusy)
	var all tallies
	var wait sync.WaitGroup
	places := make(chan struct{}, max(1, *conductAtOne))
	for _, c := range conduct.All() {
		for _, way := range waysOf(c) {
			if !strings.Contains(string(way)+": "+c.Name, *conductOnly) {
				continue
			}
			places <- struct{}{}
			wait.Go(func() {
				defer func() { <-places }()
				all.play(t, c, way, *conductRuns)
			})
		}
	}
	for _, c := range conduct.Tasks() {
		for _, way := range conduct.TaskWays {
			if !strings.Contains(string(way)+": "+c.Name, *conductOnly) {
				continue
			}
			places <- struct{}{}
			wait.Go(func() {
				defer func() { <-places }()
				all.playTasks(t, c, way, *conductRuns)
			})
		}
	}
	wait.Wait()
	if *conductTable {
		fmt.Print(all.tally.String())
	}
}
