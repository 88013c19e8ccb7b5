// Command conformance runs the official conformance suite against belay and
// against a client on the Go SDK, scenario by scenario, and writes the checks
// that each of them reached to docs/conformance.md.
//
//	npm install --prefix DIR          with this directory's package.json in DIR
//	go run ./internal/house/conformance -suite DIR -client "COMMAND"
//
// The suite appends the URL of its server to the command of the client, and
// tells it the scenario by the environment. A client that does nothing passes
// some scenarios, so it is the checks that count: with -check nothing is written,
// and the command fails where belay reached fewer than the SDK, where one of its
// checks failed, and where the page is not what would be written.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"

	"belay/internal/house"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

func run(ctx context.Context) error {
	dir := flag.String("suite", os.Getenv("BELAY_CONFORMANCE"), "`directory` in which the suite is installed; BELAY_CONFORMANCE by default")
	client := flag.String("client", "", "the `command` that runs belay as a client of the suite")
	only := flag.String("only", "", "run the scenarios that match this `pattern`, print what they reached, and write nothing")
	check := flag.Bool("check", false, "write nothing; fail where belay reached fewer checks, or where the page is old")
	flag.Parse()
	if *dir == "" || *client == "" {
		return errors.New("-suite and -client are needed: see go doc ./internal/house/conformance")
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	sdk, remove, err := buildSDKClient(ctx)
	if err != nil {
		return err
	}
	defer remove()

	s := newSuite(*dir)
	var all []Requirement
	for _, revision := range revisions {
		scenarios, err := s.scenarios(ctx, revision)
		if err != nil {
			return err
		}
		for _, name := range scenarios {
			if !pattern.MatchString(name) {
				continue
			}
			r := Requirement{Revision: revision.name, Scenario: name}
			if r.Belay, err = s.run(ctx, *client, revision, name); err != nil {
				return err
			}
			if r.SDK, err = s.run(ctx, sdk, revision, name); err != nil {
				return err
			}
			fmt.Printf("%s  %-45s belay %s, SDK %s\n", r.Revision, r.Scenario, r.Belay, r.SDK)
			all = append(all, r)
		}
	}
	if *only != "" {
		return nil
	}
	root, err := house.Root()
	if err != nil {
		return err
	}
	return conclude(filepath.Join(root, "docs", "conformance.md"), all, *check)
}

// conclude writes the page at a path, or checks it and what it says.
func conclude(path string, all []Requirement, check bool) error {
	page := Page(all)
	if !check {
		return os.WriteFile(path, page, 0o644)
	}
	faults := Faults(all)
	if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, page) {
		faults = append(faults, fmt.Errorf("%s is not what this run would write: run the command without -check and look at the difference", path))
	}
	return errors.Join(faults...)
}

// buildSDKClient builds the client on the Go SDK and returns its path.
func buildSDKClient(ctx context.Context) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "sdkclient")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "belay/internal/house/conformance/sdkclient")
	if out, err := build.CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("building the client on the SDK: %w\n%s", err, out)
	}
	return path, remove, nil
}
