package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const list = `Required for 2025-11-25 (3 scenarios, frozen; run at the 2025-11-25 wire):

Server scenarios (test against a server):
  - ping

Client scenarios (test against a client):
  - initialize
  - auth/basic-cimd [2025-11-25,2026-07-28]

Run and reported, but never scored:
  extension (1):
    - auth/dpop [client]
`

func TestOnlyRequiredClientScenariosAreListed(t *testing.T) {
	if got := parseList([]byte(list)); !slices.Equal(got, []string{"initialize", "auth/basic-cimd"}) {
		t.Errorf("%q", got)
	}
}

func TestChecksAreCountedOnce(t *testing.T) {
	for _, tt := range []struct {
		name, json string
		passed     int
		failed     string
	}{
		{"none", `[]`, 0, ""},
		{"notes", `[{"id":"a","status":"INFO"},{"id":"b","status":"SKIPPED"}]`, 0, ""},
		{"the same one twice", `[{"id":"a","name":"A","status":"SUCCESS"},{"id":"a","name":"A","status":"SUCCESS"}]`, 1, ""},
		{"one rule in two places", `[{"id":"a","name":"A","status":"SUCCESS"},{"id":"a","name":"B","status":"SUCCESS"}]`, 2, ""},
		{"a failure stays one", `[{"id":"a","name":"A","status":"FAILURE"},{"id":"a","name":"A","status":"SUCCESS"},{"id":"b","status":"WARNING"}]`, 1, "a (A)"},
		{"and becomes one", `[{"id":"a","name":"A","status":"SUCCESS"},{"id":"a","name":"A","status":"FAILURE"}]`, 0, "a (A)"},
	} {
		got, err := parseChecks([]byte(tt.json))
		if err != nil || got.Passed != tt.passed || strings.Join(got.Failed, ",") != tt.failed {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
	for _, bad := range []string{``, `{}`, `[{"id":"a","status":"MAYBE"}]`, `[{"id":"a"}]`} {
		if got, err := parseChecks([]byte(bad)); err == nil {
			t.Errorf("%s: %+v", bad, got)
		}
	}
}

func TestFewerChecksAreAFault(t *testing.T) {
	for _, tt := range []struct {
		belay  Checks
		sdk    Score
		faults int
	}{
		{Checks{Passed: 3}, Score{3, 3}, 0},
		{Checks{Passed: 4}, Score{3, 3}, 0},
		{Checks{Passed: 2}, Score{3, 3}, 1},
		{Checks{Passed: 3, Failed: []string{"x"}}, Score{3, 3}, 1},
		{Checks{Passed: 2, Failed: []string{"x"}}, Score{2, 3}, 1},
		{Checks{}, Score{1, 1}, 1},
	} {
		if got := Faults([]Requirement{{Belay: tt.belay, SDK: tt.sdk}}); len(got) != tt.faults {
			t.Errorf("belay %v, SDK %v: %v", tt.belay, tt.sdk, got)
		}
	}
}

func TestThePageAddsUp(t *testing.T) {
	all := []Requirement{
		{"2025-11-25", "initialize", Checks{Passed: 1}, Score{1, 1}},
		{"2025-11-25", "tools_call", Checks{Passed: 2, Failed: []string{"x"}}, Score{3, 3}},
		{"2026-07-28", "tools_call", Checks{Passed: 5}, Score{4, 12}},
	}
	page := string(Page(all))
	for _, want := range []string{
		"## 2025-11-25\n\nOf 2 scenarios belay passes 1, the Go SDK 2; of the checks in them 3 and 4.\n", "| tools_call | 2/3 | 3/3 |\n",
		"## 2026-07-28\n\nOf 1 scenarios belay passes 1, the Go SDK 0; of the checks in them 5 and 4.\n", "| tools_call | 5/5 | 4/12 |\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for _, r := range all {
		if belay, sdk, err := onPage([]byte(page), r.Revision, r.Scenario); err != nil || belay != r.Belay.Score() || sdk != r.SDK {
			t.Errorf("read from the page: %v, %v, %v; want %+v", belay, sdk, err, r)
		}
	}
	for _, tt := range []struct{ page, scenario string }{
		{page, "sse-retry"}, {"", "initialize"}, {strings.ReplaceAll(page, "1/1 |\n", "? |\n"), "initialize"},
	} {
		if belay, sdk, err := onPage([]byte(tt.page), "2025-11-25", tt.scenario); err == nil {
			t.Errorf("%s: %v, %v of a page without it", tt.scenario, belay, sdk)
		}
	}
}

func TestCheckComparesThePage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "conformance.md")
	all := []Requirement{{"2025-11-25", "initialize", Checks{Passed: 1}, Score{1, 1}}}
	if err := conclude(path, nil, all, true); err == nil {
		t.Error("a page that is not there")
	}
	if err := conclude(path, nil, all, false); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := conclude(path, page, all, true); err != nil {
		t.Error(err)
	}
	all[0].Belay.Passed = 2
	if err := conclude(path, page, all, true); err == nil {
		t.Error("a page that is old")
	}
}

// TestMain plays Node, which does what the suite would, and a browser, which
// follows where a page leads.
func TestMain(m *testing.M) {
	if page := os.Getenv("PLAY_BROWSER"); page != "" {
		if resp, err := http.Get(page); err != nil || resp.StatusCode != http.StatusOK {
			os.Exit(1)
		}
		return
	}
	if script := os.Getenv("PLAY_SUITE"); script != "" && len(os.Args) > 2 {
		playSuite(script, os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

func playSuite(script string, args []string) {
	if args[0] == "list" {
		fmt.Print(list)
		return
	}
	want := []string{"client", "--command", "belay x", "--scenario", "auth/basic-cimd", "--spec-version", "2025-11-25", "-o"}
	if len(args) != 9 || !slices.Equal(args[:8], want) {
		fmt.Printf("called by %q\n", args)
		os.Exit(1)
	}
	if script == "nothing" {
		fmt.Println("there was nothing")
		return
	}
	dir := filepath.Join(args[8], "auth", "basic-cimd-2026")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "checks.json"), []byte(`[{"id":"a","name":"A","status":"SUCCESS"},{"id":"b","name":"B","status":"FAILURE"}]`), 0o644); err != nil {
		panic(err)
	}
	os.Exit(1) // as where a check failed
}

func TestAScenarioIsRun(t *testing.T) {
	s := suite{node: os.Args[0], script: "conformance"}
	rev := revision{"2025-11-25", 2}
	t.Setenv("PLAY_SUITE", "checks")
	if got, err := s.scenarios(t.Context(), rev); err != nil || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := s.scenarios(t.Context(), revisions[0]); err == nil {
		t.Error("18 scenarios are required, and 2 were listed")
	}
	got, err := s.run(t.Context(), "belay x", rev, "auth/basic-cimd")
	if err != nil || got.Score() != (Score{1, 2}) || got.Failed[0] != "b (B)" {
		t.Errorf("%+v, %v", got, err)
	}
	t.Setenv("PLAY_SUITE", "nothing")
	if _, err := s.run(t.Context(), "belay x", rev, "auth/basic-cimd"); err == nil || !strings.Contains(err.Error(), "there was nothing") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.run(ctx, "belay x", rev, "auth/basic-cimd"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := (suite{node: filepath.Join(t.TempDir(), "none")}).scenarios(t.Context(), rev); err == nil {
		t.Error("a suite that is not installed")
	}
}
