package calls

import (
	"testing"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/row"
	"belay/ui/theme"
)

// While a row waits for the ID of its task, its words leave room for the name of what was called, and
// for METHOD where that has room beside them.
func TestAStateForTheMomentLeavesTheName(t *testing.T) {
	w := row.Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Spin: theme.Unicode.Still()}
	for _, name := range []string{"t", "slowcreate", "trigger-long-running-operation", "a_name_that_is_longer_than_any_column_of_a_terminal_has_room_for"} {
		r := session.Row{
			ID: 1, Wire: mcp.IntID(4711), State: session.Running, Method: "tools/call", Target: name,
		}
		for width := 58; width <= 200; width++ {
			plan := tableColumns(width, planned(w, []session.Row{r}))
			waits := r
			waits.State, waits.Unsent, waits.AwaitsID = session.Cancelling, true, true
			own, state := plan.fit(w.State(waits), safe.Width(safe.Text(name)))
			if got := state.Width(own.wide); got > own.state {
				t.Fatalf("width %d: the state takes %d of %d columns", width, got, own.state)
			}
			if least := min(len(name), targetLeast, plan.target); own.target < least {
				t.Errorf("width %d: %d columns are left of the name %q, want %d", width, own.target, name, least)
			}
			if width >= 78 && plan.method > 0 && own.method == 0 {
				t.Errorf("width %d: %q takes the method away", width, name)
			}
			end := 0
			own.cells(func(x, width int, _ string) { end = max(end, x+width) })
			if end > width {
				t.Fatalf("width %d: the columns end at %d", width, end)
			}
		}
	}
	long := tableColumns(100, planned(w, []session.Row{{Wire: mcp.IntID(1), State: session.Running, Method: "tools/call", Target: "slow"}}))
	waits := session.Row{Wire: mcp.IntID(1), State: session.Cancelling, Unsent: true, AwaitsID: true, Method: "tools/call", Target: "slow"}
	if _, state := long.fit(w.State(waits), len("slow")); state.Passing != " (waiting for the task ID)" {
		t.Errorf("with room for it the row says %q", state.Passing)
	}
}
