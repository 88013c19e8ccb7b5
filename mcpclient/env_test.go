//go:build unix

package mcpclient

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient/process"
	"belay/session"
)

// A server has a mark in its environment, by which its processes are known, only where they are
// watched and the system shows environments.
func TestTheMarkIsLeftOut(t *testing.T) {
	for _, noWitness := range []bool{false, true} {
		o := options(t, "tells of itself")
		o.NoWitness = noWitness
		c := run(t, o)
		awaitReady(t, c)
		has := slices.ContainsFunc(portraitOf(t, c).Env, func(kv string) bool { return strings.HasPrefix(kv, "BELAY_SERVER=") })
		if want := !noWitness && runtime.GOOS == "linux"; has != want || has != slices.Contains(c.Process().Env, "BELAY_SERVER") {
			t.Errorf("without a witness %v: the mark is there: %v; shown are %q", noWitness, has, c.Process().Env)
		}
	}
}

// portraitOf asks a server to say where it runs.
func portraitOf(t *testing.T, c *Client) (p portrait) {
	t.Helper()
	d := wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
	answer := struct{ StructuredContent *portrait }{&p}
	if err := json.Unmarshal(d.Result, &answer); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestServerSeesOnlyWhatItIsGiven(t *testing.T) {
	requirements.Rows(t, "SEC-29", "SEC-35")
	for _, name := range []string{"GITHUB_TOKEN", "SSH_AUTH_SOCK", "BASH_ENV", "BELAY_TEST_SECRET"} {
		t.Setenv(name, "hidden")
	}
	t.Setenv("BELAY_TEST_SHARED", "shown")
	t.Setenv("LC_MESSAGES", "C")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, "tells of itself")
	o.Command = append(o.Command, "-an", "argument with spaces", "")
	o.Dir = dir
	o.Env = append(o.Env, "BELAY_TEST_SHARED", "BELAY_TEST_MORE=more")
	c := run(t, o)
	awaitReady(t, c)
	p := portraitOf(t, c)

	if !slices.Equal(p.Args, []string{"-an", "argument with spaces", ""}) || p.Dir != dir {
		t.Errorf("argv %q in %q", p.Args, p.Dir)
	}
	_, passes := process.Environment(os.Environ(), nil, runtime.GOOS)
	added := []string{peerVar, "GORACE", "PWD", "BELAY_TEST_SHARED", "BELAY_TEST_MORE", "BELAY_SERVER"}
	for _, kv := range p.Env {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains(passes, name) && !slices.Contains(added, name) || strings.HasSuffix(kv, "=hidden") {
			t.Errorf("the server got %q", name)
		}
	}
	for _, kv := range []string{"PATH=" + os.Getenv("PATH"), "LC_MESSAGES=C", "BELAY_TEST_SHARED=shown", "BELAY_TEST_MORE=more", "PWD=" + dir} {
		if !slices.Contains(p.Env, kv) {
			t.Errorf("the server did not get %q", kv)
		}
	}
	shown := c.Process()
	if len(shown.Env) != len(p.Env) {
		t.Errorf("shown are %q of %d variables", shown.Env, len(p.Env))
	}
	if slices.ContainsFunc(shown.Env, func(s string) bool { return strings.Contains(s, "=") }) {
		t.Errorf("values are shown: %q", shown.Env)
	}
	if shown.PID != p.PID || shown.Dir != dir || !shown.IsRunning() {
		t.Errorf("shown: %+v", shown)
	}
}

// The terminal is neither one of its files nor can it be opened, and keys typed
// there reach another process group.
func TestServerHasNoTerminal(t *testing.T) {
	requirements.Rows(t, "STD-31")
	c := run(t, options(t, "tells of itself"))
	awaitReady(t, c)
	p := portraitOf(t, c)
	if p.TTY || p.Char {
		t.Errorf("the server has a terminal: %+v", p)
	}
	if p.Group != p.PID {
		t.Errorf("the server %d is in the process group %d", p.PID, p.Group)
	}
}
