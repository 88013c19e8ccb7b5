// Command realaudits audits servers of others with belay audit, and writes what was seen to
// docs/audits: a page for each, and the table of all of them.
//
//	go run ./internal/repocheck/realaudits
//	go run ./internal/repocheck/realaudits -only typescript      some; the table keeps the others
//
// The servers, pinned, are installed by npm and the go command in the directory of -servers.
// An audit takes some minutes, so several run at once; with too many of them on a small machine
// a server may be too slow to be judged, which a page then says.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"belay/internal/repocheck"
)

//go:embed package.json ts-work.mjs ts-v1.mjs ts-v2.mjs
var scripts embed.FS

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	dir := flag.String("servers", "", "the `directory` to install the servers in; by default one in the cache of the user")
	only := flag.String("only", "", "audit the servers whose name matches this `pattern`")
	at := flag.Int("at-once", 3, "how many audits run at once")
	flag.Parse()
	err := run(ctx, *dir, *only, max(1, *at))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "realaudits:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, only string, atOnce int) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	root, err := repocheck.Root()
	if err != nil {
		return err
	}
	if dir, err = repocheck.CacheDir(dir, "belay-audits"); err != nil {
		return err
	}
	if err := install(ctx, root, dir); err != nil {
		return err
	}
	pages := filepath.Join(root, "docs", "audits")
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return err
	}
	var (
		mu     sync.Mutex
		failed []error
		wait   sync.WaitGroup
	)
	room := make(chan struct{}, atOnce)
	for i := range servers {
		if s := servers[i]; chosen.MatchString(s.name) {
			wait.Go(func() {
				room <- struct{}{}
				defer func() { <-room }()
				text, err := audit(ctx, dir, s)
				if err == nil {
					err = os.WriteFile(filepath.Join(pages, s.name+".md"), text, 0o644)
				}
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
				}
				fmt.Printf("%-28s %s\n", s.name, map[bool]string{true: "audited", false: "not audited"}[err == nil])
			})
		}
	}
	wait.Wait()
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	return writeIndex(pages)
}

// install brings the servers, and a belay, into a directory.
func install(ctx context.Context, root, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files, err := scripts.ReadDir(".")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := scripts.ReadFile(f.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), text, 0o644); err != nil {
			return err
		}
	}
	for _, c := range [][]string{
		{dir, "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel", "error"},
		{root, "go", "build", "-o", filepath.Join(dir, "belay"), "."},
		{root, "go", "build", "-o", filepath.Join(dir, "gosdk"), "./internal/repocheck/realaudits/gosdk"},
		{filepath.Join(root, "internal", "interop", "mcpgo"), "go", "build", "-o", filepath.Join(dir, "mcpgo"), "."},
	} {
		cmd := exec.CommandContext(ctx, c[1], c[2:]...)
		cmd.Dir = c[0]
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", c[1], err, out)
		}
	}
	return nil
}

// audit audits one server, and returns its page.
func audit(ctx context.Context, dir string, s server) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	target := append([]string{"--"}, s.command...)
	if s.path != "" {
		url, end, err := serve(ctx, dir, s)
		if err != nil {
			return nil, err
		}
		defer end()
		target = []string{url}
	}
	out, err := os.MkdirTemp("", "realaudits-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(out) }()
	report, figures := filepath.Join(out, "report.md"), filepath.Join(out, "report.json")
	args := append(append([]string{"audit"}, s.flags...), target...)
	made := append([]string{"audit", "--no-memory", "-o", "markdown=" + report, "-o", "json=" + figures}, args[1:]...)
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "belay"), made...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=")
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, fmt.Errorf("no report was written; belay said:\n%s", said)
	}
	numbers, err := os.ReadFile(figures)
	if err != nil {
		return nil, err
	}
	return page(s, args, time.Now(), text, numbers, cmd.ProcessState.ExitCode())
}
