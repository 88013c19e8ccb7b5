//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/mcpclient/settings"
)

// Consents that are a pipe hold nothing up: neither whether something was allowed, nor
// that it is now.
func TestConsentsThatAreAPipe(t *testing.T) {
	c := Consents{Path: filepath.Join(t.TempDir(), "consents")}
	if err := syscall.Mkfifo(c.Path, 0o600); err != nil {
		t.Fatal(err)
	}
	q := one(t, "/p/mcp.json", `{"servers": {"x": {"command": "run"}}}`)
	for what, f := range map[string]func() error{
		"has": func() error { _, err := c.Has(q); return err },
		"add": func() error { return c.Add(q) },
	} {
		done := make(chan error, 1)
		go func() { done <- f() }()
		select {
		case err := <-done:
			if !errors.As(err, new(*settings.IrregularError)) || !strings.HasSuffix(err.Error(), "consents is no regular file, but a named pipe: move it away") {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(time.Minute): // against hanging, not a measure
			t.Fatalf("%s: it waits for the other end", what)
		}
	}
	if err := os.Remove(c.Path); err != nil {
		t.Fatal(err)
	}
	if known, err := c.Has(q); known || err != nil {
		t.Errorf("once it is away: %v, %v", known, err)
	}
}
