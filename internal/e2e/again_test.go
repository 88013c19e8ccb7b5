//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/termtest"
)

// script writes a server that can be rebuilt: the demo server, behind a shell command.
func script(t *testing.T, path, before string) {
	t.Helper()
	text := fmt.Sprintf("#!/bin/sh\n%s '%s' demo\n", before, belay)
	if err := os.WriteFile(path+".new", []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil { // as editors do
		t.Fatal(err)
	}
}

// again starts belay with a home of its own against a server.
func again(t *testing.T, home string, argv ...string) *stage {
	t.Helper()
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 140, Rows: 32, Argv: append([]string{belay}, argv...),
		Env: []string{raceOptions, "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "conf")},
	})}
	return s.See(`● "belay demo`)
}

// has waits until a file has a text.
func (s *stage) has(path, text string) *stage {
	s.t.Helper()
	s.Until(path+" has "+text, func(termtest.Screen) bool {
		all, _ := os.ReadFile(path)
		return strings.Contains(string(all), text)
	})
	return s
}

// Whoever rebuilds a server types nothing anew: the next run offers the arguments of the call in
// its form, and after a restart the call is made again at the server that was rebuilt.
func TestACallIsMadeAgainAfterTheServerWasRebuilt(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	server, log := filepath.Join(home, "server"), filepath.Join(home, "log")
	script(t, server, "exec")
	first := again(t, home, "--", server)
	first.call("countdown").See("ctrl+s send").Type("1").Press("tab").Type("437").Press("ctrl+s").See("Counted down from 1")
	first.Press("q").Exit(0)
	kept, err := filepath.Glob(filepath.Join(home, "conf", "belay", "arguments", "arguments-*.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v: kept in %q", err, kept)
	}

	second := again(t, home, "--", server)
	second.call("countdown").See("ctrl+r earlier").Press("ctrl+r").See("arguments 1 of 1").See("437").Press("ctrl+s").See("Counted down from 1")
	script(t, server, fmt.Sprintf("tee '%s' |", log))
	second.Press(":").Type("restart").Press("enter")
	second.has(log, `"method":"tools/list"`).See(`● "belay demo`)
	second.Press("r").has(log, `"arguments":{"from":1,"interval_ms":437}`)
	second.Press(":").Type("forget").Press("enter").See("deleted 1 set of arguments")
	if _, err := os.Stat(kept[0]); !os.IsNotExist(err) {
		t.Errorf("it is there still: %v", err)
	}
	second.rows(2, "tools/call", "✓ done").Press("q").Exit(0)
}

// A server is rebuilt while a call is in flight: the restart is offered when that is over, and not
// before. Declined, it is offered again with the next change.
func TestAChangeOffersARestart(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	server, log := filepath.Join(home, "server"), filepath.Join(home, "log")
	script(t, server, "exec")
	s := again(t, home, "--watch", server, "--", server)
	s.call("countdown").See("ctrl+s send").Type("6").Press("ctrl+s").See("1 in flight")
	script(t, server, "exec ")
	s.Until("the end of the call", func(screen termtest.Screen) bool {
		if text := screen.String(); !strings.Contains(text, "1 in flight") {
			return true
		} else if strings.Contains(text, "has changed") {
			t.Errorf("it is offered while a call is in flight:\n%s", screen.Framed())
			return true
		}
		return false
	})
	s.See("Counted down from 6", "server has changed: R restarts the server, L leaves it as it is")
	s.Press("L")
	s.Gone("has changed")
	script(t, server, fmt.Sprintf("tee '%s' |", log))
	s.See("server has changed").Press("R").has(log, `"method":"tools/list"`)
	s.Gone("has changed")
	s.Press("r").has(log, `"arguments":{"from":6}`).rows(2, "tools/call", "✓ done").Press("q").Exit(0)
}

// Without a memory nothing is kept, and what was kept is not offered.
func TestWithoutAMemoryNothingIsKept(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	server := filepath.Join(home, "server")
	script(t, server, "exec")
	s := again(t, home, "--no-memory", "--", server)
	s.call("countdown").See("ctrl+s send").Type("1").Press("ctrl+s").See("Counted down from 1")
	s.call("countdown").See("ctrl+s send").Press("ctrl+r").See("no arguments are kept (--no-memory)")
	s.Press("esc", "q").Exit(0)
	if _, err := os.Stat(filepath.Join(home, "conf", "belay", "arguments")); !os.IsNotExist(err) {
		t.Errorf("something was kept: %v", err)
	}
}
