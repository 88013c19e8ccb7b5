package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/repocheck"
)

// The page that is made of the repository as it is has no unknown row, and
// demanded.txt forgets none. Whether the committed page is fresh is not asked
// here but by -check, so that adding a test does not break the tests.
func TestTheRepositoryGivesAPage(t *testing.T) {
	root, err := repocheck.Root()
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPage(root, needText)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, a := range p.areas[:len(p.areas)-1] {
		rows += len(a.rows)
	}
	const said = 901 // section 8 of docs/requirements/catalogue.md
	if rows != said {
		t.Errorf("%d rows read, the catalogue says that it has %d", rows, said)
	}
	first := p.markdown()
	for range 20 {
		if p.markdown() != first {
			t.Fatal("the page differs from one time to the next")
		}
	}
}

const smallCatalogue = `# Requirements

### ONE – First things

| ID | Rev. | Level | Statement | Client / UI | Test |
| --- | --- | --- | --- | --- | --- |
| ONE-01 | L | MUST | Do this. | So. | UNI. |
| ONE-02 ⟂ | L | MUST | Do ` + "`a|b`" + ` that. | So. | UNI. |

### TWO – Second things

| TWO-01 | M | MAY | Perhaps. | So. | UNI. |

| X-01 | outside | of the catalogue |
`

const smallTest = `package p

import (
	"testing"

	"belay/internal/requirements"
)

func TestOne(t *testing.T) {
	requirements.Rows(t, "ONE-01", "TWO-01")
	t.Run("the sub test", func(t *testing.T) { requirements.Rows(t, "ONE-02") })
	for _, c := range []string{"a"} {
		t.Run(c, func(t *testing.T) { requirements.Rows(t, "ONE-02") })
	}
}

func FuzzTwo(f *testing.F) { requirements.Rows(f, "TWO-01") }
`

