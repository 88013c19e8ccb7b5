//go:build interop

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"belay/internal/repocheck"
	"belay/internal/termtest"
)

// The interactive program goes through scenarios by keys, and reaches every check
// that is on the page.
func TestByKeys(t *testing.T) {
	dir := os.Getenv("BELAY_CONFORMANCE")
	if dir == "" {
		t.Fatal("BELAY_CONFORMANCE says where the suite is installed; this test is not skipped for it")
	}
	root, err := repocheck.Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	belay := filepath.Join(t.TempDir(), "belay")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", belay, "belay").CombinedOutput(); err != nil {
		t.Fatalf("building belay: %v\n%s", err, out)
	}
	browser := filepath.Join(t.TempDir(), "browser")
	script := fmt.Sprintf("#!/bin/sh\nPLAY_BROWSER=\"$1\" exec %q\n", os.Args[0])
	if err := os.WriteFile(browser, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	ready := func(s *termtest.Story) *termtest.Story { return s.See("● ", "n new call") }
	for _, tt := range []struct {
		revision, scenario string
		play               func(s *termtest.Story)
	}{
		{"2025-11-25", "initialize", func(s *termtest.Story) { ready(s) }},
		{"2025-11-25", "tools_call", func(s *termtest.Story) {
			call(ready(s), "add_numbers").See("ctrl+s send").Type("2").Press("tab").Type("3").Press("ctrl+s").See("The sum of 2 and 3 is 5")
		}},
		{"2025-11-25", "sse-retry", func(s *termtest.Story) {
			call(ready(s), "test_reconnection").See("Reconnection test completed successfully")
		}},
		{"2025-11-25", "elicitation-sep1034-client-defaults", func(s *termtest.Story) {
			call(ready(s), "test_client_elicitation_defaults").See("asks you to fill in a form", "ctrl+s send").Press("ctrl+s").See("Elicitation completed")
		}},
		{"2025-11-25", "auth/scope-step-up", func(s *termtest.Story) {
			s.See("wants you to log in", "ctrl+u open").Press("ctrl+u").See("● ").Gone("ctrl+u open")
			call(s, "test-tool").See("wants a login for more", "ctrl+u open").Press("ctrl+u").See("logged in", "┃ test")
		}},
		{"2026-07-28", "sep-2322-client-request-state", func(s *termtest.Story) {
			call(ready(s), "test_mrtr_no_state").See("asks you to fill in a form", "ctrl+s send").Press("ctrl+s").See("no-state-ok")
			call(s, "test_mrtr_echo_state").See("asks you to fill in a form", "ctrl+l later").Press("ctrl+l").Gone("ctrl+l later")
			call(s, "test_mrtr_unrelated").See("unrelated-ok") // between two requests of the other one
			s.Press("!").See("ctrl+s send").Press("ctrl+s").See("echo-state-ok")
			call(s, "test_mrtr_no_result_type").See("no-result-type-test-ok")
		}},
		{"2026-07-28", "json-schema-ref-no-deref", func(s *termtest.Story) {
			call(ready(s), "lookup_user").See("id*", "profile", "ctrl+s send").Press("esc").Gone("ctrl+s send")
		}},
	} {
		t.Run(tt.revision+" "+tt.scenario, func(t *testing.T) {
			want, _, err := onPage(page, tt.revision, tt.scenario)
			if err != nil {
				t.Fatal(err)
			}
			server, stop := serve(t, newSuite(dir), tt.revision, tt.scenario)
			s := termtest.Tell(t, termtest.Options{
				Cols: 120, Rows: 32, Argv: []string{belay, server},
				Env: []string{"HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir(), "BROWSER=" + browser},
			})
			tt.play(s)
			s.Press("q").Exit(0)
			if got := stop(); got.Score() != want || len(got.Failed) > 0 {
				t.Errorf("%v by keys, %v on the page; failed: %q", got.Score(), want, got.Failed)
			}
		})
	}
}

// call makes a call through the picker.
func call(s *termtest.Story, tool string) *termtest.Story {
	return s.Press("n").See("New call").Type(tool).See("▌tool      " + tool).Press("enter").Gone("New call")
}

// serve has the suite play the server of a scenario. What it returns last ends
// it, and returns the checks that were reached.
func serve(t *testing.T, s suite, revision, scenario string) (server string, stop func() Checks) {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, s.node, s.script, "client", "--scenario", scenario, "--spec-version", revision, "-o", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var said []string
	for server == "" && lines.Scan() {
		said = append(said, lines.Text())
		if url, found := strings.CutPrefix(lines.Text(), "Server URL: "); found {
			server = url
		}
	}
	if server == "" {
		t.Fatalf("the suite named no server: %q, %v", said, cmd.Wait())
	}
	return server, func() Checks {
		t.Helper()
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			said = append(said, lines.Text())
		}
		err := cmd.Wait()
		checks, checksErr := readChecks(dir)
		if checksErr != nil {
			t.Fatalf("%v (%v)\n%s", checksErr, err, strings.Join(said, "\n"))
		}
		return checks
	}
}
