package repocheck

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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

// A stranger finds each package in the table of rooms. Those of repocheck stand in one line.
func TestThePageHasEveryRoom(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "internals.md"))
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
	exists := map[string]bool{}
	for _, f := range files {
		for dir := f.Dir(); dir != "."; dir = path.Dir(dir) {
			exists[dir] = true
		}
	}
	for name := range named {
		if strings.Contains(name, "/") && !strings.HasSuffix(name, ".go") && !exists[name] {
			t.Errorf("docs/internals.md has a line for %s, which is not there", name)
		}
	}
	for _, f := range files {
		switch room := f.Dir(); {
		case f.Test, room == ".", strings.Contains(room, "testdata"), strings.HasPrefix(room, "internal/repocheck/"):
		case !named[room]:
			t.Errorf("docs/internals.md has no line for %s", room)
			named[room] = true
		}
	}
}

var (
	inCode    = regexp.MustCompile("`([^`\n]+)`")
	goName    = regexp.MustCompile(`^\*?[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)
	qualified = regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)`)
)

// What the page says of the code names what is declared there, or a word that the code writes or
// reads, as a method of the protocol.
func TestThePageNamesWhatIsDeclared(t *testing.T) {
	var page []byte
	for _, name := range []string{"architecture.md", "internals.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		page = append(page, text...)
	}
	_, files := tree(t)
	d := declared(files)
	found := 0
	for _, m := range inCode.FindAllStringSubmatch(string(page), -1) {
		if name := m[1]; goName.MatchString(name) && !strings.HasSuffix(name, ".go") {
			found++
			if fault := d.fault(name); fault != "" {
				t.Errorf("the pages name %s: %s", name, fault)
			}
		}
	}
	for _, m := range qualified.FindAllStringSubmatch(string(page), -1) {
		if in := d.packages[m[1]]; in != nil && !in[m[2]] {
			t.Errorf("the pages name %s, which package %s does not declare", m[0], m[1])
		}
	}
	if found < 100 {
		t.Errorf("only %d names were found", found)
	}
	for name, known := range map[string]bool{
		"move": true, "rows.enter": true, "*Refusal": true, "cancel.Pace": true, "initialize": true, "outgoing": true,
		"rows.leave": false, "nosuchmachine": false, "cancel.Tempo": false, "noplace.Handle": false,
	} {
		if fault := d.fault(name); (fault == "") != known {
			t.Errorf("%s: %q", name, fault)
		}
	}
}

// Who asks where something is decided is sent to a file, and finds the name there.
func TestWhereSomethingIsDecided(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "## Where is it decided")
	if table, _, _ = strings.Cut(table, "\n## "); !ok {
		t.Fatal("docs/architecture.md does not say where things are decided")
	}
	_, files := tree(t)
	found := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		in := ""
		for _, m := range inCode.FindAllStringSubmatch(cells[2], -1) {
			if strings.Contains(m[1], "/") {
				in = m[1]
				continue
			}
			of := slices.IndexFunc(files, func(f File) bool { return f.Path == in })
			if found++; of < 0 || !declared(files[of : of+1]).names[m[1]] {
				t.Errorf("%s is said to be in %s, where it is not declared", m[1], in)
			}
		}
	}
	if found < 7 {
		t.Errorf("%d names", found)
	}
}
