package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"belay/internal/repocheck"
)

func TestThePageIsUpToDate(t *testing.T) {
	if err := run(true); err != nil {
		t.Error(err)
	}
}

// Each module that belay itself chose is justified in a line, and no other has one.
func TestEachDirectDependencyIsJustified(t *testing.T) {
	root, err := repocheck.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Dependencies\n")
	section, _, _ = strings.Cut(section, "\n## ")
	all, err := dependencies(root)
	if err != nil {
		t.Fatal(err)
	}
	direct := 0
	for _, d := range all {
		if !d.direct {
			continue
		}
		direct++
		if !regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(d.path) + "` \\| .{10,} \\|$").MatchString(section) {
			t.Errorf("CONTRIBUTING.md does not say what %s is for", d.path)
		}
	}
	if n := strings.Count(section, "\n| `"); n != direct {
		t.Errorf("CONTRIBUTING.md has %d dependencies, go.mod %d", n, direct)
	}
}

// What has a licence of its own to be there is in no program that is passed on.
func TestExceptionsAreNotInTheProgram(t *testing.T) {
	root, err := repocheck.Root()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exceptions {
		if e.id != "CC" && strings.Contains("\n"+string(out), "\n"+e.path) { // of documentation there is none in a program
			t.Errorf("%s is in the program, under %s", e.path, e.id)
		}
	}
}

const (
	mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of it.\nThe above copyright notice and this permission notice shall be included in all copies."
	bsd = "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided that"
)

func TestALicenceIsKnownByItsSentences(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"MIT License\n\n" + mit, "MIT"},
		{bsd + " the following conditions are met", "BSD-2-Clause"},
		{bsd + " …\nNeither the name of", "BSD-3-Clause"},
		{bsd + " …\nAll advertising materials mentioning features … Neither the name of", "BSD-4-Clause"},
		{"Apache License\n  Version 2.0, January 2004\n" + mit, "MIT Apache-2.0"},
		{"GNU GENERAL PUBLIC LICENSE\nVersion 3", "GPL"},
		{"Mozilla Public License Version 2.0 … the GNU General Public License, Version 2.0", "MPL"},
		{"GNU AFFERO GENERAL\nPUBLIC LICENSE", "AGPL"},
		{"All rights reserved.", ""},
		{"", ""},
	} {
		got, err := licencesOf([]byte(tt.text))
		if strings.Join(got, " ") != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%.60q: %v, %v", tt.text, got, err)
		}
	}
}

func TestCopyleftIsAFault(t *testing.T) {
	for _, id := range []string{"GPL", "LGPL", "AGPL", "MPL", "EPL", "SSPL", "BUSL", "BSD-4-Clause", "CC"} {
		if faults([]dependency{{path: "example.com/x", licences: []string{"MIT", id}}}) == nil {
			t.Errorf("%s is allowed", id)
		}
	}
	if err := faults([]dependency{{path: "example.com/x", licences: []string{"MIT"}}}); err != nil {
		t.Error(err)
	}
}

func TestAStalePage(t *testing.T) {
	a := dependency{path: "example.com/a", version: "v1.0.0", licences: []string{"MIT"}, texts: []string{"text"}}
	old := page([]dependency{a})
	newer, away, other := a, a, a
	newer.version = "v1.1.0"
	away.licences, away.texts = nil, nil
	other.path = "example.com/b"
	for _, tt := range []struct {
		name  string
		now   []dependency
		stale bool
	}{
		{"the same", []dependency{a}, false},
		{"another version", []dependency{newer}, true},
		{"one more", []dependency{a, other}, true},
		{"one less", nil, true},
		{"not in the cache", []dependency{away}, false},
	} {
		if err := stale(old, tt.now); (err != nil) != tt.stale {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
