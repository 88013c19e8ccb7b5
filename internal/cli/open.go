package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"belay/mcpclient/settings"
	"belay/session"
)

// openWait is how long a program that opens addresses may take to say that it
// cannot. One that runs on is the browser itself.
const openWait = 3 * time.Second

// OpenURL gives an address to the user's browser, and returns an error when the program for that
// cannot be started or says that it failed. Nothing of what it writes is read (ELI-43;
// client/elicitation).
//
// Only addresses of the web are opened, whoever asks (SEC-08; basic/security_best_practices).
func (*desktop) OpenURL(address string) error {
	if !ofTheWeb(address) {
		return errors.New("only http and https addresses are opened")
	}
	return runOpener(opener(runtime.GOOS, os.Getenv("BROWSER"), address), openWait)
}

func ofTheWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// opener is the command that opens an address: the first of $BROWSER, or that
// of the platform. No shell sees the address.
func opener(goos, browser, url string) []string {
	first, _, _ := strings.Cut(browser, ":")
	if argv := strings.Fields(first); len(argv) > 0 && goos != "windows" {
		placed := false
		for i, a := range argv[1:] {
			if strings.Contains(a, "%s") {
				argv[i+1], placed = strings.ReplaceAll(a, "%s", url), true
			}
		}
		if !placed {
			argv = append(argv, url)
		}
		return argv
	}
	switch goos {
	case "darwin":
		return []string{"open", url}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	}
	return []string{"xdg-open", url}
}

func runOpener(argv []string, wait time.Duration) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%s is not installed: set $BROWSER", argv[0])
		}
		return fmt.Errorf("%s cannot be started: %w", argv[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s failed: %w", argv[0], err)
		}
	case <-timer.C:
	}
	return nil
}

// readMost bounds a file that the user names in a command.
const readMost = 1 << 20

// Read returns a file that the user named, which may be below ~.
func (*desktop) Read(name string) ([]byte, error) {
	name, err := belowHome(name)
	if err != nil {
		return nil, err
	}
	f, err := settings.Open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var data bytes.Buffer
	if n, err := io.Copy(&data, io.LimitReader(f, readMost+1)); err != nil {
		return nil, err
	} else if n > readMost {
		return nil, fmt.Errorf("%q is larger than 1 MiB", name)
	}
	return data.Bytes(), nil
}

// Root makes a root of a directory, which may be ~ or below it.
func (*desktop) Root(dir string) (session.Root, error) {
	dir, err := belowHome(dir)
	if err != nil {
		return session.Root{}, err
	}
	return rootOf(dir)
}

// belowHome replaces ~ at the beginning of a path, as a shell does.
func belowHome(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, rest), err
}
