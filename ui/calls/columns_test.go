package calls

import (
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
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Spin[0]}
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
			plan := tableColumns(width, needOf(w, []session.Row{r}))
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

// METHOD is readable beside the detail: STATE takes no more than it needs.
func TestTheMethodHasRoomBesideTheDetail(t *testing.T) {
	rows := []session.Row{{State: session.Cancelled, Verdict: cancel.AnsweredLate, Wire: mcp.IntID(12)}}
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Spin[0]}
	for _, v := range []cancel.Verdict{cancel.Quiet, cancel.AnsweredLate, cancel.StillWorking, cancel.AnsweredError, cancel.ServerUnresponsive} {
		rows[0].Verdict = v
		c := tableColumns(67, needOf(w, rows))
		if c.method < len("tools/call") || c.wide {
			t.Errorf("%v: METHOD has %d columns, STATE %d", v, c.method, c.state)
		}
	}
	if c := tableColumns(98, needOf(w, rows)); !c.wide {
		t.Error("a wide table has no long states")
	}
}

// No name is cut while another column has room that no row uses.
func TestNoNameIsCutBesideEmptyRoom(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Spin[0]}
	states := []session.Row{
		{State: session.Done},
		{State: session.Running},
		{State: session.Cancelled, Verdict: cancel.AnsweredLate},
	}
	for width := 58; width <= 200; width++ {
		for length := 1; length <= 60; length++ {
			for _, r := range states {
				r.ID, r.Wire, r.Method, r.Target = 1, mcp.IntID(418), "tools/call", strings.Repeat("n", length)
				n := needOf(w, []session.Row{r})
				c := tableColumns(width, n)
				if c.target >= min(length, targetMost) {
					continue
				}
				state := n.narrow
				if c.wide {
					state = n.wide
				}
				if empty := c.state - max(stateLeast, state); empty > 0 {
					t.Fatalf("width %d: a name of %d has %d columns, and STATE %d for nothing", width, length, c.target, empty)
				}
				if c.wide || c.method > methodLeast || c.method > 0 && c.target < targetMost/2 {
					t.Fatalf("width %d: a name of %d is cut: %+v", width, length, c)
				}
			}
		}
	}
}
