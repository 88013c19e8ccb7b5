//go:build unix

package termtest

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// family starts the act of that name and returns who its children are.
func family(t *testing.T) (story *Story, near, far int) {
	t.Helper()
	story = Tell(t, play("family")).See(".")
	if _, err := fmt.Sscanf(story.Screen().String(), "near %d far %d.", &near, &far); err != nil {
		t.Fatalf("%v: %s", err, story.Screen().Framed())
	}
	return story, near, far
}

func TestCloseKillsTheProgramAndItsChildren(t *testing.T) {
	t.Parallel()
	story, near, far := family(t)
	children, err := ChildrenOf(story.PID())
	if err != nil {
		t.Fatal(err)
	}
	if got := pids(children); !slices.Equal(got, sorted(near, far)) {
		t.Errorf("the children are %v, want %d and %d", children, near, far)
	}
	left, err := story.Close()
	if err != nil {
		t.Fatal(err)
	}
	if !left.Running || !slices.Equal(pids(left.Processes), sorted(near, far)) {
		t.Errorf("left over were %+v, want the program, %d and %d", left, near, far)
	}
	for _, pid := range []int{story.PID(), near, far} {
		if IsProcessAlive(pid) {
			t.Errorf("process %d is still alive", pid)
		}
	}
	if again, err := story.Close(); err != nil || !again.Running || len(again.Processes) != 2 {
		t.Errorf("closing again gave %+v, %v", again, err)
	}
}

func TestCloseAfterAQuietEndFindsNothing(t *testing.T) {
	t.Parallel()
	story := Tell(t, Options{Argv: []string{"/bin/sh", "-c", "exit 0"}}).Exit(0)
	left, err := story.Close()
	if err != nil || left.Running || len(left.Processes) != 0 {
		t.Errorf("left over were %+v, %v", left, err)
	}
}

func TestWaitProcessGone(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if !IsProcessAlive(pid) {
		t.Error("a running process is not alive")
	}
	if err := WaitProcessGone(pid, time.Millisecond); err == nil {
		t.Error("a running process is gone")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// Nobody has waited for it yet: a zombie counts as gone.
	if err := WaitProcessGone(pid, time.Minute); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
}

// The two ways to list processes must agree on those that surely exist.
func TestPSAndProcAgree(t *testing.T) {
	t.Parallel()
	viaPS, err := psProcesses()
	if err != nil {
		t.Fatal(err)
	}
	list, err := listProcesses()
	if err != nil {
		t.Fatal(err)
	}
	find := func(list []Process) Process {
		i := slices.IndexFunc(list, func(p Process) bool { return p.PID == os.Getpid() })
		if i < 0 {
			t.Fatal("the test is not in the list")
		}
		return list[i]
	}
	a, b := find(viaPS), find(list)
	if a.Parent != os.Getppid() || a.Parent != b.Parent || a.Group != b.Group || a.Group == 0 {
		t.Errorf("ps says %+v, the system says %+v", a, b)
	}
}

func TestPSLinesThatAreNotProcesses(t *testing.T) {
	got := parsePS("  1  0  1 Ss  init\n 12  1 12 Z+  dead\n broken\n 13 x 13 S  odd\n 14 1 14 S+ two words\n")
	want := []Process{{PID: 1, Group: 1, Command: "init"}, {PID: 14, Parent: 1, Group: 14, Command: "two words"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func pids(list []Process) []int {
	var ids []int
	for _, p := range list {
		ids = append(ids, p.PID)
	}
	return sorted(ids...)
}

func sorted(ids ...int) []int {
	slices.Sort(ids)
	return ids
}
