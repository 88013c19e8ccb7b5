package caution

import (
	"slices"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

func TestTheWordsOfTheLevels(t *testing.T) {
	words := Words()
	if !slices.Equal(words, []string{"never", "destructive", "unknown", "always"}) {
		t.Errorf("%q", words)
	}
	for _, word := range words {
		if l, ok := Parse(word); !ok || l.String() != word {
			t.Errorf("%s is %v, %v", word, l, ok)
		}
	}
	for _, word := range []string{"", "sometimes"} {
		if _, ok := Parse(word); ok {
			t.Errorf("%q is a level", word)
		}
	}
	const help = "ask before calls of tools: never, destructive (what the server calls so), unknown (also what is not known to be harmless), always"
	if Help() != help {
		t.Errorf("%s", Help())
	}
}

func TestAsks(t *testing.T) {
	requirements.Rows(t, "SRV-03", "SRV-09")
	said := func(on bool) mcp.Hint { return mcp.Hint{Said: true, On: on} }
	nothing := mcp.Hints{Destructive: mcp.Hint{On: true}, OpenWorld: mcp.Hint{On: true}} // the defaults of the schema
	reads := mcp.Hints{ReadOnly: said(true), Destructive: mcp.Hint{On: true}}
	destroys := mcp.Hints{ReadOnly: said(false), Destructive: said(true)}
	adds := mcp.Hints{ReadOnly: said(false), Destructive: said(false)}
	for _, c := range []struct {
		name    string
		claims  mcp.Hints
		trusted bool
		asking  []Level
	}{
		{"nothing is claimed", nothing, false, []Level{Unknown, Always}},
		{"read-only, by anyone", reads, false, []Level{Unknown, Always}},
		{"read-only, by a trusted server", reads, true, []Level{Always}},
		{"destructive, by anyone", destroys, false, []Level{Destructive, Unknown, Always}},
		{"destructive, by a trusted server", destroys, true, []Level{Destructive, Unknown, Always}},
		{"additive, by anyone", adds, false, []Level{Unknown, Always}},
		{"additive, by a trusted server", adds, true, []Level{Always}},
	} {
		for l := Never; l <= Always; l++ {
			if got := l.Asks(c.claims, c.trusted); got != slices.Contains(c.asking, l) {
				t.Errorf("%s, %s: asks %v", c.name, l, got)
			}
		}
	}
}
