package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestOpener(t *testing.T) {
	const url = "https://example.com/?a=b&c=$(id)"
	for _, tt := range []struct {
		goos, browser string
		want          []string
	}{
		{"linux", "", []string{"xdg-open", url}},
		{"freebsd", "", []string{"xdg-open", url}},
		{"darwin", "", []string{"open", url}},
		{"windows", "", []string{"rundll32", "url.dll,FileProtocolHandler", url}},
		{"linux", "firefox", []string{"firefox", url}},
		{"linux", "firefox --new-tab %s:chromium", []string{"firefox", "--new-tab", url}},
		{"darwin", "w3m -o a=b", []string{"w3m", "-o", "a=b", url}},
		{"linux", " ", []string{"xdg-open", url}},
	} {
		if got := opener(tt.goos, tt.browser, url); !slices.Equal(got, tt.want) {
			t.Errorf("%s, BROWSER=%q: %q, want %q", tt.goos, tt.browser, got, tt.want)
		}
	}
}

func TestAMissingOpenerIsSaid(t *testing.T) {
	err := runOpener([]string{"no-such-opener", "https://example.com"}, openWait)
	if err == nil || !strings.Contains(err.Error(), "not installed: set $BROWSER") {
		t.Errorf("%v", err)
	}
}

func TestARootBelowHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	if err := os.Mkdir(filepath.Join(home, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := (&backend{}).Root("~/src")
	if err != nil || !strings.HasSuffix(r.URI, "/src") || r.Name != "src" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := (&backend{}).Root("~"); err != nil || !strings.HasSuffix(r.URI, filepath.ToSlash(filepath.Base(home))) {
		t.Errorf("~ is %+v, %v", r, err)
	}
	if _, err := (&backend{}).Root("~other"); err == nil || !strings.Contains(err.Error(), "~other") {
		t.Errorf("the home of another user: %v", err)
	}
	if _, err := (&backend{}).Root("~/missing"); err == nil {
		t.Error("a directory that is missing is a root")
	}
}

func TestReadIsBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answer.txt")
	for size, ok := range map[int]bool{0: true, readMost: true, readMost + 1: false} {
		if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := (&backend{}).Read(name); (err == nil) != ok || ok && len(got) != size {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
}

// The opener has a list of its own of what it opens: whoever calls may err.
func TestOnlyTheWebIsOpened(t *testing.T) {
	requirements.Rows(t, "SEC-08", "SEC-09")
	ran := filepath.Join(t.TempDir(), "ran")
	t.Setenv("BROWSER", "touch "+ran+" --")
	for _, address := range []string{
		"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vscode://x/y", "mailto:a@example.com", "ftp://example.com/",
		"brand-new://example.com/", "", "example.com", "//example.com/", "http:", "https:///path", "-x", "http://%zz/",
	} {
		if err := (&backend{}).OpenURL(address); err == nil {
			t.Errorf("%q was opened", address)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the browser was run")
	}
	for _, address := range []string{"http://127.0.0.1:1/x", "https://example.com", "HTTPS://EXAMPLE.COM/"} {
		if !ofTheWeb(address) {
			t.Errorf("%q is refused", address)
		}
	}
}
