package wording

import (
	"strings"
	"testing"

	"belay/session"
)

// Of a run of messages the first and the last of each kind are told, and of a few all;
// what happens between two runs ends the one and begins the other.
func TestRunsAreFolded(t *testing.T) {
	kinds := map[rune]session.MomentView{
		'p': {Kind: session.MomProgress}, 'l': {Kind: session.MomLog}, 'r': {Kind: session.MomResult},
		'g': {Kind: session.MomGrace}, '?': {Kind: session.MomProbe}, '!': {Kind: session.MomProbeAnswer}, '-': {Kind: session.MomProbeLate},
		'a': {Kind: session.MomAfter, Text: "progress"}, 'b': {Kind: session.MomAfter, Text: "log"},
		't': {Kind: session.MomTask, Text: "tasks/get brought nothing"}, 'w': {Kind: session.MomTask, Text: "task working"},
	}
	for timeline, want := range map[string]string{
		"": "", "r": "r", "ppp": "ppp", "pppp": "p..p", "pplpp": "p.l.p", "ppppr": "p..pr", "pprpp": "pprpp",
		"pppprpppp": "p..prp..p", "abababa": "ab.b.ba", "plplplpl": "pl....pl", "rrrrr": "rrrrr",
		"wtttt": "wt..t", "twttw": "twttw", "aaaag?!aaaa": "a...g?!...a", "aag?-a": "aag?-a", "gaaaa": "ga..a", "aaaarg?aaaa": "a..arg?a..a",
	} {
		var all []session.MomentView
		for _, r := range timeline {
			all = append(all, kinds[r])
		}
		var got strings.Builder
		for i, told := range Told(all) {
			if told {
				got.WriteByte(timeline[i])
			} else {
				got.WriteByte('.')
			}
		}
		if got.String() != want {
			t.Errorf("%s: %s, want %s", timeline, got.String(), want)
		}
	}
}
