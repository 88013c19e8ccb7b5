package calls

import (
	"slices"
	"strings"
	"testing"

	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/ui/row"
	"belay/ui/theme"
)

// STATE is never cut, whatever the width and the state.
func TestStateIsNeverCut(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Still()}
	var rows []session.Row
	for st := session.Queued; st <= session.Lost; st++ {
		for v := cancel.NoVerdict; v <= cancel.NothingHeard; v++ {
			for _, by := range []cancel.Initiator{cancel.ByUser, cancel.ByTimeout} {
				rows = append(rows, session.Row{
					ID: 1, Wire: mcp.IntID(123456), State: st, Verdict: v, Initiator: by, Unsent: v%2 == 0,
					Method: "tools/call", Target: strings.Repeat("long", 20),
					Progress: session.ProgressView{Count: 1, Value: 1e300, Total: 3e-300, HasTotal: true},
				})
			}
		}
	}
	for width := 58; width <= 200; width++ {
		for _, r := range rows {
			plan := tableColumns(width, planned(w, []session.Row{r}))
			c := plan.borrow(w.State(r).Width(plan.wide))
			if got := w.State(r).Width(c.wide); got > c.state {
				t.Fatalf("width %d: %v takes %d of %d columns", width, w.State(r).Wide, got, c.state)
			}
			end := 0
			c.cells(func(x, width int, _ string) { end = max(end, x+width) })
			if end > width {
				t.Fatalf("width %d: the columns end at %d", width, end)
			}
		}
	}
}

// realRows are rows as real servers give them: the demo's names, those of
// server-everything, methods of all lengths, and each state and verdict that is common.
func realRows() []session.Row {
	var rows []session.Row
	add := func(r session.Row) {
		r.ID = session.CallID(len(rows) + 1)
		r.Wire = mcp.IntID(int64(4 + 17*len(rows)))
		rows = append(rows, r)
	}
	for _, name := range []string{
		"echo", "countdown", "stubborn", "sample_then_withdraw", "get-structured-content",
		"trigger-long-running-operation",
	} {
		add(session.Row{State: session.Done, Method: "tools/call", Target: name})
		add(session.Row{State: session.Running, Method: "tools/call", Target: name, Progress: session.ProgressView{Count: 1, Value: 3, Total: 5, HasTotal: true}})
		for v := cancel.NoVerdict; v <= cancel.NothingHeard; v++ {
			add(session.Row{State: session.Cancelled, Verdict: v, Method: "tools/call", Target: name})
		}
		add(session.Row{State: session.Cancelled, Verdict: cancel.Quiet, Initiator: cancel.ByTimeout, Method: "tools/call", Target: name})
	}
	add(session.Row{State: session.Done, Method: "resources/read", Target: "demo://resource/static/document/architecture.md"})
	add(session.Row{State: session.Failed, Method: "prompts/get", Target: "explain_verdict"})
	add(session.Row{State: session.Done, Method: "completion/complete", Target: "verdict"})
	add(session.Row{State: session.Done, Method: "resources/templates/list"})
	add(session.Row{State: session.Queued, Method: "ping"})
	return rows
}

