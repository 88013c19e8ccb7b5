package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/negotiate"
	"belay/ui/canvas"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/server"
)

// drawHeader says who is at the other end, how, and what is going on. It
// always names transport and revision, and how that was found (VER-52).
func (m *Model) drawHeader(g canvas.Region) {
	st, s := m.styles, m.snap.status
	brand := safe.Width(brandWords)
	glyph, style := m.glyphs.Live, st.OK
	switch s.Phase {
	case session.Connecting:
		glyph, style = m.spinner(), st.Info
	case session.Closing:
		glyph, style = m.glyphs.Live, st.Warn
	case session.Disconnected:
		glyph, style = m.glyphs.Dead, st.Bad
	case session.Ready:
		if !s.Unreachable.IsZero() {
			glyph, style = m.glyphs.Dead, st.Bad
		}
	}
	x := 1 + brand + safe.Width(glyph) + 1
	words := m.link()
	self, link := words.Self(server.SelfMost), words.Words(true)
	right := m.headerRight(atLength)
	fits := func(self int, link safe.Text) bool {
		return x+self+2+safe.Width(link)+3+panel.SegmentsWidth(right) <= g.W()
	}
	if m.lay.Mode != layout.Three && !fits(safe.Width(self), words.Words(false)) {
		found := words.Words(s.Found != negotiate.Negotiated)
		if right = m.headerRight(inShort); !fits(min(safe.Width(self), leastSelf), found) {
			right = m.headerRight(without)
		}
		if !fits(min(safe.Width(self), leastNamed)-brand, words.Brief()) {
			right = m.headerRight(unwarned)
		}
		for _, how := range []brevity{still, leastOfAll} {
			if !fits(0, words.Brief()) {
				right = m.headerRight(how)
			}
		}
	}
	rightWidth := panel.SegmentsWidth(right)
	room := g.W() - x - rightWidth - 2
	if rightWidth > 0 && (s.Phase != session.Connecting || m.replay.IsRecorded()) {
		room-- // the revision stands apart from a number
	}
	if safe.Width(self)+2+safe.Width(link) > room && (s.Revision == "" || s.Found == negotiate.Negotiated || room < server.LeastFound) {
		if link = words.Words(false); safe.Width(link) > room-2 {
			link = safe.Cut(words.Brief(), max(0, room))
		}
	}
	left := room - safe.Width(link) - 2
	if left < min(safe.Width(self), leastSelf) { // whose server it is says more than whose screen
		x, left, brand = x-brand, left+brand, 0
	}
	if brand > 0 {
		g.Put(1, 0, brandWords, st.Brand)
	}
	g.Put(1+brand, 0, glyph, style)
	if left < leastOfSelf {
		left = 0
	}
	if self = words.Self(max(0, left)); self != "" {
		x = g.Put(x, 0, self, st.Strong) + 2
	}
	g.Sub(0, 0, g.W()-rightWidth-1, 1).Put(x, 0, link, st.Muted)
	x = g.W() - rightWidth - 1
	for _, p := range right {
		x = p.Draw(g, x)
	}
}

// brandWords is the program's name, with the gap behind it.
const brandWords safe.Text = "belay  "

// leastSelf is the room in which the name of a server is cut to leave the count of the diagnostics,
// and the program's own name. For leastNamed the count of the warnings goes, too. Of less than
// leastOfSelf nothing is read.
const (
	leastSelf   = 12
	leastNamed  = 8
	leastOfSelf = 5
)

// brevity is how much is said at the right of the header.
type brevity uint8

const (
	atLength brevity = iota
	inShort
	without    // the count of the diagnostics, which the detail, the wire and i tell of, too
	unwarned   // without the count of the warnings either, which were told when the screen began, and i tells; a login in a word
	still      // without what was in flight in a recording either, which cannot be cancelled
	leastOfAll // without the length of a recording either
)

// headerRight is what is going on, at length where there is room for that.
func (m *Model) headerRight(how brevity) []panel.Segment {
	st, s, long := m.styles, m.snap.status, how == atLength
	var p []panel.Segment
	add := func(t safe.Text, style canvas.Style) {
		if len(p) > 0 {
			p = append(p, panel.Segment{Text: " · ", Style: st.Faint})
		}
		p = append(p, panel.Segment{Text: t, Style: style})
	}
	if m.replay.IsRecorded() {
		r := m.replay.Status()
		words, trouble := r.Words(m.glyphs.Play), r.Trouble()
		if !long {
			words = r.Place(m.glyphs.Play)
			trouble = r.TroubleWord()
		}
		if how == leastOfAll {
			words = r.Brief(m.glyphs.Play)
		}
		add(words, st.Info)
		if trouble != "" {
			add(trouble, st.Bad)
		}
	}
	switch {
	case s.Diags == 0 || how >= without:
	case how == inShort:
		add(wording.Thousands(s.Diags)+" diag.", st.Muted)
	default:
		add(wording.Count(s.Diags, "diagnostic"), st.Muted)
		if m.screen().Shows() {
			add("i", st.KeyName)
		}
	}
	switch n := len(m.opts.Minds); {
	case n == 0 || how >= unwarned:
	case how == without:
		add(wording.Thousands(n)+" warn.", st.Bad)
	default:
		add(wording.Count(n, "warning"), st.Bad)
		if long {
			add("i", st.KeyName)
		}
	}
	if m.snap.recorded {
		add("rec", st.Bad)
	}
	if m.snap.unrecorded != "" {
		add("recording stopped", st.Bad)
	}
	if !s.Unreachable.IsZero() && s.Phase == session.Ready {
		since := safe.Text("")
		if long {
			since = " since " + safe.Text(s.Unreachable.Format("15:04:05"))
		}
		add("unreachable"+since, st.Bad)
	}
	if s.Missed > 0 {
		add("stale ("+wording.Thousands(s.Missed)+" missed)", st.Bad)
	}
	if s.InFlight > 0 && (how < still || !m.replay.IsRecorded()) {
		add(wording.Thousands(s.InFlight)+" in flight", st.Info)
	}
	if s.Waiting > 0 {
		add(asksWords(s.Waiting), st.Warn)
	}
	withdrawn, closed, lost := m.questions.Kept()
	if withdrawn > 0 {
		add(wording.Thousands(withdrawn)+" withdrawn", st.Stop)
	}
	if closed > 0 {
		add(questions(closed, how)+" closed", st.Stop)
	}
	if lost > 0 {
		add(questions(lost, how)+" lost", st.Stop)
	}
	waits := m.login.Waits()
	switch {
	case waits && how >= unwarned: // the row says more, and the panel
		add("login", st.Warn)
	case waits && m.login.IsUnneeded():
		add("a login is open", st.Warn)
	case waits:
		add("waiting for login", st.Warn)
	}
	if (waits || s.Waiting+withdrawn+closed+lost > 0) && m.screen().Shows() && !m.replay.IsRecorded() {
		add("!", st.KeyName)
	}
	if m.questions.IsAuto() {
		add("AUTO sampling", st.Bad)
	}
	return p
}

// questions counts questions of the server's, without a word for them where that is short.
func questions(n int, how brevity) safe.Text {
	if how >= without {
		return wording.Thousands(n)
	}
	return wording.Count(n, "question")
}

// asksWords counts the questions that wait: "1 asks you", "2 ask you".
func asksWords(n int) safe.Text {
	if n == 1 {
		return "1 asks you"
	}
	return wording.Thousands(n) + " ask you"
}
