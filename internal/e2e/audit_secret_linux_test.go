package e2e

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// An audit is for the log of a CI and for others. A server that repeats what it was given puts it
// into none of the formats, nor into the summary of the step, nor into the lines for the runner.
func TestNoFormatOfAnAuditHoldsASecret(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "LOG-13")
	const value, code = "qZ7opaqueX91Xk", "rG5opaqueY37Ab"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := []string{"audit", "--tool", "slow", "--fail-on", "unseen", "--json", `{"code":"` + code + `"}`, "--env", "BEAST_SECRET=" + value, "-o", "text"}
	for _, format := range []string{"json", "junit", "markdown", "html"} {
		args = append(args, "-o", format+"="+filepath.Join(dir, format))
	}
	cmd := exec.Command(belay, append(args, "--", self, "beast", "tells a secret")...)
	cmd.Env = append(os.Environ(), raceOptions, "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // nothing could be seen, and so it fails
	all := map[string][]byte{"text": out.Bytes(), "the runner's": errs.Bytes()}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if all[f.Name()], err = os.ReadFile(filepath.Join(dir, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) != 7 {
		t.Errorf("%d formats were written: %s", len(all), errs.String())
	}
	for name, text := range all {
		for _, told := range []string{value, code, base64.StdEncoding.EncodeToString([]byte(value)), base64.StdEncoding.EncodeToString([]byte(code))} {
			if bytes.Contains(text, []byte(told)) {
				t.Errorf("%s holds %s: %s", name, told, text)
			}
		}
		if !bytes.Contains(text, []byte("it is *")) && !bytes.Contains(text, []byte("it is &#42;")) {
			t.Errorf("%s does not say what the server answered: %s", name, text)
		}
	}
}

// A server that ends at once is quoted, also in the log of a CI.
func TestAnAuditThatDoesNotBeginHidesSecrets(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "LOG-13")
	const value = "qZ7opaqueX91Xk"
	cmd := exec.Command(belay, "audit", "--tool", "slow", "--env", "BEAST_SECRET="+value, "--", "sh", "-c", `echo "it is $BEAST_SECRET" >&2; exit 3`)
	cmd.Env = append(os.Environ(), raceOptions)
	out, _ := cmd.CombinedOutput() // there is no connection
	if bytes.Contains(out, []byte(value)) || !bytes.Contains(out, []byte("it is *")) || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("%d: %s", cmd.ProcessState.ExitCode(), out)
	}
}

// What is given to a call on its command line and in its file of answers is in its recording no
// more than what is typed into the form of one: where the schema calls it a secret, or a title.
func TestARecordedCallHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "LOG-13")
	const value, code, word = "qZ7opaqueX91Xk", "rG5opaqueY37Ab", "sH6opaqueZ82Cd"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	answers, recording := filepath.Join(dir, "answers.json"), plays(t, filepath.Join(dir, "run.jsonl"))
	if err := os.WriteFile(answers, []byte(`[{"content":{"word":"`+word+`"}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(belay, "call", "slow", "--arg", "code="+code, "--reason", "not "+code, "--answer", answers, "--record", recording,
		"--env", "BEAST_SECRET="+value, "--", self, "beast", "tells a secret")
	cmd.Env = append(os.Environ(), raceOptions)
	out, _ := cmd.CombinedOutput() // the tool fails
	text, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range []string{value, code, word} {
		for _, told := range []string{told, base64.StdEncoding.EncodeToString([]byte(told))} {
			if bytes.Contains(text, []byte(told)) {
				t.Errorf("the recording holds %s: %s", told, text)
			}
			if !bytes.Contains(out, []byte(told)) {
				t.Errorf("the server did not say %s: %s", told, out)
			}
		}
	}
}

// The reason of a cancel may repeat what an argument holds: it is masked as that is, from the first
// line of a recording on, and the recording plays as it was. The server is told the reason as it is.
func TestARecordedReasonHoldsNoSecret(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "LOG-13")
	const code = "rG5opaqueY37Ab"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for how, flags := range map[string][]string{"by a rule": {"--cancel-after", "100ms"}, "by ctrl+c": nil} {
		recording, log := plays(t, filepath.Join(t.TempDir(), "run.jsonl")), filepath.Join(t.TempDir(), "log")
		args := append([]string{"call", "slow", "--arg", "code=" + code, "--reason", "not " + code, "--grace", "200ms", "--record", recording, "--env", "BEAST_LOG=" + log}, flags...)
		r := begin(t, append(args, "--", self, "beast", "quiet")...)
		if flags == nil {
			beastDid(t, log, func(lines []string) bool {
				return slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "call ") })
			})
			if err := r.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
		got := r.wait()
		text, err := os.ReadFile(recording)
		if err != nil {
			t.Fatal(err)
		}
		if got.code != 4 || !bytes.Contains([]byte(got.errOut), []byte("not "+code)) || bytes.Contains(text, []byte(code)) || !bytes.Contains(text, []byte(`"reason":"not ***`)) {
			t.Errorf("%s: exit %d, %s\nrecorded is\n%s", how, got.code, got.errOut, text)
		}
		if report := without(t, "report", recording); report.code != 0 || report.errOut != "" {
			t.Errorf("%s: the report: exit %d, %s", how, report.code, report.errOut)
		}
	}
}
