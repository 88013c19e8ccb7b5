package mcpclient

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"belay/internal/requirements"
	"belay/session"
)

func TestWhichRootsCannotBeRead(t *testing.T) {
	requirements.Rows(t, "RTS-08")
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(dir, "a b%20ü#?")
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	root := func(path string) session.Root {
		path = filepath.ToSlash(path)
		if path[0] != '/' {
			path = "/" + path // a drive letter
		}
		u := url.URL{Scheme: "file", Path: path}
		return session.Root{URI: u.String()}
	}
	missing, noDir, noFile := root(filepath.Join(dir, "missing")), root(file), session.Root{URI: "https://example.com/"}
	roots := []session.Root{root(dir), missing, root(odd), noDir, noFile}
	if got := unreadable(roots); !slices.Equal(got, []session.Root{missing, noDir, noFile}) {
		t.Errorf("unreadable: %v", got)
	}
	if os.Getuid() > 0 { // root may read everything
		if err := os.Chmod(odd, 0); err != nil {
			t.Fatal(err)
		}
		if got := unreadable([]session.Root{root(odd)}); len(got) != 1 {
			t.Error("a directory that may not be read passes")
		}
	}
}
