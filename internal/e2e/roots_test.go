package e2e

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"belay/internal/requirements"
)

func TestARootThatVanishesIsNotGivenAway(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "RTS-08", "RTS-14")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stays, goes := filepath.Join(dir, "stays"), filepath.Join(dir, "goes")
	for _, d := range []string{stays, goes} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	uri := func(dir string) string {
		u := url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}
		return u.String()
	}
	s := play(t, "dictated", "--root", stays, "--root", goes)
	s.See("scripted")
	s.dictate(`{"jsonrpc":"2.0","id":"r1","method":"roots/list"}`)
	s.serverReads(1, `"id":"r1","result"`, uri(stays), uri(goes))
	if err := os.Remove(goes); err != nil {
		t.Fatal(err)
	}
	s.dictate(`{"jsonrpc":"2.0","id":"r2","method":"roots/list"}`)
	s.serverReads(1, `"id":"r2","result"`, uri(stays)).serverReads(0, `"id":"r2"`, uri(goes))
	s.serverReads(1, "notifications/roots/list_changed")
}