// At no width of a table is a name cut, or a state in its short words, while columns have
// room in which nothing stands, and METHOD is left out only where there is no room for it.
func TestNoNameIsCutBesideEmptyRoom(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Still()}
	all := realRows()
	sets := [][]session.Row{all}
	for i, r := range all {
		sets = append(sets, []session.Row{r}, []session.Row{r, all[(i*7+3)%len(all)]})
	}
	for width := 40; width <= 300; width++ {
		for _, rows := range sets {
			n := planned(w, rows)
			c := tableColumns(width, n)
			empty := c.empty(n)
			if empty < 0 {
				t.Fatalf("width %d: columns %+v are narrower than %+v by more than the names are", width, c, n)
			}
			method, target := c.method, c.target
			if method > 0 && n.target == 0 {
				method, target = max(n.method, method), 0
			}
			cut := target < n.target || c.method > 0 && method < n.method
			for _, name := range n.targets {
				if c.method > 0 && target < name && name <= target+gap+c.method {
					t.Fatalf("width %d: METHOD cuts a name of %d: %+v for %+v", width, name, c, n)
				}
			}
			switch {
			case cut && empty > 0:
				t.Fatalf("width %d: a name is cut beside %d empty columns: %+v for %+v", width, empty, c, n)
			case !c.wide && n.wide > n.narrow && empty >= n.wide-max(n.narrow, stateLeast):
				t.Fatalf("width %d: short words of STATE beside %d empty columns: %+v for %+v", width, empty, c, n)
			case c.method == 0 && target >= n.target && empty >= methodLeast+gap:
				t.Fatalf("width %d: no METHOD beside %d empty columns: %+v for %+v", width, empty, c, n)
			}
		}
	}
}

// One row with a long METHOD shortens no state: where the states are long beside METHODs of
// the usual width, they are with that row, too.
func TestOneLongMethodShortensNoState(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Still()}
	rows := []session.Row{
		{Wire: mcp.IntID(8), State: session.Cancelled, Verdict: cancel.Quiet, Method: "tools/call", Target: "countdown"},
		{Wire: mcp.IntID(9), State: session.Cancelled, Verdict: cancel.AnsweredLate, Method: "tools/call", Target: "stubborn"},
		{Wire: mcp.IntID(10), State: session.Done, Method: "tools/call", Target: "demo://resource/dynamic/text/1"},
	}
	long, gave := 0, 0
	for width := 60; width <= 160; width++ {
		rows[2].Method = "tools/call"
		usual := tableColumns(width, planned(w, rows))
		rows[2].Method = "resources/subscribe"
		c := tableColumns(width, planned(w, rows))
		if usual.method == 0 || c.method == 0 {
			continue
		}
		if usual.wide != c.wide {
			t.Errorf("width %d: %+v with the long METHOD, and %+v without", width, c, usual)
		}
		if c.wide {
			long++
			if c.method < len(rows[2].Method) {
				gave++
			}
		}
		if c.target < usual.target && c.target < len(rows[2].Target) {
			t.Errorf("width %d: a METHOD cuts a name: %+v", width, c)
		}
	}
	if long == 0 || gave == 0 {
		t.Errorf("at %d widths the states are long, at %d of them METHOD gives way", long, gave)
	}
}

// empty is the room in which nothing stands in any row.
func (c columns) empty(n need) int {
	names := max(0, c.target-n.target)
	if c.method > 0 {
		names = max(0, c.method-max(n.method, len("METHOD"))) + names
		if n.alone > 0 {
			names = min(names, max(0, c.method+gap+c.target-n.alone))
		}
	} else if n.alone > 0 {
		names = min(names, max(0, c.target-n.alone))
	}
	state := n.narrow
	if c.wide {
		state = n.wide
	}
	empty := names + c.id - min(n.id, c.id) + c.state - max(stateLeast, state)
	if c.time > 0 {
		empty += c.time - n.time
	}
	if c.button > 0 && !n.button {
		empty += c.button + 1
	}
	return empty
}

// A table that has shown its rows for a while, and keeps room for what they may say, cuts no
// name beside room in which nothing stands now.
func TestNoNameIsCutForWhatMayCome(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Still()}
	for _, name := range []string{
		"trigger-long-running-operation", "trigger-a-very-long-running-operation-with-a-name-of-64-chars-x", strings.Repeat("long", 30),
	} {
		for _, st := range []session.State{session.Running, session.Cancelling, session.Done} {
			rows := []session.Row{{ID: 7, Wire: mcp.IntID(7), State: st, Method: "tools/call", Target: name}}
			for width := 50; width <= 200; width++ {
				p := New()
				p.rows = rows
				p.Measure(w, width)
				c, now := p.columns(width), nowOf(w, rows)
				if empty := c.empty(now); c.target < len(name) && empty > 0 {
					t.Errorf("width %d: a name of %d is cut beside %d empty columns: %+v for %v", width, len(name), empty, c, st)
				}
			}
		}
	}
}

