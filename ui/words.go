package ui

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
)

// stateText is how a state looks: a glyph and a word, and a shorter form for
// where there is little room.
type stateText struct {
	glyph        safe.Text
	wide, narrow safe.Text // without the glyph
	style        canvas.Style

	passing safe.Text // ends both forms for a moment
	upTo    safe.Text // the widest that both forms grow to from here, when that is wider
}

// width is what the text takes, the glyph included.
func (s stateText) width(wide bool) int { return safe.Width(s.text(wide)) }

// planned is what a column needs for the text: with room for a number that
// grows, without what passes in a moment.
func (s stateText) planned(wide bool) int {
	text := s.narrow
	if wide {
		text = s.wide
	}
	return 2 + max(safe.Width(text), safe.Width(s.upTo))
}

func (s stateText) text(wide bool) safe.Text {
	if wide {
		return s.glyph + " " + s.wide + s.passing
	}
	return s.glyph + " " + s.narrow + s.passing
}

// stateOf says in which state a row is, in the words of the STATE column.
func (m *Model) stateOf(r session.Row) stateText {
	g, st := m.glyphs, m.styles
	same := func(glyph, word safe.Text, style canvas.Style) stateText {
		return stateText{glyph: glyph, wide: word, narrow: word, style: style}
	}
	switch r.State {
	case session.Queued:
		return same(g.Queued, "queued", st.Muted)
	case session.Running:
		if isHeld(r) {
			return stateText{glyph: g.Asks, wide: "held, r goes on", narrow: "held", style: st.Warn}
		}
		if r.AsksYou {
			return same(g.Asks, "asks you", st.Warn)
		}
		if r.Login {
			return stateText{glyph: g.Asks, wide: "waiting for login", narrow: "wants login", style: st.Warn}
		}
		if r.HearsLater {
			return stateText{glyph: g.Asks, wide: "running · wants login", narrow: "wants login", style: st.Warn}
		}
		if r.Standing() {
			return m.standingText(r)
		}
		t := same(m.spinner(), wording.Join("running", progressWord(r.Progress)), st.Info)
		if _, ok := r.Progress.Fraction(); ok && r.Progress.Count > 0 {
			t.upTo = "running 100%"
		}
		return t
	case session.Cancelling:
		return m.cancellingText(r)
	case session.Cancelled:
		return m.cancelledText(r)
	case session.Done:
		if r.Sub.Is {
			return m.endedText(r.Sub)
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

// isHeld reports whether nothing but the user's r is missing for a call to go on.
func isHeld(r session.Row) bool { return r.Round.Held && r.Round.Open == 0 }

// cancellingText never claims that the cancel left before it did.
func (m *Model) cancellingText(r session.Row) stateText {
	word := "cancelling" + m.glyphs.Dots
	t := stateText{glyph: m.glyphs.Cancelling, wide: word, narrow: word, style: m.styles.Stop}
	if r.Initiator == cancel.ByTimeout {
		t.wide = "timed out · " + word
	}
	switch {
	case r.Refused:
		t.passing = " (not accepted)"
	case r.Unsent:
		t.passing = " (not sent yet)"
	}
	return t
}

// cancelledText shows what the server did. A timeout says that it was one, and
// never looks like an error of the server's (TMO-10, ERR-22).
func (m *Model) cancelledText(r session.Row) stateText {
	verdict := safe.Text(r.Verdict.String())
	t := stateText{glyph: m.glyphs.Cancelled, wide: wording.Join("cancelled ·", verdict), narrow: verdict, style: m.styles.Stop}
	if verdict == "" {
		t.wide, t.narrow = "cancelled", "cancelled"
	}
	if r.Initiator == cancel.ByTimeout {
		t.wide, t.narrow = wording.Join("timed out ·", verdict), "timed out"
	}
	switch r.Sub.Left {
	case session.LeftNothing:
	case session.LeftMaybe:
		t.wide, t.narrow = "may be subscribed", "may be subscribed"
	case session.LeftStands:
		t.wide, t.narrow = "still subscribed", "still subscribed"
	}
	return t
}

func (m *Model) spinner() safe.Text {
	if m.opts.NoMotion || m.opts.Frozen {
		return m.glyphs.Spin[0]
	}
	return m.glyphs.Spin[m.clock.beats%len(m.glyphs.Spin)]
}

// progressWord is a whole percentage where there is a total, 100 % only when all
// is done, and the bare number where there is none (PRG-06, PRG-07). Beyond the total it is 100 % with the
// numbers behind it (PRG-21).
func progressWord(p session.ProgressView) safe.Text {
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

// timeOf is what the TIME column says: the age, a countdown in the last minute
// before a timeout, and the duration once it is over.
func (m *Model) timeOf(r session.Row) safe.Text {
	now := m.snap.now
	if r.Standing() {
		return lastTime(r.Sub)
	}
	if r.State == session.Running && !r.Deadline.IsZero() && !r.Paused {
		if left := r.Deadline.Sub(now); left <= lastStretch && now.Sub(r.Created) > lastStretch {
			return safe.Text(strconv.Itoa(int(max(0, left).Seconds()))) + "s left"
		}
	}
	age := r.Age(now)
	if m.opts.NoMotion && r.InFlight() {
		age = age.Truncate(time.Second)
		if age < time.Minute {
			return safe.Text(strconv.Itoa(int(age.Seconds()))) + "s"
		}
	}
	return wording.Duration(age)
}

// callName is how sentences speak of a call: "#7 tools/call slow".
func callName(r session.Row) safe.Text {
	return wording.Join("#"+safe.Text(r.Wire.String())+" "+wording.Name(r.Method), targetName(r))
}

func targetName(r session.Row) safe.Text {
	if r.Target == "" {
		return ""
	}
	return wording.Name(r.Target)
}

// noted is the note of a row, with what can be done about it.
func noted(r session.Row) safe.Text { return remedy.With(safe.Line(r.Note), r.Remedy) }
