package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/session"
	"belay/session/mcp"
)

// checkedMsg is what the check of a structured result came to.
type checkedMsg struct {
	call   session.CallID
	report session.SchemaReport
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