func parse(t *testing.T, name, src string) repocheck.File {
	t.Helper()
	f, err := repocheck.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func small(t *testing.T, need string, tests ...string) (page, error) {
	t.Helper()
	areas, err := readCatalogue(smallCatalogue)
	if err != nil {
		t.Fatal(err)
	}
	needs, err := readNeeds(need)
	if err != nil {
		t.Fatal(err)
	}
	var files []repocheck.File
	for _, src := range tests {
		files = append(files, parse(t, "room/p_test.go", src))
	}
	proofs, err := readProofs(files)
	if err != nil {
		return page{}, err
	}
	p := page{areas: areas, proofs: proofs, needs: needs}
	return p, p.check()
}

func TestPage(t *testing.T) {
	p, err := small(t, "# one\nONE-01\nONE-02 some other day\n", smallTest)
	if err != nil {
		t.Fatal(err)
	}
	p.killers = killers{"ONE-01": {"a", "b"}}
	got := p.markdown()
	for _, want := range []string{
		"| ONE | [First things](#one) | 2 | 1 | 1 | 2 | 1 |\n",
		"| TWO | [Second things](#two) | 1 | 0 | 0 | 1 | 0 |\n",
		"| **all** | | **3** | **1** | **1** | **3** | **1** |\n",
		"## Demanded and not proved\n\nNone.\n",
		"| ONE-01 | Do this. | `room.TestOne` | 2 |\n",
		"| ONE-02 | Do `a|b` that. | `room.TestOne` `room.TestOne/the_sub_test` | |\n",
		"| TWO-01 | Perhaps. | `room.FuzzTwo` `room.TestOne` | |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
}

// Of a row that is proved in part it is said what is left out; it is demanded all the same.
func TestARowThatIsProvedInPart(t *testing.T) {
	for _, src := range [][]string{{smallTest}, nil} {
		p, err := small(t, "ONE-01 in part: not on Sundays\nONE-02 some other day\n", src...)
		if err != nil {
			t.Fatal(err)
		}
		want := "| ONE-01 | Do this. | `room.TestOne` · in part: not on Sundays | |\n"
		if src == nil {
			want = "| ONE-01 | Do this. | **none** | |\n"
		}
		if got := p.markdown(); !strings.Contains(got, want) || (len(p.open()) == 0) != (src != nil) {
			t.Errorf("the page lacks %q, or %v is open:\n%s", want, p.open(), got)
		}
	}
}

// A test over a table names the rows that stand in the table.
func TestRowsOfATable(t *testing.T) {
	p, err := small(t, "", `package p

import (
	"testing"

	"belay/internal/requirements"
)

func TestTable(t *testing.T) {
	for _, c := range []struct{ steps, rows []string }{
		{[]string{"closed", "TWO-01"}, []string{"ONE-01"}},
		{[]string{}, []string{"ONE-02"}},
	} {
		t.Run(c.steps[0], func(t *testing.T) { requirements.Rows(t, c.rows...) })
	}
}

func TestOther(t *testing.T) { _ = []string{"TWO-01"} }
`)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(p.proofs)
	if want := "map[ONE-01:[room.TestTable] ONE-02:[room.TestTable]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPageWithoutTests(t *testing.T) {
	p, err := small(t, "ONE-01\nONE-02 some other day\n")
	if err != nil {
		t.Fatal(err)
	}
	got := p.markdown()
	for _, want := range []string{
		"## Demanded and not proved\n\n| Row | Statement |\n| --- | --- |\n| ONE-01 | Do this. |\n\n",
		"| ONE-01 | Do this. | **none** | |\n",
		"| later: some other day | |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "## TWO") {
		t.Error("an area without proofs and demands has a table")
	}
	if open := p.open(); len(open) != 1 || open[0].name != "ONE-01" {
		t.Errorf("open rows: %v", open)
	}
}

func TestWhatIsRefused(t *testing.T) {
	inTest := func(body string) string {
		return "package p\nimport (\n\"testing\"\n\"belay/internal/requirements\"\n)\nvar row = \"ONE-01\"\n" + body
	}
	for name, c := range map[string]struct{ need, src, want string }{
		"unknown row":         {"", inTest(`func TestX(t *testing.T) { requirements.Rows(t, "ONE-99") }`), "ONE-99, named by room.TestX"},
		"row in a helper":     {"", inTest(`func help(t *testing.T) { requirements.Rows(t, "ONE-01") }`), "outside a test"},
		"subtest in a helper": {"", inTest(`func help(t *testing.T) { t.Run("a.b", func(t *testing.T) { requirements.Rows(t, "ONE-01") }) }`), "outside a test"},
		"row in a method":     {"", inTest(`type s struct{}; func (s) TestX(t *testing.T) { requirements.Rows(t, "ONE-01") }`), "outside a test"},
		"Testing is no test":  {"", inTest(`func Testify(t *testing.T) { requirements.Rows(t, "ONE-01") }`), "outside a test"},
		"variable":            {"", inTest(`func TestX(t *testing.T) { requirements.Rows(t, row) }`), "string literals"},
		"spread":              {"", inTest(`func TestX(t *testing.T) { requirements.Rows(t, other...) }`), "no []string of rows"},
		"none":                {"", inTest(`func TestX(t *testing.T) { requirements.Rows(t) }`), "names no row"},
		"as a value":          {"", inTest(`var f = requirements.Rows`), "outside a call"},
		"half an area":        {"ONE-01\n", smallTest, "not of ONE-02"},
		"unknown need":        {"ONE-01\nONE-02\nSIX-01\n", smallTest, "rows that do not exist: SIX-01"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := small(t, c.need, c.src)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if _, err := readNeeds("ONE-01\nONE-01 later\n"); err == nil {
		t.Error("demanded.txt may name a row twice")
	}
	for _, bad := range []string{
		"", "| ONE-01 | L | MUST | a | b | c |",
		"### ONE – x\n| ONE-01 | L | MUST | a | b |",
		"### ONE – x\n| ONE-01 | L | MUST | a | b | c |\n| ONE-01 | L | MUST | a | b | c |",
		"### ONE – x\n| TWO-01 | L | MUST | a | b | c |",
	} {
		if _, err := readCatalogue(bad); err == nil {
			t.Errorf("accepted: %q", bad)
		}
	}
}

func TestSettle(t *testing.T) {
	at := filepath.Join(t.TempDir(), "coverage.md")
	if err := settle(at, "one", true); err == nil {
		t.Error("a page that is not there passes the check")
	}
	if err := settle(at, "one", false); err != nil {
		t.Fatal(err)
	}
	if err := settle(at, "one", true); err != nil {
		t.Error(err)
	}
	if err := settle(at, "two", true); err == nil {
		t.Error("a stale page passes the check")
	}
	if have, _ := os.ReadFile(at); string(have) != "one" {
		t.Errorf("the check wrote %q", have)
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"as it is", 8, "as it is"},
		{"one two three", 8, "one two …"},
		{"one, two three", 5, "one …"},
		{"say `a b c` then", 8, "say …"},
	} {
		if got := short(c.in, c.n); got != c.want {
			t.Errorf("short(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

// A mutation counts for a row if one of the tests that must die of it names the row.
func TestMutationsOfRows(t *testing.T) {
	p, err := small(t, "", smallTest)
	if err != nil {
		t.Fatal(err)
	}
	const text = "# a comment\nmutation a\nrows ONE-01 TWO-01\ntest ./room -run TestOne\n\nmutation b\nrows ONE-02\ntest ./room -run TestOther|TestOne\n\n" +
		"mutation c\ntest ./room -run TestOther\n\n"
	found, err := readKillers(text, p.proofs)
	if got, want := fmt.Sprint(found), "map[ONE-01:[a] ONE-02:[b] TWO-01:[a]]"; err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, bad := range []string{
		"mutation x\nrows ONE-01\ntest ./room -run TestOther\n", // names no row
		"mutation x\nrows ONE-01\ntest ./hall -run TestOne\n",
		"mutation x\nrows ONE-09\ntest ./room -run TestOne\n",
		"mutation x\nrows ONE-01 TWO-09\ntest ./room -run TestOne\n",
		"mutation x\nrows ONE-01\ntest ./room\n",
	} {
		if _, err := readKillers(bad, p.proofs); err == nil || !strings.Contains(err.Error(), "x breaks") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	p.killers = killers{"ONE-01": {"a"}}
	if open := names(p.unbroken([]string{"ONE"})); len(open) != 1 || open[0] != "ONE-02" {
		t.Errorf("without a mutation: %v", open)
	}
}
