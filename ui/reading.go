package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/session"
	"belay/session/mcp"
)

// reading is the result that was read last. A long one is read outside of Update,
// so that no key waits for it.
type reading struct {
	at    *byte // where the result lies: what the core hands out never changes
	n     int
	parts mcp.ResultParts
	done  bool
}

func (r *reading) is(raw []byte) bool { return len(raw) > 0 && r.at == &raw[0] && r.n == len(raw) }

// readMsg is a result that was read.
type readMsg reading

// checkedMsg is what the check of a structured result came to.
type checkedMsg struct {
	call   session.CallID
	report session.SchemaReport
}

// shownResult is the result that the detail pane has, in time or late; nil when
// there is none.
func (p *detailPane) shownResult() []byte {
	d := &p.d
	switch {
	case !p.known:
		return nil
	case d.Late != nil:
		return d.Late.Result
	}
	return d.Result
}

// readAtOnce is how many bytes of a result are read between two keys.
const readAtOnce = 16 << 10

// readLong begins to read the shown result, if it is a long one.
func (m *Model) readLong() tea.Cmd {
	raw := m.detail.shownResult()
	if len(raw) <= readAtOnce || m.reading.is(raw) {
		return nil
	}
	r := reading{at: &raw[0], n: len(raw)}
	m.reading = r
	return func() tea.Msg {
		r.parts, r.done = mcp.ParseResult(raw), true
		return readMsg(r)
	}
}

// wasRead takes a result that was read beside the screen, unless the user has moved
// on.
func (m *Model) wasRead(r readMsg) {
	if m.reading.at == r.at && m.reading.n == r.n {
		m.reading, m.detail.doc = reading(r), nil
	}
}

// partsOf is what a result consists of, and false while it is being read.
func (m *Model) partsOf(raw []byte) (mcp.ResultParts, bool) {
	if !m.reading.is(raw) && len(raw) > 0 && len(raw) <= readAtOnce {
		m.reading = reading{at: &raw[0], n: len(raw), parts: mcp.ParseResult(raw), done: true}
	}
	return m.reading.parts, m.reading.is(raw) && m.reading.done
}

// checkNext has structured content checked by the schema of its tool, one result
// at a time and outside of Update: a check may take long (SRV-11).
func (m *Model) checkNext() tea.Cmd {
	task := m.snap.check
	if task.Call == 0 || m.checking {
		return nil
	}
	m.checking = true
	ctx := m.beside.ctx
	return func() tea.Msg {
		r := form.Check(ctx, task.Schema, mcp.ParseResult(task.Result).Structured)
		report := session.SchemaReport{More: r.More, Refused: r.Refused, Blind: r.Unchecked}
		for _, f := range r.Findings {
			report.Faults = append(report.Faults, session.SchemaFault{Where: f.Where, Why: f.Why})
		}
		return checkedMsg{task.Call, report}
	}
}

func (m *Model) wasChecked(c checkedMsg) {
	m.checking = false
	tell(m.backend, session.SchemaChecked{Call: c.call, Report: c.report})
}
