package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"belay/internal/requirements"
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

// tooBusy are what belay says of a check that could not be seen for want of time: a cancel came
// when its call had ended, or nobody ran when it was to look, to listen or to be looked at.
var tooBusy = []string{
	"may have been on its way", "may have been on their way for so long", "when the call would have ended", "had ended before", "may have ended", "ended as the cancel came",
	"would have gone on for", "was not awaited for long enough", "had read the cancel is not known", "belay, kept from running",
	"neither rest nor known to be work", "none had begun when the cancel came", "it was not asked", "no other call was in flight",
	"belay did not run", "may have been kept from running", "could not be counted often enough", "which may be garbage", "and a cancel needs 1s",
	"may be read before its call", "had not accepted the cancel when it answered", "had not answered the request right behind the cancel", "did not run as a task this time",
}

// isOvertaken reports whether a check of cancels that are sent at once was not seen for the reason
// that HTTP gives: which of two requests a server reads first is the machine's, and no number of
// audits shows it. That such a server fails is demanded in a fake clock (mcpclient).
func isOvertaken(check, why string) bool {
	situation, _, _ := strings.Cut(check, "/")
	return slices.Contains([]string{"at-once", "early", "crowd"}, situation) && strings.Contains(why, "may be read before its call")
}

// mostAudits is how often a server is audited until each of its checks has been seen.
const mostAudits = 5

// mostPace is how many times its time a server takes at most that can be made slower.
const mostPace = 3

// always are the arguments of a server that takes its time, however slow the machine is.
func always(args ...string) func(pace int) (all []string, slower bool) {
	return func(int) ([]string, bool) { return args, false }
}

func init() {
	yieldThread = func() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), 5) }
}

// holds audits a server, and demands an exit code and one of the wanted outcomes of each check. What
// cannot be seen for want of time says nothing of a server, and such checks alone may be made up for
// by another audit: they have to be seen in one. In the next one the server works for longer: more may
// have been on its way on a slow machine. Whatever else an audit says that is not wanted,
// a wrong pass or failure above all, fails the test, also where the next one says otherwise.
func holds(t *testing.T, name string, exit int, want func(check string) []string, server func(pace int) (args []string, slower bool)) {
	seen, unseen, exited := map[string]bool{}, map[string]string{}, false
	for n := range mostAudits {
		args, slower := server(min(n+1, mostPace))
		a, stderr := audit(t, args...)
		missed := 0
		for _, c := range a.Checks {
			wanted := want(c.ID)
			if claim, ok := strings.CutPrefix(c.ID, "near-end/"); ok && slower { // a tool that takes longer has more left, as in the middle
				wanted = slices.Concat(wanted, want("midway/"+claim))
			}
			switch {
			case slices.Contains(wanted, c.Outcome), c.Outcome == "unseen" && isOvertaken(c.ID, c.Why):
				seen[c.ID] = true
			case c.Outcome == "unseen" && slices.ContainsFunc(tooBusy, func(why string) bool { return strings.Contains(c.Why, why) }):
				unseen[c.ID], missed = c.Why, missed+1
			default:
				t.Errorf("%s: audit %d: %s: %s, want %v: %s", name, n, c.ID, c.Outcome, wanted, c.Why)
			}
		}
		if a.Exit != exit && (missed == 0 || a.Exit != 0 && a.Exit != 6) {
			t.Errorf("%s: audit %d: exit %d, want %d: %s\n%s", name, n, a.Exit, exit, a.Grade, stderr)
		}
		exited = exited || a.Exit == exit
		maps.DeleteFunc(unseen, func(check, _ string) bool { return seen[check] })
		if len(unseen) == 0 && exited || len(a.Checks) == 0 {
			return
		}
		t.Logf("%s: audit %d: not seen in time: %v", name, n, unseen)
	}
	t.Errorf("%s: exit %d: %t; not seen in %d audits: %v", name, exit, exited, mostAudits, unseen)
}

// A run on purpose, of all servers:
//
//	go test ./internal/e2e -run TestAudits -audit.all [-conduct.busy 2]
var auditAll = flag.Bool("audit.all", false, "audit each server of the zoo, and not only some")

// Servers whose work their processes show, audited by the built program: no line is wrong, and
// none passes that was not seen. No other test runs beside it: a server that gets too little of a
// processor does not show its work.
func TestAuditsSeeTheWork(t *testing.T) {
	requirements.Rows(t, "CXL-17", "CXL-18", "CXL-21")
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
		{name: "keeps a browser", want: map[string][]string{"afterwards/files": {pass, unseen}}},
		{name: "keeps a pool", want: map[string][]string{"afterwards/processes": {pass, unseen}, "afterwards/files": {pass, unseen}}},
		{name: "stays", want: map[string][]string{"server-ends": {"noted"}}},
		{name: "leaks a child", exit: 5, want: map[string][]string{ // which may be work of the call
			"work-stops": {fail}, "afterwards/processes": {fail}, "afterwards/files": {pass, unseen, fail}, "afterwards/memory": {pass, unseen, fail},
		}},
		{name: "leaks files", exit: 5, want: map[string][]string{"afterwards/files": {fail}}},
		{name: "keeps files", want: map[string][]string{"afterwards/files": {unseen}}}, // of each call
		{name: "leaks connections", exit: 5, want: map[string][]string{"afterwards/connections": {fail}, "afterwards/files": {fail}}},
		{name: "leaks memory", exit: 5, want: map[string][]string{"afterwards/memory": {fail}}},
	} {
		if !*auditAll && !slices.Contains([]string{"burns on", "ends its child", "leaves its child", "keeps a browser", "keeps files"}, x.name) {
			continue
		}
		wait.Go(func() {
			wanted := func(check string) []string {
				if want := longest(x.want, check); want != nil {
					return want
				}
				return longest(quiet, check)
			}
			holds(t, x.name, x.exit, wanted, always("--protocol", "2025-11-25", "--", "env", "BEAST_DIALS="+l.Addr().String(), self, "beast", x.name))
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
