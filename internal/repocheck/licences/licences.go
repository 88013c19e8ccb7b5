// Command licences writes docs/licences.md: every module that go.mod names, with the
// licence that lies in its directory, and the texts, which a release has to pass on.
//
//	go run ./internal/repocheck/licences            write the page (after go mod download)
//	go run ./internal/repocheck/licences -check     fail if it is stale, or a licence is not allowed
//
// Which licence a text is, its sentences say. The page has the texts themselves, so that
// what else one says is seen when the page changes.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"belay/internal/repocheck"
)

const head = `# Licences

<!-- Written by go run ./internal/repocheck/licences from go.mod and the module cache. Do not edit. -->

belay itself is under the [MIT License](../LICENSE). These are the modules that it is built and tested with,
and their licences, all of which, with the exceptions below, let belay be passed on as it is. Why each direct one is there is said in
[CONTRIBUTING.md](../CONTRIBUTING.md#dependencies). The texts follow below.

`

// allowed are the licences that a dependency may have: they ask for their text to be
// passed on, and for nothing of belay's.
var allowed = []string{"MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC"}

// dependency is a module with its licence.
type dependency struct {
	path, version string
	direct        bool
	licences      []string // sorted; none: it is not in the module cache
	texts         []string
}

func main() { repocheck.PagesMain("licences", run) }

func run(check bool) error {
	root, err := repocheck.Root()
	if err != nil {
		return err
	}
	all, err := dependencies(root)
	if err != nil {
		return err
	}
	if err := faults(all); err != nil {
		return err
	}
	at := filepath.Join(root, "docs", "licences.md")
	if !check {
		for _, d := range all {
			if len(d.licences) == 0 {
				return fmt.Errorf("%s is not in the module cache: go mod download", d.path)
			}
		}
		return os.WriteFile(at, page(all), 0o644)
	}
	old, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	return stale(old, all)
}

// dependencies are the modules of go.mod, with what lies in the module cache. A module
// of another system may be missing there.
func dependencies(root string) (all []dependency, err error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, r := range mod.Require {
		paths = append(paths, r.Mod.Path)
	}
	dirs, err := directories(root, paths)
	if err != nil {
		return nil, err
	}
	for _, r := range mod.Require {
		d := dependency{path: r.Mod.Path, version: r.Mod.Version, direct: !r.Indirect}
		if dir := dirs[r.Mod.Path]; dir != "" {
			if d.licences, d.texts, err = licencesIn(dir); err != nil {
				return nil, fmt.Errorf("%s: %w", d.path, err)
			}
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b dependency) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

// directories are those of the modules in the cache.
func directories(root string, paths []string) (map[string]string, error) {
	cmd := exec.Command("go", append([]string{"list", "-m", "-e", "-json=Path,Dir"}, paths...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	dirs := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Dir string }
		if err := dec.Decode(&m); errors.Is(err, io.EOF) {
			return dirs, nil
		} else if err != nil {
			return nil, err
		}
		dirs[m.Path] = m.Dir
	}
}

// named is a file with a licence.
var named = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// licencesIn are the licences in a directory. A file that says none is an error, but for
// a notice, which is passed on as it is.
func licencesIn(dir string) (ids, texts []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if e.IsDir() || !named.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, nil, err
		}
		texts = append(texts, clean(text))
		if notice := strings.ToLower(e.Name()); strings.HasPrefix(notice, "notice") || strings.HasPrefix(notice, "patents") {
			continue
		}
		found, err := licencesOf(text)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return nil, nil, errors.New("it has no licence")
	}
	return ids, texts, nil
}

// licences are known by sentences that each text of one has, in lower case and with single
// spaces. The first group are those that a dependency may have.
var licences = []struct {
	id        string
	sentences []string
	lacks     string
}{
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "the above copyright notice and this permission notice shall be included"}, ""},
	{"MIT-0", []string{"permission is hereby granted, free of charge, to any person obtaining a copy"}, "the above copyright notice"},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms, with or without modification, are permitted", "neither the name"}, "all advertising materials"},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms, with or without modification, are permitted"}, "neither the name"},
	{"Apache-2.0", []string{"apache license", "version 2.0, january 2004"}, ""},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"}, ""},

	{"BSD-4-Clause", []string{"all advertising materials mentioning features"}, ""},
	{"GPL", []string{"gnu general public license"}, "mozilla public license"}, // which speaks of the others
	{"LGPL", []string{"gnu lesser general public license"}, "mozilla public license"},
	{"AGPL", []string{"gnu affero general public license"}, "mozilla public license"},
	{"MPL", []string{"mozilla public license"}, ""},
	{"EPL", []string{"eclipse public license"}, ""},
	{"CC", []string{"creative commons"}, ""},
	{"SSPL", []string{"server side public license"}, ""},
	{"BUSL", []string{"business source license"}, ""},
}

