// Package row has the words and the looks of a row: its name, its state, its time
// and its note, as the table, the detail, the status line and the last lines on the
// normal screen say them.
package row

import (
	"math"
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/ui/canvas"
	"belay/ui/remedy"
	"belay/ui/theme"
)

// State is how a state looks: a glyph and a word, and a shorter form for
// where there is little room.
type State struct {
	Glyph        safe.Text
	Wide, narrow safe.Text // without the glyph
	Style        canvas.Style

	Passing safe.Text // ends both forms for a moment
	upTo    safe.Text // the widest that both forms grow to from here, when that is wider
}

// Width is what the text takes, the glyph included.
func (s State) Width(wide bool) int { return safe.Width(s.Text(wide)) }

// Planned is what a column needs for the text: with room for a number that
// grows, without what passes in a moment.
func (s State) Planned(wide bool) int {
	text := s.narrow
	if wide {
		text = s.Wide
	}
	return 2 + max(safe.Width(text), safe.Width(s.upTo))
}

// Text is the state in its long or its short form.
func (s State) Text(wide bool) safe.Text {
	if wide {
		return s.Glyph + " " + s.Wide + s.Passing
	}
	return s.Glyph + " " + s.narrow + s.Passing
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
	g, st := w.Glyphs, w.Styles
	same := func(glyph, word safe.Text, style canvas.Style) State {
		return State{Glyph: glyph, Wide: word, narrow: word, Style: style}
	}
	switch r.State {
	case session.Queued:
		return same(g.Queued, "queued", st.Muted)
	case session.Running:
		if IsHeld(r) {
			return State{Glyph: g.Asks, Wide: "held, r goes on", narrow: "held", Style: st.Warn}
		}
		if r.AsksYou {
			return same(g.Asks, "asks you", st.Warn)
		}
		if r.Login {
			return State{Glyph: g.Asks, Wide: "waiting for login", narrow: "wants login", Style: st.Warn}
		}
		if r.HearsLater {
			return State{Glyph: g.Asks, Wide: "running · wants login", narrow: "wants login", Style: st.Warn}
		}
		if r.Standing() {
			return w.standingText(r)
		}
		t := same(w.Spin, wording.Join("running", Progress(r.Progress)), st.Info)
		if _, ok := r.Progress.Fraction(); ok && r.Progress.Count > 0 {
			t.upTo = "running 100%"
		}
		return t
	case session.Cancelling:
		return w.cancellingText(r)
	case session.Cancelled:
		return w.cancelledText(r)
	case session.Done:
		if r.Sub.Is {
			return w.endedText(r.Sub)
		}
		return same(g.Done, "done", st.OK)
	case session.Failed:
		switch { // no fault of the server's
		case r.FellBack && r.Method == "initialize":
			return same(g.Other, "not needed", st.Muted)
		case r.FellBack:
			return same(g.Other, "fallback", st.Muted)
		}
		return same(g.Failed, "failed", st.Bad)
	case session.Dropped:
		return same(g.Dropped, "dropped", st.Muted)
	case session.Lost:
		return same(g.Lost, "lost", st.Bad)
	}
	return same(g.Other, safe.Text(r.State.String()), st.Muted)
}

// IsHeld reports whether nothing but the user's r is missing for a call to go on.
func IsHeld(r session.Row) bool { return r.Round.Held && r.Round.Open == 0 }

// cancellingText never claims that the cancel left before it did.
func (w Words) cancellingText(r session.Row) State {
	word := "cancelling" + w.Glyphs.Dots
	t := State{Glyph: w.Glyphs.Cancelling, Wide: word, narrow: word, Style: w.Styles.Stop}
	if r.Initiator == cancel.ByTimeout {
		t.Wide = "timed out · " + word
	}
	switch {
	case r.Refused:
		t.Passing = " (not accepted)"
	case r.Unsent:
		t.Passing = " (not sent yet)"
	}
	return t
}

// cancelledText shows what the server did. A timeout says that it was one, and
// never looks like an error of the server's (TMO-10, ERR-22).
func (w Words) cancelledText(r session.Row) State {
	verdict := safe.Text(r.Verdict.String())
	t := State{Glyph: w.Glyphs.Cancelled, Wide: wording.Join("cancelled ·", verdict), narrow: verdict, Style: w.Styles.Stop}
	if verdict == "" {
		t.Wide, t.narrow = "cancelled", "cancelled"
	}
	if r.Initiator == cancel.ByTimeout {
		t.Wide, t.narrow = wording.Join("timed out ·", verdict), "timed out"
	}
	switch r.Sub.Left {
	case session.LeftNothing:
	case session.LeftMaybe:
		t.Wide, t.narrow = "may be subscribed", "may be subscribed"
	case session.LeftStands:
		t.Wide, t.narrow = "still subscribed", "still subscribed"
	}
	return t
}

