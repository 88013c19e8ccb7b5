//go:build unix

package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// A question that is taken back while somebody types is locked, and the server
// reads nothing for it, whatever is pressed.
func TestAQuestionIsTakenBackWhileTyping(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXS-04")
	s := play(t, "dictated")
	s.See("scripted").call("slow")
	s.serverReads(1, `"tools/call"`)
	s.dictate(questions["form"]).See("asks you to fill in a form", "Your name?", "ctrl+s send")
	s.Type("Ann").See("Ann")
	s.dictate(takeBack).See("withdrawn by the server · nothing was sent · esc dismisses", "changed my mind", "Ann")
	s.Press("ctrl+s", "enter", "ctrl+r")
	s.Press("esc")
	s.Gone("esc dismisses")
	s.silent().Press("q", "y").Exit(0)
}

// Nothing of a form is sent before ctrl+s, and until then everything in it can
// be looked at and changed. The request here names no mode.
func TestAFormIsItsOwnReview(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "ELI-08", "ELI-12", "ELI-13")
	for _, rev := range []string{"2025-06-18", "2025-11-25"} {
		t.Run(rev, func(t *testing.T) {
			s := play(t, "dictated", "--protocol", rev)
			s.See("scripted").call("slow")
			s.serverReads(1, `"tools/call"`)
			s.dictate(questions["form"]).See("asks you to fill in a form", "Your name?", "ctrl+s send")
			s.Type("Ahab").Press("enter", "tab").See("Ahab").silent()
			s.Press("ctrl+g").See(`"name": "Ahab"`).Press("ctrl+g").See("name").silent()
			s.Press("ctrl+u").Type("Ishmael").See("Ishmael").silent()
			s.Press("ctrl+s")
			s.serverReads(1, `"id":"q1"`, `{"action":"accept","content":{"name":"Ishmael"}}`)
			s.Press("q", "y").Exit(0)
		})
	}
}

// An address goes to the browser on its own key, as one argument, and nowhere
// else: belay itself never asks for it.
func TestAnAddressGoesToTheBrowser(t *testing.T) {
	requirements.Rows(t, "ELI-37", "ELI-38", "ELI-43", "SEC-07")
	var hits atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer web.Close()
	dir := t.TempDir()
	opened, browser := filepath.Join(dir, "opened"), filepath.Join(dir, "browser")
	script := "#!/bin/sh\necho noise; echo noise >&2; printf '%s|' \"$#\" \"$@\" >> '" + opened + "'\n"
	if err := os.WriteFile(browser, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BROWSER", browser)
	link := web.URL + "/login?a=$(id)&b=%27x%27"
	s := play(t, "dictated")
	s.See("scripted").call("slow")
	s.serverReads(1, `"tools/call"`)
	s.dictate(strings.Replace(questions["url"], "https://example.com/login", link, 1))
	s.See("asks you to open an address", "host: 127.0.0.1", "ctrl+u open")
	s.Press("enter", "ctrl+s", "o")
	s.See("ctrl+u open")
	if _, err := os.Stat(opened); err == nil {
		t.Fatal("the browser was run without its key")
	}
	s.silent().Press("ctrl+u").See("opened · waiting for the server")
	s.serverReads(1, `"id":"q1"`, `"result":{"action":"accept"}`)
	s.Until("the browser to have the address, and nothing else", func(termtest.Screen) bool { // it may take long to begin
		got, _ := os.ReadFile(opened)
		return string(got) == "1|"+link+"|"
	})
	if screen := s.Screen().String(); strings.Contains(screen, "noise") {
		t.Errorf("the browser writes on the screen:\n%s", screen)
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the address was asked for %d times", n)
	}
	s.Press("esc", "q", "y").Exit(0)
}
