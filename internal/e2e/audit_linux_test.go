package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"belay/internal/conduct"
	"belay/internal/covers"
)

// audited is what belay audit writes as JSON.
type audited struct {
	Exit   int
	Grade  string
	Checks []auditedCheck
}

type auditedCheck = struct{ ID, Outcome, Why string }

// atOnce are the audits that run at once. More of them keep each other from running for so long
// that a cancel comes when its call has ended.
var atOnce = make(chan struct{}, 8)

// audit runs belay audit on a server, and reads its report.
func audit(t *testing.T, args ...string) (a audited, stderr string) {
	atOnce <- struct{}{}
	defer func() { <-atOnce }()
	cmd := exec.Command(belay, append([]string{"audit", "--tool", "slow", "--tries", "1", "--crowd", "5", "-o", "json", "--no-memory"}, args...)...)
	cmd.Env = append(os.Environ(), raceOptions, "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Error(err)
		return a, ""
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Errorf("%v: %s\n%s", err, out.String(), errs.String())
	}
	if code := cmd.ProcessState.ExitCode(); code != a.Exit {
		t.Errorf("it ended with %d, and says %d", code, a.Exit)
	}
	return a, errs.String()
}

// inTime audits a server, and does so once more where what is wanted could not be seen, as on a busy
// machine: a cancel came when its call had ended, or belay did not run when it was to look.
func inTime(t *testing.T, want func(check string) []string, args ...string) (a audited, stderr string) {
	for range 3 {
		a, stderr = audit(t, args...)
		if !slices.ContainsFunc(a.Checks, func(c auditedCheck) bool { return c.Outcome == "unseen" && !slices.Contains(want(c.ID), c.Outcome) }) {
			break
		}
	}
	return a, stderr
}

// A run on purpose, of all servers:
//
//	go test ./internal/e2e -run TestAudits -audit.all [-conduct.busy 2]
var auditAll = flag.Bool("audit.all", false, "audit each server of the zoo, and not only some")

// Servers whose work their processes show, audited by the built program: no line is wrong, and
// none passes that was not seen.
func TestAuditsSeeTheWork(t *testing.T) {
	covers.Rows(t, "CXL-17", "CXL-18", "CXL-21")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	}()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const pass, fail, unseen, skipped = "pass", "fail", "unseen", "skipped"
	quiet := map[string][]string{
		"work-stops": {unseen}, "afterwards/memory": {pass, unseen}, "": {pass},
		"asking/question-withdrawn": {skipped}, "task/acknowledged": {skipped}, "task/cancelled": {skipped}, "task/stays-cancelled": {skipped},
	}
	beBusy(t, *conductBusy)
	var wait sync.WaitGroup
	defer wait.Wait()
	for _, x := range []struct {
		name string
		exit int
		want map[string][]string // by check, or by its end; those of the quiet one otherwise
	}{
		{name: "quiet"},
		{name: "burns, and stops", want: map[string][]string{
			"at-once/work-stops": {pass, unseen}, "early/work-stops": {pass, unseen}, "midway/work-stops": {pass, unseen},
		}},
		{name: "burns on", exit: 5, want: map[string][]string{"work-stops": {fail}, "near-end/work-stops": {fail, unseen}}},
		{name: "ends its child", want: map[string][]string{"work-stops": {pass, unseen}, "midway/work-stops": {pass}, "afterwards/files": {pass, unseen}}}, // Go keeps a few files for its children
		{name: "leaves its child", exit: 5, want: map[string][]string{
			"work-stops": {fail}, "afterwards/processes": {fail}, "afterwards/files": {pass, unseen, fail}, "afterwards/memory": {unseen, fail}, // those of the children count
		}},
		{name: "lets its child work on", exit: 5, want: map[string][]string{
			"work-stops": {fail}, "near-end/work-stops": {fail, unseen}, "afterwards/files": {pass, unseen},
		}},
		{name: "stays", want: map[string][]string{"server-ends": {fail}}},
		{name: "leaks a child", exit: 5, want: map[string][]string{ // which may be work of the call
			"work-stops": {fail}, "afterwards/processes": {fail}, "afterwards/files": {pass, unseen, fail}, "afterwards/memory": {pass, unseen, fail},
		}},
		{name: "leaks files", exit: 5, want: map[string][]string{"afterwards/files": {fail}}},
		{name: "leaks connections", exit: 5, want: map[string][]string{"afterwards/connections": {fail}, "afterwards/files": {fail}}},
		{name: "leaks memory", exit: 5, want: map[string][]string{"afterwards/memory": {fail}}},
	} {
		if !*auditAll && !slices.Contains([]string{"burns on", "ends its child", "leaves its child"}, x.name) {
			continue
		}
		wait.Go(func() {
			wanted := func(check string) []string {
				if want := longest(x.want, check); want != nil {
					return want
				}
				return longest(quiet, check)
			}
			a, _ := inTime(t, wanted, "--protocol", "2025-11-25", "--", "env", "BEAST_DIALS="+l.Addr().String(), self, "beast", x.name)
			if a.Exit != x.exit {
				t.Errorf("%s: exit %d, want %d: %s", x.name, a.Exit, x.exit, a.Grade)
			}
			for _, c := range a.Checks {
				if want := wanted(c.ID); !slices.Contains(want, c.Outcome) {
					t.Errorf("%s: %s: %s, want %v: %s", x.name, c.ID, c.Outcome, want, c.Why)
				}
			}
		})
	}
}

