// Command beside makes the same ten calls with belay call and belay ls and with the official
// Inspector's --cli, and writes to docs/call.md what came of it: whether the results are the
// same, how long each program took, and how much memory.
//
//	go run ./internal/repocheck/beside
//
// The Inspector, Node and server-everything, pinned, are installed by npm in the directory of
// -programs. It fails, and writes nothing, where a result differs. Linux only: so is the Node.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"belay/internal/repocheck"
)

//go:embed package.json
var pinned []byte

// The table stands behind this line, to the end of the page.
const begin = "<!-- Measured and written by go run ./internal/repocheck/beside. Do not edit from here to the end. -->\n"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	dir := flag.String("programs", "", "the `directory` to install the programs in; by default one in the cache of the user")
	times := flag.Int("times", 5, "how often each call is made")
	flag.Parse()
	err := run(ctx, *dir, max(1, *times))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "beside:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, times int) error {
	root, err := repocheck.Root()
	if err != nil {
		return err
	}
	at := filepath.Join(root, "docs", "call.md")
	old, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	head, _, ok := strings.Cut(string(old), begin)
	if !ok {
		return errors.New("docs/call.md lacks the line behind which the table stands")
	}
	if dir, err = repocheck.CacheDir(dir, "belay-beside"); err != nil {
		return err
	}
	if err := install(ctx, root, dir); err != nil {
		return err
	}
	all, err := measure(ctx, dir, times)
	if err != nil {
		return err
	}
	return os.WriteFile(at, []byte(head+begin+table(all, times)), 0o644)
}

// install brings both programs and the server into a directory.
func install(ctx context.Context, root, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), pinned, 0o644); err != nil {
		return err
	}
	for _, c := range [][]string{
		{dir, "npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel", "error"},
		{root, "go", "build", "-o", filepath.Join(dir, "belay"), "."},
	} {
		cmd := exec.CommandContext(ctx, c[1], c[2:]...)
		cmd.Dir = c[0]
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", c[1], err, out)
		}
	}
	return nil
}
