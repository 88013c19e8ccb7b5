//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/internal/requirements"
)

// scripted writes a program that runs a script.
func scripted(t *testing.T, script string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "opener")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

// The opener gets the address as one argument, and what it writes goes nowhere.
func TestTheOpenerGetsTheAddress(t *testing.T) {
	requirements.Rows(t, "ELI-43", "SEC-07")
	out := filepath.Join(t.TempDir(), "argv")
	const url = "https://example.com/?a=$(id)&b='x y'"
	name := scripted(t, `echo noise; echo noise >&2; printf '%s|' "$#" "$@" >'`+out+"'\n")
	t.Setenv("BROWSER", name)
	if err := (&backend{}).OpenURL(url); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the opener did not get the address as its one argument", func() bool { // it may take longer than openWait
		got, _ := os.ReadFile(out)
		return string(got) == "1|"+url+"|"
	})
}

func TestAnOpenerThatFailsIsSaid(t *testing.T) {
	if err := runOpener([]string{scripted(t, "exit 3\n"), "https://example.com"}, time.Minute); err == nil {
		t.Error("an opener that failed was not noticed")
	}
}

// An opener that runs on is the browser: nothing waits for its end.
func TestAnOpenerThatRunsOn(t *testing.T) {
	running := filepath.Join(t.TempDir(), "running") // goes with the test, and the opener with it
	if err := os.WriteFile(running, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := runOpener([]string{scripted(t, "while test -e '"+running+"'; do sleep 0.01; done\n"), "https://example.com"}, 0)
	if err != nil {
		t.Error(err)
	}
}

// A named pipe would hold up until somebody writes to it, and a device for ever.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, "/dev/zero", t.TempDir()} {
		if _, err := (&backend{}).Read(name); err == nil || !strings.Contains(err.Error(), "is no regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A root that is a pipe is no directory, and is not waited for.
func TestARootThatIsAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { _, err := rootOf(pipe); done <- err }()
	select {
	case err := <-done:
		if err == nil || !strings.HasSuffix(err.Error(), "is not a directory") {
			t.Error(err)
		}
	case <-time.After(20 * time.Second): // against hanging, not a measure
		t.Fatal("it waits for the other end")
	}
}
