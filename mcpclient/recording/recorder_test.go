//go:build unix

package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "session.jsonl")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for name, tc := range map[string]struct{ path, says string }{
		"exists":       {path, "exists already"},
		"a directory":  {dir, "it is a directory; name a file in it"},
		"no directory": {filepath.Join(dir, "none", "x"), `: there is no directory "` + filepath.Join(dir, "none") + `"; name another file, or make it`},
		"no name":      {"", ": no such file or directory; name another file"},
		"below a file": {filepath.Join(path, "x"), ": not a directory; name another file"},
	} {
		f, err := Create(tc.path)
		if err == nil {
			_ = f.Close()
			t.Fatalf("%s: no error", name)
		}
		if !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), tc.path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	null, err := Create(os.DevNull)
	if err != nil {
		t.Fatalf("a device: %v", err)
	}
	_ = null.Close()
}