// longest is what stands for the longest end of a name; nil: nothing does.
func longest(all map[string][]string, name string) (found []string) {
	best := -1
	for of, x := range all {
		if len(of) > best && strings.HasSuffix(name, of) {
			best, found = len(of), x
		}
	}
	return found
}

// httpZoo are the servers that are always audited over HTTP, those that ask among them.
var httpZoo = []string{
	"quiet", "ignores every cancel, and answers", "isError that says cancelled", `cancels 7 when told "7"`,
	"asks, and withdraws its question when its call is cancelled", "asks by its answer",
}

// Servers of known conduct behind the built program, over HTTP in both eras.
func TestAuditsOverHTTP(t *testing.T) {
	t.Parallel()
	covers.Rows(t, "CXL-19", "CXL-20")
	var wait sync.WaitGroup
	defer wait.Wait()
	for _, a := range conduct.Zoo() {
		if !slices.Contains(httpZoo, a.Name) {
			continue
		}
		for _, way := range a.Ways {
			if !way.HTTP() || !*auditAll && a.Exit == 0 && way != conduct.HTTPModern && !strings.HasPrefix(a.Name, "asks") || !*auditAll && strings.Contains(a.Name, "7") {
				continue
			}
			wait.Go(func() {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Error(err)
					return
				}
				w := conduct.OverHTTP(t, a.Conduct(), conduct.Stage{Way: way, Played: func(*conduct.Scene) {}}, l)
				got, _ := inTime(t, func(check string) []string { return a.Wants(check, way) }, "--protocol", way.Revision(), "--yes", w.URL())
				if got.Exit != a.Exit {
					t.Errorf("%s, %s: exit %d, want %d: %s", way, a.Name, got.Exit, a.Exit, got.Grade)
				}
				for _, c := range got.Checks {
					if want := a.Wants(c.ID, way); !slices.Contains(want, c.Outcome) {
						t.Errorf("%s, %s: %s: %s, want %v: %s", way, a.Name, c.ID, c.Outcome, want, c.Why)
					}
				}
			})
		}
	}
}

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
				got, errs := inTime(t, func(check string) []string { return a.Wants(check, way) }, append([]string{"--protocol", way.Revision(), "--yes", "--crowd", "2"}, server...)...)
				if got.Exit != a.Exit(way) {
					t.Errorf("%s, %s: exit %d, want %d: %s\n%s", way, a.Name, got.Exit, a.Exit(way), got.Grade, errs)
				}
				for _, c := range got.Checks {
					if want := a.Wants(c.ID, way); !slices.Contains(want, c.Outcome) {
						t.Errorf("%s, %s: %s: %s, want %v: %s", way, a.Name, c.ID, c.Outcome, want, c.Why)
					}
				}
			})
		}
	}
}
