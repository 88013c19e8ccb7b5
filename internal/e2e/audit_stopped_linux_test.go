package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

// ctrl+c in the middle of an audit: what is in flight is cancelled and all is closed, what was
// found is printed, and no process is left, not even one that the server forgot.
func TestAnAuditIsStoppedByCtrlC(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			log, recording := filepath.Join(t.TempDir(), "beast.log"), plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), belay, "audit", "--tool", "slow", "--tries", "1", "--crowd", "5", "-o", "json",
				"--protocol", "2025-11-25", "--no-memory", "--record", recording, "--env", "BEAST_LOG="+log, "--", self, "beast", "leaves its child")
			cmd.Env = append(os.Environ(), raceOptions, "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// The first cancel that the audit makes has had its time, and the next call is in flight.
			beastDid(t, log, func(lines []string) bool {
				i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "cancelled ") })
				return i >= 0 && slices.ContainsFunc(lines[i:], func(l string) bool { return strings.HasPrefix(l, "call ") })
			})
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 4 || !strings.Contains(errs.String(), "belay: you stopped it") || strings.Contains(errs.String(), "go on") {
				t.Errorf("it ended with %d: %s", code, errs.String())
			}
			var a struct {
				audited
				Stopped string
			}
			if err := json.Unmarshal(out.Bytes(), &a); err != nil || a.Stopped != "you stopped it" {
				t.Fatalf("%v: %s", err, out.String())
			}
			for id, want := range map[string]string{"alone/long-enough": "pass", "at-once/no-answer": "pass", "at-once/work-stops": "fail", "midway/no-answer": "skipped", "twice/responsive": "skipped", "connection-ends/server-ends": "skipped"} {
				i := slices.IndexFunc(a.Checks, func(c struct{ ID, Outcome, Why string }) bool { return c.ID == id })
				if i < 0 || a.Checks[i].Outcome != want || want == "skipped" && !strings.Contains(a.Checks[i].Why, "you stopped it") {
					t.Errorf("%s is not %s: %+v", id, want, a.Checks)
				}
			}
			open, processes := map[string]bool{}, []int{}
			for _, l := range beastDid(t, log, func([]string) bool { return true }) {
				switch what, of, _ := strings.Cut(l, " "); what {
				case "call":
					open[of] = true
				case "cancelled", "answered":
					delete(open, of)
				case "process":
					pid, _ := strconv.Atoi(of)
					processes = append(processes, pid)
				}
			}
			if len(open) > 0 {
				t.Errorf("calls are left in flight: %v", open)
			}
			if len(processes) < 4 { // two servers, a child of a call that was left alone, one of a call that was cancelled
				t.Errorf("processes %v", processes)
			}
			for _, pid := range processes {
				if err := termtest.WaitProcessGone(pid, hang); err != nil {
					t.Error(err)
				}
			}
			if got := without(t, "report", recording); got.code != 0 || !strings.Contains(got.out, "slow") {
				t.Errorf("the recording is not whole: %d, %s", got.code, got.errOut)
			}
		})
	}
}

// beastDid waits until the log of a beast is as it is wanted, and returns its lines.
func beastDid(t *testing.T, log string, as func([]string) bool) []string {
	t.Helper()
	for deadline := time.Now().Add(hang); ; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(log)
		if lines := strings.Split(strings.TrimSpace(string(text)), "\n"); as(lines) {
			return lines
		}
		if time.Now().After(deadline) {
			t.Fatalf("the log of the server stays as it is:\n%s", text)
		}
	}
}