// METHOD and TARGET give way in their order: at first METHOD, when the name is whole
// without it; then the name.
func TestMethodGivesWayToTheName(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Still()}
	n := planned(w, []session.Row{{
		State: session.Cancelled, Verdict: cancel.AnsweredLate, Wire: mcp.IntID(12),
		Method: "tools/call", Target: "trigger-long-running-operation",
	}})
	last := columns{}
	for width := 40; width <= 120; width++ {
		c := tableColumns(width, n)
		switch {
		case c.method > 0 && c.target < n.target:
			t.Errorf("width %d: the name is cut beside METHOD: %+v", width, c)
		case c.wide && c.method == 0:
			t.Errorf("width %d: long words of STATE in the place of METHOD: %+v", width, c)
		case last.wide && !c.wide || last.method > 0 && c.method == 0 || min(last.target, n.target) > c.target:
			t.Errorf("width %d shows less than %d: %+v after %+v", width, width-1, c, last)
		}
		last = c
	}
	if !last.wide || last.method < len("tools/call") || last.target < n.target {
		t.Errorf("a wide table has %+v", last)
	}
}

// Room that is kept for what a row said before, or may say, takes nothing from what its
// rows say now: a width has one layout, whatever came before.
func TestRoomThatIsKeptCutsNothing(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Still()}
	at := func(st session.State, v cancel.Verdict, p session.ProgressView) session.Row {
		return session.Row{ID: 7, Wire: mcp.IntID(7), State: st, Verdict: v, Progress: p, Method: "tools/call", Target: "trigger-long-running-operation"}
	}
	none, some := session.ProgressView{}, session.ProgressView{Count: 1, Value: 1, Total: 20, HasTotal: true}
	life := []session.Row{
		at(session.Running, cancel.NoVerdict, none), at(session.Running, cancel.NoVerdict, some),
		at(session.Cancelling, cancel.NoVerdict, none), at(session.Cancelled, cancel.StillWorking, none),
		at(session.Cancelled, cancel.Quiet, none), at(session.Done, cancel.NoVerdict, none),
	}
	other := at(session.Done, cancel.NoVerdict, none)
	other.ID, other.Target = 8, "get-resource-reference-of-everything-there"
	for width := 40; width <= 140; width++ {
		old := New()
		for i, r := range life {
			for _, rows := range [][]session.Row{{r}, {r, other}} {
				old.rows = rows
				old.Measure(w, width)
				fresh := nowOf(w, rows)
				got, want := old.columns(width).shows(fresh), tableColumns(width, fresh).shows(fresh)
				if slices.Compare(got, want) < 0 {
					t.Errorf("width %d: row %d of %d in its life shows %v, and %v in a new table: %+v", width, i, len(rows), got, want, old.columns(width))
				}
			}
		}
	}
}

// Where no row has a target, the head of the column is whole or left out.
func TestHeadsDoNotRunTogether(t *testing.T) {
	for width := 40; width <= 140; width++ {
		for alone := range 30 {
			c := tableColumns(width, need{id: 2, time: timeLeast, alone: alone})
			c.cells(func(_, w int, column string) {
				if w < len(column) {
					t.Errorf("width %d: %s has %d columns", width, column, w)
				}
			})
		}
	}
}

// planned is the room that rows need, with room for what grows, and nowOf the room without it.
func planned(w row.Words, rows []session.Row) need {
	n, _ := needOf(w, rows)
	return n
}

func nowOf(w row.Words, rows []session.Row) need {
	_, now := needOf(w, rows)
	return now
}
