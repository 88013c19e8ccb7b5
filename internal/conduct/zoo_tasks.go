package conduct

import (
	"slices"
	"strings"
	"time"

	"belay/internal/peer"
)

// TaskAnimal is a server for audits whose tool runs as a task, and what is true of its checks
// of tasks in each of the two protocols; of any other check [TaskAnimal.Wants] says it.
type TaskAnimal struct {
	TaskConduct
	core, extension         map[string]string
	CoreExit, ExtensionExit int // with --fail-on should
}

// TaskZoo are the animals with tasks. Their names are unique.
func TaskZoo() []TaskAnimal {
	add := func(name string, script peer.TaskScript, core, extension map[string]string, coreExit, extensionExit int) TaskAnimal {
		script.Runs = ToolTime
		return TaskAnimal{TaskConduct{Name: "audited: " + name, Script: script}, core, extension, coreExit, extensionExit}
	}
	good := map[string]string{"task/acknowledged": passes, "task/cancelled": passes, "task/stays-cancelled": passes}
	same := func(cancelled, stays string) map[string]string {
		return map[string]string{"task/acknowledged": passes, "task/cancelled": cancelled, "task/stays-cancelled": stays}
	}
	return []TaskAnimal{
		add("a good task", peer.TaskScript{}, good, good, 0, 0),
		add("a task that completes all the same", peer.TaskScript{Completes: 800 * time.Millisecond}, same(fails, unseen), same(noted, unseen), 5, 0),
		add("a task that stays working", peer.TaskScript{StaysOn: true}, same(fails, unseen), same(noted, unseen), 5, 0),
		// The extension's answer says nothing of the task, which has completed before the first poll.
		add("a task that is cancelled and then completes", peer.TaskScript{Flips: true}, same(passes, fails), same(unseen, unseen), 5, 0),
		add("a task that vanishes", peer.TaskScript{Vanishes: true}, same(passes, unseen), same(unseen, unseen), 0, 0),
		add("a cancel that is not answered", peer.TaskScript{Unanswered: true},
			map[string]string{"task/acknowledged": fails, "task/cancelled": fails, "task/stays-cancelled": unseen},
			map[string]string{"task/acknowledged": fails, "task/cancelled": noted, "task/stays-cancelled": unseen}, 5, 5),
	}
}

// Exit is the code with which an audit ends.
func (a TaskAnimal) Exit(way Way) int {
	if way.Revision() == "2025-11-25" {
		return a.CoreExit
	}
	return a.ExtensionExit
}

// Wants is what is true of a check, by a way: any of these.
func (a TaskAnimal) Wants(check string, way Way) []string {
	want := a.core
	if way.Revision() != "2025-11-25" {
		want = a.extension
	}
	animal := Animal{Want: want}
	situation, claim, _ := strings.Cut(check, "/")
	switch {
	case check == "task/cancelled" && a.Script.Flips && way.Revision() != "2025-11-25":
		return []string{unseen, noted} // by whether its end may have been before the cancel was read
	// Over HTTP the poll in which it has completed may be read before the answer that says cancelled.
	case check == "task/cancelled" && a.Script.Flips && way.IsHTTP():
		return []string{passes, fails}
	case check == "task/stays-cancelled" && a.Script.Flips && way.IsHTTP() && way.Revision() == "2025-11-25":
		return []string{fails, unseen}
	case situation == "task":
		return animal.Wants(check, way)
	case claim == "server-ends" && !way.IsHTTP():
		return []string{passes}
	case situation == "twice", situation == "other-type": // belay has no cancel of the call that could be so
		return []string{skipped}
	case slices.Contains([]string{"no-answer", "no-messages", "work-stops"}, claim):
		return []string{unseen}
	}
	return []string{quietWants(check, way)}
}
