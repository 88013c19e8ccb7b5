package repocheck

import (
	"slices"
	"strings"
	"testing"
)

func TestNoTwoTypesDifferByACapital(t *testing.T) {
	_, files := tree(t)
	for _, s := range Twins(files) {
		t.Error(s + " differ by a capital letter only")
	}
}

func TestTwinsAreSeen(t *testing.T) {
	var files []File
	for path, source := range map[string]string{
		"session/a.go":      "package session\n\ntype Wrong int\n\ntype other int\n",
		"session/b.go":      "package session\n\ntype wrong int\n",
		"session/c_test.go": "package session\n\ntype Other int\n",
		"ui/d.go":           "package ui\n\ntype Other int\n",
		"ui/d_unix.go":      "package ui\n\ntype same int\n",
		"ui/d_windows.go":   "package ui\n\ntype same int\n",
	} {
		f, err := Parse(path, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if got := Twins(files); !slices.Equal(got, []string{"session/b.go:3: the types Wrong and wrong"}) {
		t.Errorf("%q", got)
	}
}
