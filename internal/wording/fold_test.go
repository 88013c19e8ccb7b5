package wording

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// The fold begins behind the numbers that the line above it has told.
func TestAFoldBeginsBehindTheFirstNumbers(t *testing.T) {
	var d session.Detail
	for i := range 5 {
		d.Timeline = append(d.Timeline, session.MomentView{
			Kind: session.MomProgress, Dir: session.In, Count: 10, Value: fmt.Sprintf("%d/50", 10*i+1), Text: fmt.Sprintf("%d/50 step", 10*i+10),
		})
	}
	lines := Sequence(&d, Told(d.Timeline))
	if got, want := string(lines[1].Text), "30 more of these, 11/50 to 40/50"; len(lines) != 3 || got != want {
		t.Errorf("%d lines, of which the second is %q, want %q", len(lines), got, want)
	}
}

// The numbers of what is folded are the least and the most of it, in whatever order they came.
func TestAFoldHasTheLeastAndTheMost(t *testing.T) {
	progress := func(all ...string) (out []session.MomentView) {
		for _, text := range all {
			out = append(out, session.MomentView{Kind: session.MomProgress, Dir: session.In, Text: text})
		}
		return out
	}
	together := session.MomentView{Kind: session.MomProgress, Dir: session.In, Count: 5, Value: "8 1002", Text: "9 m"}
	after := func(all ...string) (out []session.MomentView) {
		for _, text := range all {
			out = append(out, session.MomentView{Kind: session.MomAfter, Dir: session.In, Text: "p", Value: text})
		}
		return out
	}
	for want, timeline := range map[string][]session.MomentView{
		"3 more of these, 2 to 10":             progress("1 m", "10 m", "2 m", "9 m", "4 m"),
		"2 more of these, 0":                   progress("0", "0 to", "0 m", "0"),
		"3 more of these, -2 to 1e+06":         progress("1", "1e+06", "-2", "4", "4"),
		"2 more of these, 10/20 to 11/20":      progress("9/20", "11/20", "10/20", "12/20"),
		"7 more of these, 8 to 1039":           append(progress("1000", "1039 m"), append([]session.MomentView{together}, progress("1000", "4")...)...),
		"3 more of these, 7 to 9":              after("6 m", "9 m", "7", "8 m", "1"),
		"2 more of these":                      after("6 m", "masked", "7", "8 m"),
		"2 more of these, 5 to 6 · 4 not kept": func() []session.MomentView { all := progress("4", "6", "5", "7"); all[2].Skipped = 4; return all }(),
	} {
		d := session.Detail{Timeline: timeline}
		if lines := Sequence(&d, Told(d.Timeline)); len(lines) != 3 || string(lines[1].Text) != want {
			t.Errorf("%+v, want %q in the second", lines, want)
		}
	}
}

// What is not told by itself is counted in its place, also at the end; the end of the grace has no
// line beside that of the probe, and what came of the probe does not part what came meanwhile.
func TestTheSequenceOfACall(t *testing.T) {
	var now time.Time
	step := func(k session.MomentKind, text string) session.MomentView {
		now = now.Add(time.Second)
		return session.MomentView{At: now, Kind: k, Dir: session.In, Text: text}
	}
	var d session.Detail
	add := func(all ...session.MomentView) { d.Timeline = append(d.Timeline, all...) }
	for i := range 6 {
		add(step(session.MomProgress, fmt.Sprintf("%d/9 step", i)))
	}
	add(step(session.MomCancelSent, ""))
	for range 4 {
		add(step(session.MomAfter, "notifications/message"))
	}
	add(step(session.MomGrace, ""), step(session.MomProbe, "ping"), step(session.MomAfter, "notifications/message"), step(session.MomProbeAnswer, "ping"))
	d.Timeline[12].At = d.Timeline[11].At
	for range 3 {
		add(step(session.MomAfter, "notifications/message"))
	}
	d.Timeline[9].Skipped = 5
	told := Told(d.Timeline)
	told[len(told)-1] = false
	var got []string
	for _, l := range Sequence(&d, told) {
		got = append(got, fmt.Sprintf("%d %s, %d", l.Moment, l.Text, l.Folded))
	}
	want := []string{
		`0 progress 0/9 "step", 0`, "4 4 more of these, 1/9 to 4/9, 4", `5 progress 5/9 "step", 0`, `6 cancelled "", 0`,
		"7 message, after the cancel, 0", "10 3 more of these · 5 not kept, 8", "12 ping, a probe after the grace, 0", "14 answer to ping, 0", "17 4 more of these, 4",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
