package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"belay/internal/audit"
	"belay/internal/audit/battery"
	"belay/mcpclient"
	"belay/session"
	"belay/session/mcp"
)

// auditBy are the flags of an audit, as typed.
func auditBy(t *testing.T, args ...string) (*auditFlags, error) {
	t.Helper()
	var a auditFlags
	cmd := &cobra.Command{}
	a.serverFlags.add(cmd)
	a.addOwn(cmd.Flags())
	if err := cmd.ParseFlags(append([]string{"--tool", "slow"}, args...)); err != nil {
		t.Fatal(err)
	}
	return &a, a.check(cmd.Flags(), strings.NewReader(`{"from":"stdin"}`))
}

func codeOf(err error) int {
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	return 0
}

// A file that cannot come to be is named before an audit begins.
func TestAnAuditIsRefusedWhereItsFilesCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "report"), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil { // not everybody may make one on Windows
		link = dir
	}
	for _, x := range []struct {
		what string
		out  []string
		want string // empty: it is not refused
	}{
		{"a new file", []string{"-o", "json=" + file}, ""},
		{"a file and stdout", []string{"-o", "json=" + file, "-o", "html=-"}, ""},
		{"stdout twice", []string{"-o", "json=-", "-o", "html"}, "stdout"},
		{"two files", []string{"-o", "json=" + file, "-o", "html=" + file + ".html"}, ""},
		{"a device", []string{"-o", "json=" + os.DevNull, "-o", "html=" + os.DevNull}, ""},
		{"no directory", []string{"-o", "json=" + filepath.Join(dir, "none", "report")}, "there is no directory"},
		{"a directory", []string{"-o", "json=" + dir}, "it is a directory"},
		{"one file for two", []string{"-o", "json=" + file, "-o", "html=" + dir + "/./report"}, "two formats"},
		{"one file for two, by a link", []string{"-o", "json=" + file, "-o", "html=" + filepath.Join(link, "report")}, "two formats"},
		{"where it records", []string{"--record", file, "-o", "json=" + filepath.Join(link, "report")}, "where --record records"},
		{"where it records, by force", []string{"--record", file, "-o", "json=" + file, "--force"}, "where --record records"},
		{"where it records the first connection", []string{"--record", file + ".jsonl", "-o", "json=" + file + "-alone.jsonl"}, "where --record records"},
		{"a device that records as well", []string{"--record", os.DevNull, "-o", "json=" + os.DevNull}, ""},
		{"beside the recording", []string{"--record", file + ".jsonl", "-o", "json=" + file}, ""},
	} {
		_, err := auditBy(t, x.out...)
		switch {
		case x.want == "" && err != nil:
			t.Errorf("%s: %v", x.what, err)
		case x.want != "" && (err == nil || codeOf(err) != ExitUsage || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%s: %v", x.what, err)
		}
	}
}

