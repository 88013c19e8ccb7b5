package detail

import (
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/task"
	"belay/ui/row"
	"belay/ui/write"
)

// taskTimes are what is told of a task that changes with time alone.
func (c *content) taskTimes() (poll, expiry safe.Text) {
	if c.call.Task == nil || c.tab != tabCall {
		return "", ""
	}
	return c.words.NextPoll(c.call.Row), c.words.Expiry(c.call.Row)
}

// toolOfTask names the tool of a task that is followed by its ID.
func toolOfTask(r session.Row) safe.Text {
	if r.Tool == "" {
		return "not known: belay has the ID of the task alone"
	}
	return wording.NameIn(r.Tool, 400)
}

// taskFields tell of the task that the call runs as.
func (c *content) taskFields(d *write.Writer) {
	t, st := c.call.Task, d.Styles
	if t == nil {
		return
	}
	poll, expiry := c.taskTimes()
	d.Heading("task")
	d.Field("ID", safe.QuotedCut(t.ID, 200), st.Text)
	if t.IsTold() {
		d.Field("status", safe.Text(t.Status.String())+" · told at "+wording.Clock(t.Seen), st.Text)
	} else {
		d.Field("status", "not told", st.Text)
	}
	polls := wording.Count(t.Polls, "answer")
	switch {
	case t.Blind:
		polls += " · the server does not know tasks/get"
	case t.End == task.Expired:
		polls += " · polling ended with its time"
	case !t.GoesOn: // which is polled no more
	case t.Missed > 0:
		polls += " · " + row.Pause(t) + " · the last " + wording.Thousands(t.Missed) + " brought none"
	default:
		polls += " · " + row.Pause(t)
	}
	if poll != "" && (t.Blind || t.Pause >= time.Second) { // else it says the same
		polls += " · " + poll
	}
	d.Field("polls", polls, st.Text)
	d.Field("kept", expiry, st.Text)
	if t.ReusedKeys > 0 {
		d.Field("asks", "something else under a key that was used · :ask shows it", st.Warn)
	}
	if t.Message != "" {
		d.Field("message", safe.QuotedCut(t.Message, 300), st.Text)
	}
}