// Progress is a whole percentage where there is a total, 100 % only when all
// is done, and the bare number where there is none (PRG-06, PRG-07). Beyond the total it is 100 % with the
// numbers behind it (PRG-21).
func Progress(p session.ProgressView) safe.Text {
	if p.Count == 0 {
		return ""
	}
	f, ok := p.Fraction()
	switch {
	case !ok:
		return wording.Number(p.Value)
	case p.Value > p.Total:
		return "100% (" + wording.Number(p.Value) + "/" + wording.Number(p.Total) + ")"
	}
	const hair = 1e-9 // 0.29 × 100 is a hair less than 29
	return wording.Number(math.Floor(f*100+hair)) + "%"
}

// lastStretch is when the time of a call becomes a countdown.
const lastStretch = time.Minute

// Time is what the TIME column says: the age, a countdown in the last minute
// before a timeout, and the duration once it is over.
func (w Words) Time(r session.Row) safe.Text {
	now := w.Now
	if r.Standing() {
		return lastTime(r.Sub)
	}
	if r.State == session.Running && !r.Deadline.IsZero() && !r.Paused {
		if left := r.Deadline.Sub(now); left <= lastStretch && now.Sub(r.Created) > lastStretch {
			return safe.Text(strconv.Itoa(int(max(0, left).Seconds()))) + "s left"
		}
	}
	age := r.Age(now)
	if w.Slow && r.InFlight() {
		age = age.Truncate(time.Second)
		if age < time.Minute {
			return safe.Text(strconv.Itoa(int(age.Seconds()))) + "s"
		}
	}
	return wording.Duration(age)
}

// Name is how sentences speak of a call: "#7 tools/call slow".
func Name(r session.Row) safe.Text {
	return wording.Join("#"+safe.Text(r.Wire.String())+" "+wording.Name(r.Method), targetName(r))
}

func targetName(r session.Row) safe.Text {
	if r.Target == "" {
		return ""
	}
	return wording.Name(r.Target)
}

// Note is the note of a row, with what can be done about it.
func Note(r session.Row) safe.Text { return remedy.With(safe.Line(r.Note), r.Remedy) }

// standingText is the state of a subscription: it does not spin, as nothing is
// awaited, and counts what came.
func (w Words) standingText(r session.Row) State {
	t := State{Glyph: w.Glyphs.Live, Wide: "subscribing" + w.Glyphs.Dots, narrow: "subscribing", Style: w.Styles.Info}
	switch u := r.Sub; {
	case !u.AgainAt.IsZero():
		return State{Glyph: w.Glyphs.Lost, Wide: "broke off · begins again" + w.Glyphs.Dots, narrow: "broke off", Style: w.Styles.Warn}
	case u.Unheard:
		t.Wide, t.narrow, t.Style = "subscribed · its stream is away", "stream away", w.Styles.Warn
	case u.Garbled:
		t.Wide, t.narrow, t.Style = "acknowledgement unreadable", "ack unreadable", w.Styles.Warn
	case !u.Active:
	case u.Agreed == 0:
		t.Wide, t.narrow, t.Style = "subscribed to nothing", "subscribed to nothing", w.Styles.Warn
	case u.Agreed < u.Asked:
		t.Wide, t.narrow = "subscribed in part", "subscribed in part"
	default:
		t.Wide, t.narrow = "subscribed", "subscribed"
	}
	if r.Sub.Updates > 0 {
		t.Wide = wording.Join(t.Wide, "· "+wording.Count(r.Sub.Updates, "update"))
		t.narrow = wording.Join(t.narrow, wording.Thousands(r.Sub.Updates))
	}
	return t
}

// endedText is the state of a subscription that ended otherwise than by a
// cancel: the server ended it, at once where it agreed to nothing of it, or the
// user left.
func (w Words) endedText(u session.SubscriptionView) State {
	t := State{Glyph: w.Glyphs.Lost, Wide: "ended by the server", narrow: "ended", Style: w.Styles.Warn}
	switch {
	case !u.ByServer:
		t.Glyph, t.Wide, t.Style = w.Glyphs.Done, "ended", w.Styles.Muted
	case u.Active && u.Agreed == 0:
		t.Wide, t.narrow = "ended · agreed to nothing", "agreed to nothing"
	}
	return t
}

// TrailingNote is the note of a row as the end of a sentence.
func TrailingNote(r session.Row) safe.Text {
	if n := Note(r); n != "" {
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