// The arguments of an audit may come from stdin or a file, as those of a call may.
func TestTheArgumentsOfAnAuditComeFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "args.json")
	if err := os.WriteFile(file, []byte(`{"from":"file"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{`{"from":"here"}`: `{"from":"here"}`, "@" + file: `{"from":"file"}`, "-": `{"from":"stdin"}`} {
		if a, err := auditBy(t, "--json", value); err != nil || string(a.arguments) != want {
			t.Errorf("%s: %s, %v", value, a.arguments, err)
		}
	}
	for value, want := range map[string]string{"@" + file + ".none": "no such file", "[]": "no JSON object"} {
		if _, err := auditBy(t, "--json", value); codeOf(err) != ExitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// A recording that cannot come to be is refused before anything is called, and that there is none is said.
func TestTheRecordingOfAnAudit(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		filepath.Join(dir, "new"): "", os.DevNull: "", filepath.Join(dir, "none", "new"): "there is no directory", dir: "it is a directory",
	} {
		a, err := auditBy(t, "--record", name)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && (err == nil || codeOf(err) != ExitUsage || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", name, err)
		}
		alone := filepath.Join(dir, "new-alone")
		if one := a.unrecorded(1); strings.Contains(one, alone+" is of the one") != (name == filepath.Join(dir, "new")) {
			t.Errorf("%s: %q", name, one)
		}
		if one, two := a.unrecorded(1), a.unrecorded(2); !strings.Contains(one, filepath.Base(name)+" is not written") || two != "" {
			t.Errorf("%s: %q, %q", name, one, two)
		}
	}
	if a, _ := auditBy(t); a.unrecorded(1) != "" {
		t.Errorf("without --record: %q", a.unrecorded(1))
	}
	there := filepath.Join(dir, "two-alone.jsonl")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := auditBy(t, "--record", filepath.Join(dir, "two.jsonl")); err == nil || !strings.Contains(err.Error(), "two-alone.jsonl") || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a recording would be replaced: %v", err)
	}
}

// What belay says stands on a line of its own, and not behind the progress.
func TestTheProgressOfAnAuditIsErasedBeforeASentence(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	told := &told{liveLine: &liveLine{out: file, width: 80}, s: std{out: file, err: file}}
	told.progress(battery.Progress{Doing: "connecting", All: 29})
	told.say("it begins")
	told.clear()
	text, _ := os.ReadFile(file.Name())
	if want := "\r\x1b[Kconnecting · call 0 of 29\r\x1b[Kbelay: it begins\n"; string(text) != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// What an audit came to is told, by its exit code and on stdout, also where a file of it or the
// summary of a step cannot be written.
func TestAnAuditIsToldWhereItCannotBeWritten(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	t.Setenv("GITHUB_ACTIONS", "")
	for _, x := range []struct {
		what    string
		seen    audit.Observed
		args    []string
		summary string
		code    int
		told    bool // on stdout
	}{
		{"nothing is wrong", audit.Observed{}, []string{"-o", "json=" + os.DevNull}, "", audit.ExitUnseen, false},
		{"no file", audit.Observed{}, []string{"-o", "json=" + gone}, "", audit.ExitUnseen, true},
		{"no file of one that ended early", audit.Observed{Stopped: "exit status 1"}, []string{"-o", "json=" + gone}, "", audit.ExitLost, true},
		{"no summary of one that failed", audit.Observed{Trials: []audit.Trial{{Situation: audit.Crowd, Cancelled: []audit.Call{{Sent: true}}, Lost: "exit status 1"}}}, []string{"-o", "json=" + os.DevNull}, gone, audit.ExitFailed, true},
	} {
		a, err := auditBy(t, x.args...)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(gone, 0o700); err != nil { // which was no directory before
			t.Fatal(err)
		}
		t.Setenv("GITHUB_STEP_SUMMARY", x.summary)
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		x.seen.Revision = mcp.Rev20251125
		err = a.write(std{out: out, err: out}, audit.Judge(&x.seen))
		_ = out.Close()
		_ = os.Remove(gone)
		text, _ := os.ReadFile(out.Name())
		if codeOf(err) != x.code || bytes.Contains(text, []byte("passed,")) != x.told {
			t.Errorf("%s: exit %d, %v, and on stdout:\n%s", x.what, codeOf(err), err, text)
		}
	}
}

// Who has stopped an audit is told that, and not what nobody knows.
func TestAStoppedAuditClaimsNothing(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "")
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	a, err := auditBy(t, "-o", "json="+os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	err = a.write(std{}, audit.Judge(&audit.Observed{Revision: mcp.Rev20251125, Stopped: "you stopped it", ByUser: true}))
	if codeOf(err) != ExitCancelled || err.Error() != "you stopped it" {
		t.Errorf("exit %d: %v", codeOf(err), err)
	}
}

// A recording that has failed is told at the end, in one line that acts nowhere.
func TestAFailedRecordingIsTold(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	c := mcpclient.New(mcpclient.Options{Command: []string{"none"}})
	s := std{out: file, err: file}
	s.tellEnd(c, nil)
	s.tellEnd(c, errors.New("write run\x1b.jsonl: no space left on device"))
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
	text, _ := os.ReadFile(file.Name())
	if want := "belay: the recording has failed: write run⟨ESC⟩.jsonl: no space left on device\n"; string(text) != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// What is left is an estimate, and has no tenths.
func TestWhatIsLeftIsToldRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{39400 * time.Millisecond: "39 s", 89 * time.Second: "89 s", 100 * time.Second: "2 min", 23 * time.Minute: "23 min"} {
		if got := roughly(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// Where stderr is no terminal, a line tells now and then how far an audit is.
func TestALogShowsTheProgressOfAnAudit(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	synctest.Test(t, func(*testing.T) {
		for _, l := range []*liveLine{{}, {out: file, width: 80}} {
			told := &told{liveLine: l, s: std{out: file, err: file}}
			end := told.keep()
			told.progress(battery.Progress{Doing: "cancelled midway, 1 of 3", Made: 7, All: 29})
			time.Sleep(tellEvery + tellEvery/2)
			told.progress(battery.Progress{Doing: "cancelled\x1b[2J", Made: 8, All: 29})
			time.Sleep(tellEvery)
			end()
			told.clear()
		}
	})
	text, _ := os.ReadFile(file.Name())
	const line = "cancelled midway, 1 of 3 · call 7 of 29"
	if want := "belay: " + line + "\nbelay: cancelled⟨ESC⟩[2J · call 8 of 29\n\r\x1b[K" + line; !strings.HasPrefix(string(text), want) || strings.Count(string(text), "belay:") != 2 {
		t.Errorf("%q, want %q", text, want)
	}
}

// How a connection came about is said once.
func TestAnAuditSaysHowItConnected(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	told := &told{liveLine: &liveLine{}, s: std{out: file, err: file}}
	for _, starts := range []string{"", "the server was started 2 times", "the server was started 2 times"} {
		told.met(&session.Status{Phase: session.Ready, Revision: mcp.Rev20251125, StartsWords: starts, Undiscovered: true})
	}
	text, _ := os.ReadFile(file.Name())
	if strings.Count(string(text), "server/discover in time: it is spoken to in 2025-11-25") != 1 || strings.Count(string(text), "belay: the server was started 2 times\n") != 1 {
		t.Errorf("%s", text)
	}
}

// The cancels of both runs are the audit's.
func TestTheRunsOfAnAuditAreAudits(t *testing.T) {
	a, err := auditBy(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []bool{true, false} {
		if opts, err := a.options(target{}, time.Second, first); err != nil || !opts.Session.Audit {
			t.Errorf("the first: %t: %v", first, err)
		} else if opts.Session.Idle < 0 || opts.Session.Max < 0 {
			t.Errorf("the first: %t: a list that never comes is awaited without end", first)
		}
	}
}

// A report of an audit that did not come to its server, or was stopped before, says so in each format,
// and stdout is left to stderr's words where it would have the text.
func TestAnAuditThatDidNotReachItsServerIsReported(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "")
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	lost := &exitError{code: ExitConnect, err: errors.New("the server ended: exit status 7\n  stderr | no such file")}
	for _, x := range []struct {
		what string
		err  error
		want bool
		exit string
	}{
		{"not reached", lost, true, `"exit": 3,`},
		{"stopped before", &exitError{code: ExitCancelled, err: errors.New("the server ended: exit status 7")}, true, `"exit": 4,`},
		{"a wrong command line", &exitError{code: ExitUsage, err: lost.err}, false, ""},
	} {
		dir := t.TempDir()
		args := []string{"-o", "text"}
		for _, format := range audit.Formats() {
			args = append(args, "-o", format+"="+filepath.Join(dir, format))
		}
		a, err := auditBy(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.unreached(std{out: out, err: out}, target{}, x.err); codeOf(got) != codeOf(x.err) || got.Error() != x.err.Error() {
			t.Errorf("%s: %v", x.what, got)
		}
		for _, format := range audit.Formats() {
			text, _ := os.ReadFile(filepath.Join(dir, format))
			if bytes.Contains(text, []byte("exit status 7")) != x.want || format == "json" && !bytes.Contains(text, []byte(x.exit)) {
				t.Errorf("%s, %s: %s", x.what, format, text)
			}
		}
		if text, _ := os.ReadFile(out.Name()); len(text) > 0 {
			t.Errorf("%s: on stdout: %s", x.what, text)
		}
		if a, err = auditBy(t, "-o", "json"); err != nil {
			t.Fatal(err)
		}
		_ = a.unreached(std{out: out, err: out}, target{}, x.err)
		if text, _ := os.ReadFile(out.Name()); bytes.Contains(text, []byte("exit status 7")) != x.want {
			t.Errorf("%s: JSON on stdout: %s", x.what, text)
		}
		_ = out.Close()
	}
	a, err := auditBy(t, "-o", "json="+filepath.Join(t.TempDir(), "report"))
	if err != nil {
		t.Fatal(err)
	}
	a.outputs[0].file = filepath.Join(t.TempDir(), "none", "report") // which has gone since
	if got := a.unreached(std{}, target{}, lost); codeOf(got) != ExitConnect || !strings.Contains(got.Error(), "exit status 7") || !strings.Contains(got.Error(), "cannot write") {
		t.Errorf("where it cannot be written: %v", got)
	}
}

// A tool that belay may not call is a wrong command line, with the reason.
func TestAnAuditOfAToolThatMayNotBeCalled(t *testing.T) {
	err := auditFailed(t.Context(), target{}, &looks{}, &battery.NotCallable{Tool: "slow\x1b", Why: errors.New("the tool must not be called over HTTP: its x-mcp-header\x1b[2J")})
	if codeOf(err) != ExitUsage || !strings.Contains(err.Error(), "must not be called over HTTP") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("exit %d: %v", codeOf(err), err)
	}
}
