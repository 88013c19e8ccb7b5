// Command conformance runs the official conformance suite against belay without
// its screen (belayclient), scenario by scenario, and writes the checks that it
// reached to docs/conformance.md, beside those of a client on the Go SDK
// (sdkclient).
//
//	npm install --prefix DIR          with this directory's package.json in DIR
//	go run ./internal/repocheck/conformance -suite DIR
//
// The figures of the SDK are those of the page as it is; with -sdk they are made
// anew. They change only with the suite and the SDK, and take as long as belay's.
//
// A client that does nothing passes some scenarios, so it is the checks that
// count: with -check nothing is written, and the command fails where belay reached
// fewer than the SDK, where one of its checks failed, and where the page is not
// what would be written.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"

	"belay/internal/repocheck"
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
	sdk := flag.Bool("sdk", false, "run the client on the SDK as well, in place of its figures on the page")
	only := flag.String("only", "", "run the scenarios that match this `pattern`, print what they reached, and write nothing")
	check := flag.Bool("check", false, "write nothing; fail where belay reached fewer checks, or where the page is old")
	flag.Parse()
	if *dir == "" {
		return errors.New("-suite is needed: see go doc ./internal/repocheck/conformance")
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	root, err := repocheck.Root()
	if err != nil {
		return err
	}
	path := filepath.Join(root, "docs", "conformance.md")
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	clients, remove, err := buildClients(ctx)
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
			if r.Belay, err = s.run(ctx, clients.belay, revision, name); err != nil {
				return err
			}
			if *sdk {
				checks, err := s.run(ctx, clients.sdk, revision, name)
				if err != nil {
					return err
				}
				r.SDK = checks.Score()
			} else if _, r.SDK, err = onPage(old, r.Revision, r.Scenario); err != nil {
				return err
			}
			fmt.Printf("%s  %-45s belay %s, SDK %s\n", r.Revision, r.Scenario, r.Belay.Score(), r.SDK)
			all = append(all, r)
		}
	}
	if *only != "" {
		return errors.Join(Faults(all)...)
	}
	return conclude(path, old, all, *check)
}

// conclude writes the page at a path, or checks it and what it says.
func conclude(path string, old []byte, all []Requirement, check bool) error {
	page := Page(all)
	if !check {
		return os.WriteFile(path, page, 0o644)
	}
	faults := Faults(all)
	if !bytes.Equal(old, page) {
		faults = append(faults, fmt.Errorf("%s is not what this run would write: run the command without -check and look at the difference", path))
	}
	return errors.Join(faults...)
}

// clients are the commands of the two clients.
type clients struct{ belay, sdk string }

// buildClients builds the two clients.
func buildClients(ctx context.Context) (c clients, remove func(), err error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return c, nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	const here = "belay/internal/repocheck/conformance/"
	build := exec.CommandContext(ctx, "go", "build", "-o", dir, here+"belayclient", here+"sdkclient")
	if out, err := build.CombinedOutput(); err != nil {
		remove()
		return c, nil, fmt.Errorf("building the clients: %w\n%s", err, out)
	}
	return clients{filepath.Join(dir, "belayclient"), filepath.Join(dir, "sdkclient")}, remove, nil
}
