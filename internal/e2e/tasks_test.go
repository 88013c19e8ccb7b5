package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	peers "belay/internal/peer"
)

// tasksAs names the conduct of a peer that plays a script of [peers.TaskScripts]
// in a revision, for [play].
func tasksAs(script, revision string) string { return "tasks " + revision + ": " + script }

// taskConduct is the inverse of [tasksAs].
func taskConduct(conduct string) (revision string, script peers.TaskScript, ok bool) {
	rest, ok := strings.CutPrefix(conduct, "tasks ")
	if !ok {
		return "", script, false
	}
	revision, name, _ := strings.Cut(rest, ": ")
	script, ok = peers.TaskScriptNamed(name)
	return revision, script, ok
}

// serveTasks logs what comes, as every peer does, and leaves the rest to a script.
func (p *peer) serveTasks(in *bufio.Reader, script peers.TaskScript, revision string) {
	server := peers.NewTaskLines(script, revision, os.Stdout)
	for {
		line, ok := p.nextLine(in)
		if !ok {
			return
		}
		server.Take(line)
	}
}

// A peer of tasks is a process like any other: it answers lines, and logs them.
func TestAPeerOfTasks(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		for _, script := range peers.TaskScripts() {
			t.Run(revision+" "+script.Name, func(t *testing.T) {
				log := filepath.Join(t.TempDir(), "peer.jsonl")
				cmd := exec.CommandContext(t.Context(), os.Args[0], "peer", tasksAs(script.Name, revision), log)
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{},"task":{}}}`)
				calls := 1
				if script.CreateHeld {
					fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fast","arguments":{}}}`)
					calls++
				}
				lines := bufio.NewScanner(out)
				created := ""
				for created == "" && lines.Scan() {
					if strings.Contains(lines.Text(), `"id":1,`) {
						created = lines.Text()
					}
				}
				if !strings.Contains(created, `"status":"working"`) || strings.Contains(created, `"resultType":"task"`) != (revision == "2026-07-28") {
					t.Errorf("created: %s", created)
				}
				_ = in.Close()
				for lines.Scan() { // nothing is read before Wait
				}
				if err := cmd.Wait(); err != nil {
					t.Error(err)
				}
				s := &stage{t: t, log: log}
				if n := s.count(`"tools/call"`); n != calls {
					t.Errorf("%d calls are in the log, want %d", n, calls)
				}
			})
		}
	}
}
