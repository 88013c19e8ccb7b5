package house

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// citations reads the two pages of the requirements.
func citations(t *testing.T, root string) *Citations {
	t.Helper()
	var texts [2]string
	for i, name := range []string{"README.md", "catalogue.md"} {
		text, err := os.ReadFile(filepath.Join(root, "docs", "requirements", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	c := ReadCitations(texts[0], texts[1])
	if len(c.pages) != 22 || len(c.own) < 850 {
		t.Fatalf("%d areas with pages and %d rows: the tables are not read", len(c.pages), len(c.own))
	}
	return c
}

func TestRowsNameTheirPages(t *testing.T) {
	root, files := tree(t)
	c := citations(t, root)
	for _, f := range files {
		for _, row := range c.Lacking(f) {
			t.Error(row + ": name the page of the specification beside it; docs/requirements/README.md has them")
		}
	}
}

func TestRowsWithoutAPageAreSeen(t *testing.T) {
	root, _ := tree(t)
	c := citations(t, root)
	for comment, want := range map[string][]string{
		"a cancel is sent once (CXL-05)":                                                       {"CXL-05"},
		"a cancel is sent once (CXL-05; basic/utilities/cancellation)":                         nil,
		"a cancel is sent once (CXL-05; 2025-11-25, basic/utilities/cancellation)":             nil,
		"a cancel is sent once (CXL-05; basic/patterns/progress)":                              {"CXL-05"},
		"two areas (CXL-05, TSK-10; basic/utilities/cancellation)":                             {"TSK-10"},
		"two areas (CXL-05, TSK-10; basic/utilities/cancellation, basic/utilities/tasks)":      nil,
		"no page below it counts (BASE-02; basic/lifecycle)":                                   {"BASE-02"},
		"the page of all messages (BASE-02; basic)":                                            nil,
		"belay's own rows and those of seeds have none (CXL-29, SD0-08, SEC-19)":               nil,
		"the page stands before them, in basic/utilities/tasks, of the revision (TSK-01)":      nil,
		"a row that there is not (CXL-99), and one without brackets, CXL-05, are no citations": nil,
	} {
		if got := c.lackingIn(comment); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", comment, got, want)
		}
	}
}
