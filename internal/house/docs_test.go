package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var goFile = regexp.MustCompile("`((?:[A-Za-z0-9_.-]+/)*[a-z0-9_]+\\.go)`")

// A page that leads a reader to a file which is not there any more is worse than none.
func TestPagesNameFilesThatExist(t *testing.T) {
	root := filepath.Join("..", "..")
	names, pages := map[string]bool{}, []string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			names[d.Name()] = true
		case strings.HasSuffix(path, ".md"):
			pages = append(pages, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goFile.FindAllStringSubmatch(string(text), -1) {
			found++
			name := m[1]
			if !strings.Contains(name, "/") {
				if !names[name] {
					t.Errorf("%s names %s, and no file is called so", page, name)
				}
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
				t.Errorf("%s names %s, which is not there", page, name)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d names of files were found in %d pages", found, len(pages))
	}
}

// A stranger finds each package in the table of rooms. Those of house stand in one line.
func TestThePageHasEveryRoom(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for i, name := range strings.Split(cells[1], "`") {
				if i%2 == 1 {
					named[strings.TrimSuffix(name, "/")] = true
				}
			}
		}
	}
	_, files := tree(t)
	for _, f := range files {
		switch room := f.Dir(); {
		case f.Test, room == ".", strings.Contains(room, "testdata"), strings.HasPrefix(room, "internal/house/"):
		case !named[room]:
			t.Errorf("docs/architecture.md has no line for %s", room)
			named[room] = true
		}
	}
}
