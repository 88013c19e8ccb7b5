package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/canvas"
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
		t := same(m.spinner(), join("running", progressWord(r.Progress)), st.Info)
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
		if r.FellBack { // no fault of the server's
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

// isHeld says whether nothing but the user's r is missing for a call to go on.
func isHeld(r session.Row) bool { return r.Round.Held && r.Round.Open == 0 }

// cancellingText never claims that the cancel left before it did.
func (m *Model) cancellingText(r session.Row) stateText {
	word := "cancelling" + m.glyphs.Dots
	t := stateText{glyph: m.glyphs.Cancelling, wide: word, narrow: word, style: m.styles.Stop}
	if r.Initiator == session.ByTimeout {
		t.wide = "timed out · " + word
	}
	if r.Unsent {
		t.passing = " (not sent yet)"
	}
	return t
}

// cancelledText shows what the server did. A timeout says that it was one, and
// never looks like an error of the server's (TMO-10, ERR-22).
func (m *Model) cancelledText(r session.Row) stateText {
	verdict := safe.Text(r.Verdict.String())
	t := stateText{glyph: m.glyphs.Cancelled, wide: join("cancelled ·", verdict), narrow: verdict, style: m.styles.Stop}
	if verdict == "" {
		t.wide, t.narrow = "cancelled", "cancelled"
	}
	if r.Initiator == session.ByTimeout {
		t.wide, t.narrow = join("timed out ·", verdict), "timed out"
	}
	return t
}

// join puts a blank between two texts if there are two.
func join(a, b safe.Text) safe.Text {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
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
func progressWord(p session.Progress) safe.Text {
	if p.Count == 0 {
		return ""
	}
	f, ok := p.Fraction()
	switch {
	case !ok:
		return number(p.Value)
	case p.Value > p.Total:
		return "100% (" + number(p.Value) + "/" + number(p.Total) + ")"
	}
	const hair = 1e-9 // 0.29 × 100 is a hair less than 29
	return number(math.Floor(f*100+hair)) + "%"
}

// number writes a float in at most 9 columns: up to three digits behind the
// point, and an exponent where that says nothing.
func number(v float64) safe.Text {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "?"
	}
	if a := math.Abs(v); a >= 1e6 || a != 0 && a < 0.0005 {
		if a < 1e9 && v == math.Trunc(v) && v > 0 {
			return safe.Text(strconv.FormatFloat(v, 'f', 0, 64))
		}
		return safe.Text(strconv.FormatFloat(v, 'g', 3, 64))
	}
	s := strconv.FormatFloat(v, 'f', 3, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		s = "0"
	}
	if len(s) > 9 {
		s = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return safe.Text(s)
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
	return duration(age)
}

// duration writes a duration in at most 6 columns.
func duration(d time.Duration) safe.Text {
	d = max(0, d)
	switch {
	case d < time.Minute:
		return safe.Text(fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds()))
	case d < time.Hour:
		return safe.Text(fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second))
	case d < 100*time.Hour:
		return safe.Text(fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute))
	}
	return safe.Text(fmt.Sprintf("%dd%02dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour))
}

// precise writes a duration with milliseconds, for the timeline.
func precise(d time.Duration) safe.Text {
	if d >= 1000*time.Second {
		return duration(d)
	}
	return safe.Text(fmt.Sprintf("%.3fs", d.Seconds()))
}

// count writes a number with its word: "1 call", "10,000 calls".
func count(n int, word string) safe.Text {
	if n != 1 {
		word += "s"
	}
	return thousands(n) + " " + safe.Text(word)
}

func thousands(n int) safe.Text {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return safe.Text(s)
}

// size writes a number of bytes: "312 B", "4.2 kB".
func size(n int) safe.Text {
	switch {
	case n < 1000:
		return safe.Text(strconv.Itoa(n)) + " B"
	case n < 1_000_000:
		return safe.Text(fmt.Sprintf("%.1f kB", float64(n)/1e3))
	}
	return safe.Text(fmt.Sprintf("%.1f MB", float64(n)/1e6))
}

// named is a foreign name within one of belay's sentences. A name that could
// be taken for words of the sentence is quoted (SEC-23).
func named(s string) safe.Text {
	const most = 48
	plain := s != "" && len(s) <= most
	for i := 0; plain && i < len(s); i++ {
		c := s[i] | 0x20
		plain = 'a' <= c && c <= 'z' || '0' <= s[i] && s[i] <= '9' || strings.IndexByte("_-./:", s[i]) >= 0
	}
	if plain {
		return safe.Line(s)
	}
	return safe.QuotedCut(s, most)
}

// callName is how sentences speak of a call: "#7 tools/call slow".
func callName(r session.Row) safe.Text {
	return join("#"+safe.Text(r.Wire.String())+" "+named(r.Method), targetName(r))
}

func targetName(r session.Row) safe.Text {
	if r.Target == "" {
		return ""
	}
	return named(r.Target)
}
