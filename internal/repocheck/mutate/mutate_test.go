package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/repocheck"
)

// A refactoring that moves a rule out of its function is noticed here, long
// before the mutations are run.
func TestMutationsFindTheirTargets(t *testing.T) {
	root, err := repocheck.Root()
	if err != nil {
		t.Fatal(err)
	}
	all, err := readMutations(mutationsText)
	if err != nil {
		t.Fatal(err)
	}
	var functions functions
	for _, m := range all {
		if _, err := m.apply(root, &functions); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// The module in testdata, with tests that guard some of what it does.
const small = "testdata/small"

// entry writes an entry of mutations.txt for the small module.
func entry(name, fn, edit, tests string) string {
	return "mutation " + name + "\nbreaks a rule\npackage .\nin " + fn + "\nedit " + edit + "\ntest " + tests + "\n\n"
}

// withRows is one that breaks rows.
func withRows(name, fn, edit, tests string) string {
	return strings.Replace(entry(name, fn, edit, tests), "\nin ", "\nrows ONE-01 TWO-02\nin ", 1)
}

func TestEdits(t *testing.T) {
	for _, c := range []struct{ fn, edit, old, want string }{
		{"(*Counter).Add", "delete-call note", "\tc.note(v)\n", "\t\n"},
		{"(*Counter).Add", "delete-call c.note", "\tc.note(v)\n", "\t\n"},
		{"(*Counter).Add", "delete-stmt c.n++", "\tc.n++\n", "\t\n"},
		{"(*Counter).Add", "delete-stmt if c.n >= c.limit { return ErrFull }", "if c.n >= c.limit {\n\t\treturn ErrFull\n\t}\n", "\n"},
		{"(*Counter).Add", "negate-if c.n>=c.limit", "if c.n >= c.limit {", "if !(c.n >= c.limit) {"},
		{"(*Counter).Add", "replace ErrFull => nil", "return ErrFull", "return nil"},
		{"(*Counter).Add", "replace max(c.unseen, c.n) => 0", "max(\n\t\tc.unseen,\n\t\tc.n, // the comma at the end of this line is layout\n\t)", "0"},
		{"(*Counter).Add", "replace c.limit => c.limit+1", "c.limit", "(c.limit+1)"},
		{"(*Counter).Add", "replace-stmt c.n++ => c.n += 2", "\tc.n++\n", "\tc.n += 2\n"},
		{"(*Counter).note", "return-early", "note(v T) {", "note(v T) { return ;"},
		{"Double", "return-early 7", "Double(n int) int {", "Double(n int) int { return 7;"},
		{"Double", "delete-stmt break", "\t\t\t\tbreak\n", "\t\t\t\t\n"},
	} {
		all, err := readMutations(entry("x", c.fn, c.edit, "."))
		if err != nil {
			t.Errorf("%s: %v", c.edit, err)
			continue
		}
		got, err := all[0].apply(small, &functions{})
		if err != nil {
			t.Errorf("%s: %v", c.edit, err)
			continue
		}
		before, err := os.ReadFile(filepath.Join(small, "counter.go"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(before), c.old) != 1 {
			t.Fatalf("%s: %q is not there once", c.edit, c.old)
		}
		if want := strings.Replace(string(before), c.old, c.want, 1); got.file() != want {
			t.Errorf("%s gives:\n%s", c.edit, got.file())
		}
		if got.path != filepath.Join(small, "counter.go") {
			t.Errorf("%s changes %s", c.edit, got.path)
		}
	}
}

func TestTargetsThatAreNotThereOnce(t *testing.T) {
	for _, c := range []struct{ fn, edit, want string }{
		{"Counter.Add", "delete-call note", "0 functions"},
		{"Add", "delete-call note", "0 functions"},
		{"(*Counter).Remove", "delete-call note", "0 functions"},
		{"(*Counter).Add", "delete-call forget", "matches 0 places"},
		{"(*Counter).Add", "delete-call ote", "matches 0 places"},
		{"(*Counter).Add", "negate-if c.n > c.limit", "matches 0 places"},
		{"(*Counter).Add", "replace c.n => 0", "matches 3 places"},
		{"Double", "replace 1000 => 0", "matches 2 places"},
		{"Double", "negate-if n * 2", "matches 0 places"},
	} {
		all, err := readMutations(entry("x", c.fn, c.edit, "."))
		if err != nil {
			t.Errorf("%s: %v", c.edit, err)
			continue
		}
		if _, err := all[0].apply(small, &functions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %s: %v, want %q", c.edit, c.fn, err, c.want)
		}
	}
}

// One run over the small module, with every way that a mutation can end.
func TestRun(t *testing.T) {
	root := copyModule(t)
	text := "# a comment\n" +
		entry("guarded", "(*Counter).Add", "negate-if c.n >= c.limit", "./...") +
		entry("guarded-by-a-subtest", "(*Counter).Add", "replace ErrFull => nil", ". -run TestAdd") +
		entry("unguarded", "(*Counter).Add", "replace max(c.unseen, c.n) => 0", ".") +
		entry("guarded-elsewhere", "Double", "replace 2 => 3", ". -run TestAdd") +
		entry("its-label-is-its-own", "Log2", "replace n < 2 => n < 4", ". -run TestLog2") +
		entry("another-one-in-the-same-function", "Log2", "delete-stmt times++", ". -run TestLog2") +
		withRows("its-rows-are-guarded", "Double", "replace 2 => 3", ". -run TestDouble") +
		withRows("one-of-its-tests-lives", "Double", "replace 2 => 3", ". -run TestDouble|TestLog2") +
		withRows("no-such-test", "Double", "replace 2 => 3", ". -run TestDoub") +
		entry("no-build", "Double", "replace n * 2 => nil", ".") +
		entry("no-target", "Double", "delete-call fmt.Println", ".") +
		entry("no-test", "Double", "replace 2 => 3", ". -run TestNothing")
	before := snapshot(t, root)
	var out strings.Builder
	err := run(&out, root, text, "", false, 2)
	if err == nil || !strings.Contains(err.Error(), "7 mutations are not killed: guarded-elsewhere, no-build, ") {
		t.Errorf("error: %v", err)
	}
	report := out.String()
	for name, want := range map[string][2]string{
		"guarded":                          {"killed", "TestAdd"},
		"guarded-by-a-subtest":             {"killed", "TestAdd/full"},
		"unguarded":                        {"SURVIVED", "replace max"},
		"guarded-elsewhere":                {"SURVIVED", "replace 2 => 3"},
		"its-label-is-its-own":             {"killed", "TestLog2"},
		"another-one-in-the-same-function": {"killed", "TestLog2"},
		"its-rows-are-guarded":             {"killed", "TestDouble"},
		"one-of-its-tests-lives":           {"SURVIVED", "-run ^TestLog2$: Double"},
		"no-such-test":                     {"ERROR", "finds no test to run"},
		"no-build":                         {"ERROR", "does not compile"},
		"no-target":                        {"ERROR", "matches 0 places"},
		"no-test":                          {"ERROR", "finds no test to run"},
	} {
		line, detail := reported(report, name)
		if !strings.HasPrefix(line, want[0]+" ") || !strings.Contains(detail, want[1]) {
			t.Errorf("%s: %q, %q; want %v", name, line, detail, want)
		}
	}
	if !strings.Contains(report, "12 mutations, 5 killed, 3 survived, 4 errors") {
		t.Errorf("the report ends without its sum:\n%s", report)
	}
	if after := snapshot(t, root); after != before {
		t.Error("the tree was changed")
	}

	out.Reset()
	if err := run(&out, root, text, "^guarded$", false, 2); err != nil {
		t.Errorf("a mutation that is killed: %v", err)
	}
	if err := run(&out, root, text, "nobody", false, 2); err == nil {
		t.Error("a choice of no mutation passes")
	}
	if err := run(&out, root, text, "^no-target$", true, 2); err == nil {
		t.Error("-find does not miss a target that is not there")
	}
	if err := run(&out, root, text, "^(guarded|no-build)$", true, 2); err != nil {
		t.Errorf("-find: %v", err)
	}
}

func TestTestsThatFailByThemselvesJudgeNothing(t *testing.T) {
	root := copyModule(t)
	bad := "package small\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(\"always\") }\n"
	if err := os.WriteFile(filepath.Join(root, "bad_test.go"), []byte(bad), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(&out, root, entry("x", "Double", "replace 2 => 3", "."), "", false, 1); err == nil {
		t.Error("it passes")
	}
	if line, detail := reported(out.String(), "x"); !strings.HasPrefix(line, "ERROR") || !strings.Contains(detail, "without any mutation") {
		t.Errorf("%q, %q", line, detail)
	}
}

func TestFormatErrors(t *testing.T) {
	good := entry("x", "Double", "replace 2 => 3", ".")
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":     {strings.Replace(good, "breaks", "brakes", 1), `"brakes" is none of`},
		"missing key":     {strings.Replace(good, "breaks a rule\n", "", 1), `no "breaks"`},
		"key twice":       {"in f\n" + good, `second "in"`},
		"name twice":      {good + good, "two mutations named x"},
		"bad function":    {entry("x", "*Counter.Add", "replace 2 => 3", "."), "is no function"},
		"unknown edit":    {entry("x", "f", "remove 2", "."), "is none of delete-call"},
		"no arrow":        {entry("x", "f", "replace 2", "."), "needs =>"},
		"nothing there":   {entry("x", "f", "replace 2 =>", "."), "behind the =>"},
		"no row":          {strings.Replace(good, "in Double", "rows\nin Double", 1), "want names as CXL-05"},
		"odd row":         {strings.Replace(good, "in Double", "rows one\nin Double", 1), "want names as CXL-05"},
		"rows, any test":  {withRows("x", "Double", "replace 2 => 3", "."), "with the names of tests"},
		"rows, packages":  {withRows("x", "Double", "replace 2 => 3", "./... -run TestA"), "with the names of tests"},
		"rows, a pattern": {withRows("x", "Double", "replace 2 => 3", ". -run TestA.*"), "is not the name of a test"},
		"nothing to find": {entry("x", "f", "negate-if", "."), "told what"},
	} {
		if _, err := readMutations(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if all, err := readMutations("# nothing\n\n\n"); err != nil || len(all) != 0 {
		t.Errorf("an empty file: %v, %v", all, err)
	}
}

func TestFailure(t *testing.T) {
	for out, want := range map[string]string{
		"--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/b (0s)\n        --- FAIL: TestA/b/c (0s)\n--- FAIL: TestB (0s)\n": "TestA/b/c",
		"panic: boom\n\ngoroutine 1\n":        "panic: boom",
		"x\npanic: test timed out after 3m0s": "the tests hung",
	} {
		if got := failure(out); got != want {
			t.Errorf("failure(%q) = %q, want %q", out, got, want)
		}
	}
}

// reported returns the two lines of the report about the mutation name.
func reported(report, name string) (line, detail string) {
	lines := strings.Split(report, "\n")
	for i, l := range lines[:len(lines)-1] {
		if f := strings.Fields(l); len(f) > 2 && f[2] == name {
			return l, lines[i+1]
		}
	}
	return "", ""
}

// copyModule returns the path of a copy of the small module: an absolute one,
// as an overlay needs it.
func copyModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(small)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(e.Name() + "\n" + string(text))
	}
	return all.String()
}
