// Package row has the words and the looks of a row: its name, its state (the words are
// those of package wording), its time and its note, as the table, the detail, the status
// line and the last lines on the normal screen say them.
package row

import (
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/remedy"
	"belay/ui/theme"
)

// State is how a state looks: its words, with a glyph.
type State struct {
	wording.State
	Glyph safe.Text
	Style canvas.Style
}

// Width is what the text takes, the glyph included.
func (s State) Width(wide bool) int { return safe.Width(s.Text(wide)) }

// Widths are what a column needs for both forms of the text, without what passes in a moment, and
// for either with the largest number that it may come to have.
func (s State) Widths() (wide, narrow, upTo int) {
	const glyph = 2 // with the blank behind it
	return glyph + safe.Width(s.Wide), glyph + safe.Width(s.Narrow), glyph + safe.Width(s.UpTo)
}

// Text is the state in its long or its short form.
func (s State) Text(wide bool) safe.Text {
	if wide {
		return s.Glyph + " " + s.Wide + s.Passing
	}
	return s.Glyph + " " + s.Narrow + s.Passing
}

// Words are the words of rows in one frame.
type Words struct {
	theme.Looks
	Now  time.Time
	Spin safe.Text // the spinner as it stands
	Slow bool      // ages of what is in flight are whole seconds
}

// State says in which state a row is, in the words of the STATE column.
func (w Words) State(r session.Row) State {
	t := State{State: wording.StateOf(r, w.Glyphs.Dots)}
	t.Glyph, t.Style = w.sign(t.Sign)
	if r.Shown() == session.Running && wording.IsReadyToRetry(r) && !w.Recorded {
		t.Wide += ", r goes on"
	}
	return t
}

// sign is how the sign of a state looks.
func (w Words) sign(sign wording.Sign) (safe.Text, canvas.Style) {
	g, st := w.Glyphs, w.Styles
	switch sign {
	case wording.SignQueued:
		return g.Queued, st.Muted
	case wording.SignRunning:
		return w.Spin, st.Info
	case wording.SignAsks:
		return g.Asks, st.Warn
	case wording.SignLive:
		return g.Live, st.Info
	case wording.SignLiveOddly:
		return g.Live, st.Warn
	case wording.SignBroke:
		return g.Lost, st.Warn
	case wording.SignCancelling:
		return g.Cancelling, st.Stop
	case wording.SignCancelled:
		return g.Cancelled, st.Stop
	case wording.SignServerCancelled:
		return g.Cancelled, st.Warn
	case wording.SignDone:
		return g.Done, st.OK
	case wording.SignEnded:
		return g.Done, st.Muted
	case wording.SignFailed:
		return g.Failed, st.Bad
	case wording.SignDropped:
		return g.Dropped, st.Muted
	case wording.SignLost:
		return g.Lost, st.Bad
	case wording.SignOther:
	}
	return g.Other, st.Muted
}

// lastStretch is when the time of a call becomes a countdown.
const lastStretch = time.Minute

// Time is what the TIME column says: the age, a countdown in the last minute
// before a timeout, and the duration once it is over.
func (w Words) Time(r session.Row) safe.Text {
	now := w.Now
	if r.IsStanding() {
		return lastTime(r.Sub)
	}
	if r.State == session.Running && !r.Deadline.IsZero() && !r.Paused {
		if left := r.Deadline.Sub(now); left > 0 && left <= lastStretch && now.Sub(r.Created) > lastStretch {
			return safe.Text(strconv.Itoa(int(left.Seconds()))) + "s left"
		}
	}
	age := r.Age(now)
	if w.Slow && r.IsInFlight() {
		age = age.Truncate(time.Second)
		if age < time.Minute {
			return safe.Text(strconv.Itoa(int(age.Seconds()))) + "s"
		}
	}
	return wording.Duration(age)
}

// Name is how sentences speak of a call: "#7 tools/call slow".
func Name(r session.Row) safe.Text {
	target := TargetIn(r, idMost)
	switch {
	case r.Tool != "":
		target = wording.Name(r.Tool)
	case target != "" && !r.Follows:
		target = wording.Name(r.Target)
	}
	return wording.Join("#"+safe.Text(r.Wire.String())+" "+MethodIn(r, methodMost), target)
}

// Bounds of names in a sentence.
const (
	methodMost = 400
	idMost     = 60
)

// MethodIn is the method of a row within so many columns. A row that follows a task by its ID is
// called a task: the method is but how belay asks.
func MethodIn(r session.Row, width int) safe.Text {
	if r.Follows {
		return safe.Cut("task", width)
	}
	return wording.NameIn(r.Method, width)
}

// TargetIn is what a row is about: the tool of a task where that is known, else its ID, which
// quotes tell from a name. Empty: the row is about nothing in particular.
func TargetIn(r session.Row, width int) safe.Text {
	switch {
	case r.Follows && r.Tool != "":
		return wording.NameIn(r.Tool, width)
	case r.Follows:
		return safe.QuotedCut(r.Target, width)
	case r.Target == "":
		return ""
	}
	return wording.NameIn(r.Target, width)
}

// TaskName is how sentences speak of the task of a call.
func TaskName(r session.Row) safe.Text {
	if r.Follows {
		return Name(r)
	}
	return "the task of " + Name(r)
}

// IsOwn reports whether belay made a call by itself.
func IsOwn(r session.Row) bool {
	return r.Origin == session.FromBelay || r.Origin == session.FromHandshake
}

// Note is the note of a row, with what can be done about it.
func (w Words) Note(r session.Row) safe.Text {
	return remedy.With(safe.Line(r.Note), remedy.Left(r.Remedy, w.Recorded))
}

// TrailingNote is the note of a row as the end of a sentence.
func (w Words) TrailingNote(r session.Row) safe.Text {
	if n := w.Note(r); n != "" {
		return "· " + n
	}
	return ""
}

// lastTime is the time of day of the last thing that a subscription brought: it
// has no end that its age would tell something of. It is no duration as the others
// of its column are, and says so.
func lastTime(sub session.SubscriptionView) safe.Text {
	if sub.Last.IsZero() {
		return "-"
	}
	return "at " + safe.Text(sub.Last.Format("15:04"))
}
