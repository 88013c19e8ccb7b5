package session

import (
	"fmt"
	"slices"
	"testing"

	"belay/session/mcp"
)

// The rows that are kept are found by their IDs and one before the other, whatever was swept from
// between them or left out.
func TestRowsAreFoundBetweenGaps(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(cfg *Config) { cfg.FinishedRows = 10 })
	standing, _ := r.call("stays")
	var ended []CallID
	for range 3000 {
		id, wire := r.call("ends")
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
		ended = append(ended, id)
	}
	check := func(want []CallID) {
		t.Helper()
		if err := r.s.Check(); err != nil {
			t.Error(err)
		}
		var rows []CallID
		_, last := r.s.Span()
		for id := r.s.RowBefore(last + 1); id > 0; id = r.s.RowBefore(id) {
			if _, ok := r.s.Row(id); !ok {
				t.Errorf("row %d is not there", id)
			}
			rows = append(rows, id)
		}
		slices.Reverse(rows)
		if fmt.Sprint(rows) != fmt.Sprint(want) {
			t.Errorf("the rows are %v, want %v", rows, want)
		}
	}
	kept := append([]CallID{standing}, ended[len(ended)-10:]...)
	check(kept)
	if _, ok := r.s.Row(ended[0]); ok {
		t.Error("a row that was swept is there")
	}
	r.s.rows.table.LeaveOut(r.s.rows.table.Last() + 1<<40)
	later, _ := r.call("later")
	if later != ended[len(ended)-1]+1<<40+1 {
		t.Errorf("the call after the gap is %d", later)
	}
	check(append(kept, later))
	if page, next := r.s.CallLog(0); len(page) != len(kept)+1 && next == 0 {
		t.Errorf("the log has %d calls, and goes on behind %d", len(page), next)
	}
}
