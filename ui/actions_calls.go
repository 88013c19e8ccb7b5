package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/ui/dialog"
	"belay/ui/panel"
	"belay/ui/row"
	"belay/ui/statusline"
)

// cancel asks the core to stop the selected call. The frame after it says
// cancelling…, whether or not the cancel was written by then.
func (m *Model) cancel(reason string) tea.Cmd {
	r, ok := m.target()
	if !ok {
		return nil
	}
	return m.cancelRow(r, reason)
}

func (m *Model) cancelRow(r session.Row, reason string) tea.Cmd {
	_, err := m.backend.Do(session.Cancel{Call: r.ID, Reason: reason})
	m.backend.View(func(s *session.Session) { // the row may be an old one: a reason takes its time
		if now, ok := s.Row(r.ID); ok {
			r.State, r.Verdict, r.Task = now.State, now.Verdict, now.Task
		}
	})
	if err != nil && row.IsPolledOn(r) { // which the core calls ended
		if why := nothingToCancel(situation{target: r, chosen: true}); why != "" {
			return m.status.Say(panel.Refused(safe.Text(why)))
		}
	}
	if err != nil && r.Login && r.Origin == session.FromHandshake {
		return m.status.Say(panel.Refused(wording.Name(r.Method) + " must not be cancelled: ! then esc gives its login up"))
	}
	if err != nil {
		return m.status.Say(panel.Error(err))
	}
	return m.tellCancel(r, reason)
}

// tellCancel says what became of a cancel that the core took. The row is as the core has it since.
func (m *Model) tellCancel(r session.Row, reason string) tea.Cmd {
	m.watch([]session.CallID{r.ID})
	if r.Sub.Residual != session.ResidualNone {
		return m.status.Say(panel.Said("asking the server once more to end the subscription of " + row.Name(r)))
	}
	if r.State == session.Dropped {
		return m.status.Say(panel.Said("dropped " + row.Name(r) + ": nothing had been sent"))
	}
	if r.Login && r.Verdict == cancel.NothingRunning {
		text := "cancelled " + row.Name(r) + ": it waited for a login, nothing was sent"
		if m.login.IsWaitedForByNone() {
			text += " · nothing waits for the login any more"
		}
		return m.status.Say(panel.Said(text))
	}
	text := "cancelling " + row.Name(r)
	if row.IsTask(r) {
		text = "cancelling " + row.TaskName(r)
	}
	if reason != "" {
		text += " · " + safe.QuotedCut(reason, 60)
		if r.ReasonStays {
			text += " stays here"
		}
	}
	return m.status.Say(panel.Said(text).While(statusline.UntilEnded(r.ID, m.words())))
}

// reasonGoes ends the sentence that names a reason.
func (s *snapshot) reasonGoes() safe.Text {
	if s.status.ReasonStays {
		return "; it stays here, as no cancel carries one."
	}
	return "."
}

// askReason is the line for a reason of the user's own.
func (m *Model) askReason() tea.Cmd {
	r, ok := m.target()
	if !ok {
		return nil
	}
	switch {
	case row.MayCancelAgain(r): // in a row of its own, as x does: tasks/cancel carries no reason
		return m.tasks.CancelAgain(r)
	case r.Origin == session.FromHandshake, r.Sub.Residual != session.ResidualNone, row.NoCancel(r) != "":
		return m.cancelRow(r, "") // the core refuses it, in its own words, or has no use for a reason
	}
	hint := safe.Text("enter cancels · esc does not")
	if r.ReasonStays {
		hint = "enter cancels · the reason stays here"
	}
	m.push(&dialog.Line{
		Host:  m.host,
		Label: "cancel " + row.Name(r) + ":", Short: "cancel #" + safe.Line(r.Wire.String()) + ":", Placeholder: safe.LineN(m.snap.reason, 200),
		Hint: hint, History: &m.input.reasons,
		Enter: func(text string) tea.Cmd { return m.cancelRow(r, strings.TrimSpace(text)) },
	})
	return nil
}

// askCancelAll asks once, with the count.
func (m *Model) askCancelAll() {
	title := safe.Text("Cancel all requests")
	if len(m.calls.Marked()) > 0 {
		title = "Cancel the marked requests"
	}
	m.push(&dialog.Confirm{Host: m.host, Title: title, Lines: m.cancelAllLines, Yes: m.cancelAll})
}

// cancelAllLines count what is in flight as of now. Subscriptions are no work,
// and end with the rest only when they are marked.
func (m *Model) cancelAllLines() []safe.Text {
	calls, subs, left, what := stoppable(m.snap.status), 0, m.snap.status.Subscriptions-m.snap.status.OwnSubscriptions, safe.Text("in flight")
	if len(m.calls.Marked()) > 0 {
		calls, subs = m.marked()
		left, what = 0, "marked"
	}
	tasks := tasksAmong(m.backend, m.calls.Marked(), m.snap.status.ReasonStays)
	var first safe.Text
	switch {
	case calls+subs == 0:
		if what == "in flight" && m.snap.status.Cancelling > 0 {
			return []safe.Text{"What is in flight is being cancelled already."}
		}
		return []safe.Text{"Nothing is in flight any more."}
	case subs == 0:
		first = "Cancel " + work(calls, tasks) + " " + what + "?"
	case calls == 0:
		first = "End " + wording.Count(subs, "subscription") + " " + what + "?"
	default:
		first = "Cancel " + work(calls, tasks) + " and end " + wording.Count(subs, "subscription") + " " + what + "?"
	}
	lines := []safe.Text{first}
	switch n := m.snap.status.Cancelling; {
	case what == "marked" || n == 0:
	case n == 1:
		lines = append(lines, "1 more is being cancelled already.")
	default:
		lines = append(lines, wording.Thousands(n)+" more are being cancelled already.")
	}
	switch n := m.snap.status.WaitsOnly; {
	case what == "marked" || n == 0:
	case n == 1:
		lines = append(lines, "1 task more can only be waited for.")
	default:
		lines = append(lines, wording.Thousands(n)+" tasks more can only be waited for.")
	}
	switch reason := "The reason is " + safe.QuotedCut(m.snap.reason, 50); {
	case tasks == 0 || m.snap.status.ReasonStays && tasks < calls:
		lines = append(lines, reason+m.snap.reasonGoes())
	case tasks < calls:
		lines = append(lines, reason+"; tasks/cancel carries none.")
	}
	if tasks > 0 {
		lines = append(lines, "A server may delete a cancelled task: what it said last stays here.")
	}
	if left > 0 {
		stay := safe.Text(" stay")
		if left == 1 {
			stay += "s"
		}
		lines = append(lines, wording.Count(left, "subscription")+stay+": to end "+them(left)+", mark "+them(left)+" first.")
	}
	return lines
}