// exceptions are licences of parts that the program does not have.
var exceptions = []struct{ path, id, why string }{
	{"pgregory.net/rapid", "MPL", "only tests use it, and nothing of it is passed on"},
	{"github.com/modelcontextprotocol/go-sdk", "CC", "it is that of its documentation, which is not passed on"},
}

// licencesOf are the licences of a text; one that is not known is an error.
func licencesOf(text []byte) (ids []string, err error) {
	words := strings.Join(strings.Fields(strings.ToLower(string(text))), " ")
next:
	for _, l := range licences {
		if l.lacks != "" && strings.Contains(words, l.lacks) {
			continue
		}
		for _, s := range l.sentences {
			if !strings.Contains(words, s) {
				continue next
			}
		}
		ids = append(ids, l.id)
	}
	if len(ids) == 0 {
		return nil, errors.New("no licence that is known")
	}
	return ids, nil
}

// clean is a text with its lines as they are, without carriage returns and what stands
// behind them.
func clean(text []byte) string {
	var lines []string
	for line := range strings.Lines(string(text)) {
		lines = append(lines, strings.TrimRight(line, " \t\r\n\f"))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// faults says which licences are not allowed.
func faults(all []dependency) error {
	var found []error
	for _, d := range all {
		for _, id := range d.licences {
			if !slices.Contains(allowed, id) && !isExcepted(d.path, id) {
				found = append(found, fmt.Errorf("%s is under %s, which is not among %s", d.path, id, strings.Join(allowed, ", ")))
			}
		}
	}
	return errors.Join(found...)
}

func isExcepted(path, id string) bool {
	for _, e := range exceptions {
		if e.path == path && e.id == id {
			return true
		}
	}
	return false
}

func row(d dependency) string {
	role := "indirect"
	if d.direct {
		role = "direct"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |\n", d.path, d.version, strings.Join(d.licences, ", "), role)
}

func page(all []dependency) []byte {
	var b bytes.Buffer
	b.WriteString(head + "| Module | Version | Licence | |\n| --- | --- | --- | --- |\n")
	for _, d := range all {
		b.WriteString(row(d))
	}
	b.WriteString("\n## Exceptions\n\n")
	for _, e := range exceptions {
		fmt.Fprintf(&b, "- `%s` (%s): %s.\n", e.path, e.id, e.why)
	}
	b.WriteString("\n## The texts\n")
	users := map[[32]byte][]string{}
	var order []string
	for _, d := range all {
		for _, text := range d.texts {
			key := sha256.Sum256([]byte(text))
			if users[key] == nil {
				order = append(order, text)
			}
			users[key] = append(users[key], d.path)
		}
	}
	for _, text := range order {
		fmt.Fprintf(&b, "\nOf %s:\n\n~~~text\n%s\n~~~\n", strings.Join(users[sha256.Sum256([]byte(text))], ", "), text)
	}
	return b.Bytes()
}

// stale compares the page with what it would be. Of a module that is not in the cache
// only the version is known.
func stale(old []byte, all []dependency) error {
	missing := false
	for _, d := range all {
		want := row(d)
		if len(d.licences) == 0 {
			missing = true
			want = fmt.Sprintf("| `%s` | %s | ", d.path, d.version)
		}
		if !bytes.Contains(old, []byte(want)) {
			return fmt.Errorf("docs/licences.md is stale (%s): go run ./internal/repocheck/licences", d.path)
		}
	}
	if bytes.Count(old, []byte("\n| `")) != len(all) || !missing && !bytes.Equal(old, page(all)) {
		return errors.New("docs/licences.md is stale: go run ./internal/repocheck/licences")
	}
	return nil
}
