package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/ui/canvas"
	"belay/ui/layout"
)

// drawHeader says who is at the other end, how, and what is going on. It
// always names transport and revision, and how that was found (VER-52).
func (m *Model) drawHeader(g canvas.Region) {
	st, s := m.styles, &m.snap.status
	x := g.Put(1, 0, "belay", st.Brand) + 2
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
	x = g.Put(x, 0, glyph, style) + 1
	server, link := m.serverWords(serverMost), m.linkWords(true)
	right := m.headerRight(true)
	if m.lay.Mode != layout.Three && x+safe.Width(server)+2+safe.Width(m.linkWords(false))+2+pieceWidth(right) > g.W() {
		right = m.headerRight(false)
	}
	rightWidth := pieceWidth(right)
	room := g.W() - x - rightWidth - 2
	if safe.Width(server)+2+safe.Width(link) > room && (s.Revision == "" || s.Found == negotiate.Negotiated || room < leastFound) {
		link = m.linkWords(false)
	}
	x = g.Put(x, 0, m.serverWords(max(0, room-safe.Width(link)-2)), st.Strong) + 2
	g.Sub(0, 0, g.W()-rightWidth-1, 1).Put(x, 0, link, st.Muted)
	x = g.W() - rightWidth - 1
	for _, p := range right {
		x = p.Draw1(g, x)
	}
}

// serverMost is more than what serverWords are ever wide.
const serverMost = 120

// serverWords are, in at most width columns, what the server says that it is, in
// quotes, and the state of the connection while it does not stand.
func (m *Model) serverWords(width int) safe.Text {
	s := &m.snap.status
	name := s.Server.Name
	if s.Server.Title != "" {
		name = s.Server.Title
	}
	self := safe.Cut(safe.LineN(name, 200), 40)
	if self != "" && s.Server.Version != "" {
		self = wording.Join(self, safe.Cut(safe.LineN(s.Server.Version, 60), 20))
	}
	if s.Phase == session.Ready && self != "" {
		return safe.QuotedCut(string(self), width)
	}
	phase := safe.Text(s.Phase.String())
	if m.opts.ASCII {
		phase = asciiDots(phase)
	}
	const least = 8 // columns that say something of a name
	if room := width - safe.Width(" · "+phase); self != "" && room >= least {
		return safe.QuotedCut(string(self), room) + " · " + phase
	}
	return safe.Cut(phase, width)
}

// leastFound is the room in which a name is cut to leave the words for how the
// revision was found in place; with less they go.
const leastFound = 40

// linkWords are the transport, the revision and how it was found; before that is
// known, how it is looked for.
func (m *Model) linkWords(long bool) safe.Text {
	s := &m.snap.status
	t := safe.Text(s.Transport.String())
	if s.SSE {
		t += "+sse"
	}
	switch {
	case s.StartAgain:
		return t + " · " + againWords(s)
	case s.Revision == "":
		if awaited := m.awaitedWords(long); awaited != "" {
			t += " · " + awaited
		}
		return t
	case long || s.Found == negotiate.Pinned:
		return t + " · " + safe.Line(string(s.Revision)) + " " + foundWords(s)
	}
	return t + " · " + safe.Line(string(s.Revision))
}