// work counts what is cancelled. A task is asked for by another request than a call, which
// carries no reason.
func work(calls, tasks int) safe.Text {
	switch {
	case tasks == 0:
		return wording.Count(calls, "request")
	case tasks >= calls:
		return wording.Count(calls, "task")
	case tasks == 1:
		return wording.Count(calls, "request") + ", a task among them,"
	}
	return wording.Count(calls, "request") + ", " + wording.Thousands(tasks) + " tasks among them,"
}

// tasksAmong counts the tasks, also those whose ID is awaited, among the marked calls, or where
// none is marked among all that is in flight. Closes says that no cancel of the connection
// carries a reason.
func tasksAmong(b Backend, marks map[session.CallID]bool, closes bool) (n int) {
	count := func(r session.Row) {
		if r.State == session.Running && row.IsStoppable(r) && (r.Task != nil || r.ReasonStays && !r.Sub.Is && !closes) {
			n++
		}
	}
	b.View(func(s *session.Session) {
		if len(marks) == 0 {
			for _, r := range s.InFlight(nil, toldOf) {
				count(r)
			}
		}
		for id := range marks {
			if r, ok := s.Row(id); ok {
				count(r)
			}
		}
	})
	return n
}

// toldOf bounds the calls that the status line follows to their end.
const toldOf = 1000

func (m *Model) cancelAll() tea.Cmd {
	n := 0
	var ids []session.CallID
	marks := m.calls.Marked()
	tasks := tasksAmong(m.backend, marks, m.snap.status.ReasonStays)
	if len(marks) == 0 {
		m.backend.View(func(s *session.Session) {
			for _, r := range s.InFlight(nil, toldOf) {
				if row.IsStoppable(r) && r.State != session.Cancelling && !r.IsStanding() {
					ids = append(ids, r.ID)
				}
			}
		})
		n = tell(m.backend, session.CancelAll{}).Cancelled
	}
	for id := range marks {
		if _, err := m.backend.Do(session.Cancel{Call: id}); err == nil {
			ids = append(ids, id)
			n++
		}
	}
	clear(marks)
	if n == 0 {
		return m.status.Say(panel.Refused("nothing was in flight that can be cancelled"))
	}
	m.watch(ids)
	return m.status.Say(panel.Said("cancelling " + safe.Text(strings.TrimSuffix(string(work(n, tasks)), ","))).While(statusline.UntilAllEnded(ids)))
}

// call makes a call and selects its row.
func (m *Model) call(c session.CallSpec) tea.Cmd {
	return m.make(session.StartCall{Spec: m.input.limited(c)}, nil, m.compose.Remember(c))
}

// make has the core make a row and selects it. Made is told when there is one, and after is
// run; nil: nobody is, and nothing.
func (m *Model) make(wish session.Input, made func(), after tea.Cmd) tea.Cmd {
	reply, err := m.backend.Do(wish)
	if err != nil {
		return m.status.Say(panel.Error(err))
	}
	if made != nil {
		made()
	}
	m.calls.Made(reply.Call)
	m.detail.Fit()
	return tea.Batch(after, m.followSubscription(reply.Call))
}

// resend repeats the selected call, or continues a call that waits for that key.
func (m *Model) resend() tea.Cmd {
	d, _ := m.detail.Call()
	if ro := d.Round; ro.AwaitsRetry || ro.Relisting || !ro.RetryAt.IsZero() {
		return m.goOn(d.Row)
	}
	return m.repeat(*d)
}

// goOn makes a call again at once that its server wants to be made again, or that
// was held for the number of its rounds.
func (m *Model) goOn(r session.Row) tea.Cmd {
	_, err := m.backend.Do(session.Retry{Call: r.ID})
	if err != nil {
		return m.status.Say(panel.Error(err))
	}
	return m.status.Say(panel.Said("goes on: " + row.Name(r)))
}

// repeat makes the same call again, with the missing capabilities declared if the
// server refused the call for want of them.
func (m *Model) repeat(d session.Detail) tea.Cmd {
	c := session.CallSpec{
		Method: d.Method, Params: d.Params, Idle: d.Idle, Max: d.Max, Rules: d.Rules, NoProgress: d.NoProgress, Raw: d.Origin != session.FromUser,
		Declare: slices.Concat(d.Declare, d.MissingCapabilities), Undeclared: d.Undeclared, AsTask: d.Remedy.Kind == session.RemedyAsTask,
	}
	return m.asker.Before(c, func() tea.Cmd { return m.call(c) })
}
