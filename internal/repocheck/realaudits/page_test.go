package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var docs = filepath.Join("..", "..", "..", "docs", "audits")

// The table is what the pages say, of the servers and versions that are audited today.
func TestTheTableIsThatOfThePages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(docs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := intro + header
	for _, s := range servers {
		page, err := os.ReadFile(filepath.Join(docs, s.name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		line, err := rowOf(s, page)
		if err != nil {
			t.Error(err)
		}
		want += line
	}
	if string(text) != want {
		t.Error("docs/audits/README.md is not the table of its pages: go run ./internal/repocheck/realaudits -only NAME")
	}
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(pages) != len(servers)+1 {
		t.Errorf("%d pages for %d servers: %v", len(pages), len(servers), err)
	}
}

// server-everything goes on with its work after each cancel, and its audit ends with 5.
func TestServerEverythingFails(t *testing.T) {
	for _, s := range servers[:2] {
		page, err := os.ReadFile(filepath.Join(docs, s.name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		row, err := rowOf(s, page)
		if err != nil || !strings.Contains(row, "| fails a SHOULD | 5 |") || !strings.Contains(row, "midway: work stops (SHOULD)") {
			t.Errorf("%s: %s, %v", s.name, row, err)
		}
	}
}

// The versions that the pages tell are those that are installed.
func TestVersionsAreThoseThatArePinned(t *testing.T) {
	read := func(elem ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{"..", "..", ".."}, elem...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	npm, sdk, mcpgo := read("internal", "repocheck", "realaudits", "package.json"), read("go.mod"), read("internal", "interop", "mcpgo", "go.mod")
	for _, s := range servers {
		where, line := npm, `": "`+s.version+`"`
		switch s.command[0] {
		case "./gosdk":
			where, line = sdk, "modelcontextprotocol/go-sdk v"+s.version+"\n"
		case "./mcpgo":
			where, line = mcpgo, "mark3labs/mcp-go v"+s.version+"\n"
		}
		if !strings.Contains(where, line) {
			t.Errorf("%s: %q is not the version that is installed", s.name, s.version)
		}
	}
}

func TestAPageTellsWhatWasRun(t *testing.T) {
	s := server{name: "x", what: "X", version: "1", path: "/mcp", command: []string{"./x", "-y"}}
	numbers := `{"transport":"http","revision":"2025-11-25","grade":"fails a MUST","exit":5,"counts":{"passed":2,"unseen":1,"skipped":3},
		"checks":[{"name":"a","outcome":"fail","level":"MUST"},{"name":"b","outcome":"fail"},{"name":"c","outcome":"pass","level":"MUST"}]}`
	args := []string{"audit", "--json", `{"a":1}`, "http://127.0.0.1:4711/mcp"}
	when := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	text, err := page(s, args, when, []byte("# How it cancels\n"), []byte(numbers), 5)
	if err != nil {
		t.Fatal(err)
	}
	row, err := rowOf(s, text)
	if want := "| [X](x.md) | 1 | http · 2025-11-25 | fails a MUST | 5 | 2 | a (MUST) | 4 | 2026-11-24 |\n"; err != nil || row != want {
		t.Errorf("%q, %v, want %q", row, err, want)
	}
	for _, want := range []string{"24 November 2026", "PORT=8080 ./x -y\n", "belay audit --json '{\"a\":1}' ", "127.0.0.1:8080/mcp", "\n## How it cancels"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if _, err := page(s, args, when, nil, []byte(numbers), 0); err == nil {
		t.Error("an exit code that the report denies is taken")
	}
	s.version = "2"
	if _, err := rowOf(s, text); err == nil {
		t.Error("the page of an old version counts for the new one")
	}
}