// awaitedWords are what a connection that is being made waits for; empty: what
// every one does.
func (m *Model) awaitedWords(long bool) safe.Text {
	s := &m.snap.status
	left := safe.Text("")
	if !s.AwaitsUntil.IsZero() {
		left = ", " + wording.Duration(s.AwaitsUntil.Sub(m.snap.now)) + " left"
	}
	before := safe.Text("")
	if s.StartedAgain && long {
		before = startedAgain(s) + ", "
	}
	switch s.Awaits {
	case negotiate.ForDiscover:
		if s.BegunWith == negotiate.AsUsual {
			return "probing" + left
		}
		return before + "awaiting server/discover" + left
	case negotiate.ForEither:
		waited := ", " + wording.Duration(m.snap.now.Sub(s.Started))
		if !long {
			return "no answer yet" + waited
		}
		return "awaiting server/discover or initialize" + waited
	case negotiate.ForDiscoverToo:
		if !long {
			return "awaiting server/discover" + left
		}
		return "initialize answered, server/discover not" + left
	case negotiate.ForInitializeToo:
		if !long {
			return "awaiting initialize" + left
		}
		return "server/discover answered, initialize not" + left
	case negotiate.ForInitialize:
		switch {
		case s.StartedAgain:
			return before + "awaiting initialize"
		case s.Found == negotiate.Fallback:
			return "falling back to initialize"
		}
	case negotiate.Nothing:
	}
	return ""
}

// againWords say how a server is begun with once more.
func againWords(s *session.Status) safe.Text {
	again := safe.Text("starting it again")
	if s.Transport == mcp.HTTP {
		again = "connecting again"
	}
	if s.BeginsWith == negotiate.WithDiscover {
		return again + " with server/discover"
	}
	return again + " with initialize"
}

func startedAgain(s *session.Status) safe.Text {
	if s.Transport == mcp.HTTP {
		return "connected again"
	}
	return "started again"
}

// foundWords say how the revision was found, and what that took: a server that was
// started again for it, or what an earlier connection of the run has shown.
func foundWords(s *session.Status) safe.Text {
	t := safe.Text(s.Found.String())
	switch {
	case s.StartedAgain:
		return t + ", " + startedAgain(s)
	case s.BegunWith == negotiate.WithDiscover:
		return t + ", remembered"
	}
	return t
}

// headerRight is what is going on. What is wrong is counted where there is room,
// and told at length: the detail, the wire and i say it, too.
func (m *Model) headerRight(long bool) []segment {
	st, s := m.styles, &m.snap.status
	var p []segment
	add := func(t safe.Text, style canvas.Style) {
		if len(p) > 0 {
			p = append(p, segment{" · ", st.Faint})
		}
		p = append(p, segment{t, style})
	}
	if s.Diags > 0 && long {
		add(wording.Count(s.Diags, "diagnostic"), st.Muted)
		if m.hintsNewPrompt() {
			add("i", st.KeyName)
		}
	}
	if n := len(m.opts.Minds); n > 0 {
		add(wording.Count(n, "warning"), st.Bad)
		if long {
			add("i", st.KeyName)
		}
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
	if s.InFlight > 0 {
		add(wording.Thousands(s.InFlight)+" in flight", st.Info)
	}
	if s.Waiting > 0 {
		add(asksWords(s.Waiting), st.Warn)
	}
	var shown *ask
	if p, ok := m.panel(); ok {
		shown = p.ask
	}
	withdrawn, lost := m.prompts.keptCount(shown)
	if withdrawn > 0 {
		add(wording.Thousands(withdrawn)+" withdrawn", st.Stop)
	}
	if lost > 0 {
		add(wording.Count(lost, "question")+" lost", st.Stop)
	}
	waits := m.snap.login.waits()
	switch {
	case waits && m.login.none:
		add("a login is open", st.Warn)
	case waits:
		add("waiting for login", st.Warn)
	}
	if (waits || s.Waiting+withdrawn+lost > 0) && m.hintsNewPrompt() {
		add("!", st.KeyName)
	}
	if m.prompts.canned.on {
		add("AUTO sampling", st.Bad)
	}
	return p
}

// asksWords counts the questions that wait: "1 asks you", "2 ask you".
func asksWords(n int) safe.Text {
	if n == 1 {
		return "1 asks you"
	}
	return wording.Thousands(n) + " ask you"
}

// segment is a text with its style.
type segment struct {
	Text  safe.Text
	Style canvas.Style
}

// Draw1 draws the piece in the first row and returns the column behind it.
func (p segment) Draw1(g canvas.Region, x int) int { return g.Put(x, 0, p.Text, p.Style) }
