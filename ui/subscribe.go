package ui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
)

// noSubscribing is why no resource can be subscribed to.
func noSubscribing(m *Model) string {
	return whyNot(m.snap.status.CanSubscribe(mcp.Filter{URIs: []string{"x:"}}))
}

// noListening is why there is no subscription to changes of lists.
func noListening(m *Model) string {
	return whyNot(m.snap.status.CanSubscribe(mcp.Filter{Tools: true}))
}

// whyNot says why something is refused, and what to do instead.
func whyNot(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, session.ErrUndeclared):
		return string(errorWords(err)) + "; :send can ask it anyway"
	case errors.Is(err, session.ErrNotSupported):
		return string(errorWords(err)) + "; :subscribe URI is for resources"
	}
	return string(errorWords(err))
}

func noResourceChosen(m *Model) string {
	p, ok := m.modal().(*picker)
	if !ok {
		return "nothing is chosen"
	}
	if it, ok := p.chosen(); !ok || it.Kind != mcp.Resources {
		return "only a resource can be subscribed to"
	}
	return noSubscribing(m)
}

// subscribe makes a row that hears of a resource, in the way of the revision.
func (m *Model) subscribe(uri string) tea.Cmd {
	if uri == "" || strings.ContainsAny(uri, " \t") {
		return m.say("type :subscribe URI, for example :subscribe file:///notes.txt", refused)
	}
	return m.subscribeTo(mcp.Filter{URIs: []string{uri}})
}

func (m *Model) subscribeTo(f mcp.Filter) tea.Cmd {
	if why := whyNot(m.snap.status.CanSubscribe(f)); why != "" {
		return m.say(safe.Line(why), refused)
	}
	return m.made(session.Subscribe{Filter: f, Idle: m.input.idle, Max: m.input.max})
}

func (p *picker) subscribe(m *Model) tea.Cmd {
	it, _ := p.chosen()
	m.pop(p)
	return m.subscribe(it.URI)
}

// unsubscribe ends the rows that stand for one resource and nothing else.
func (m *Model) unsubscribe(uri string) tea.Cmd {
	var rows []session.CallID
	m.backend.View(func(s *session.Session) {
		for _, r := range s.InFlight(nil, s.Status().InFlight+s.Status().Subscriptions) {
			d, ok := s.Detail(r.ID)
			if ok && r.Sub.Is && r.State != session.Cancelling && slices.Equal(d.Asked.Words(), []string{uri}) {
				rows = append(rows, r.ID)
			}
		}
		if id, ok := s.ResidualOf(uri); ok && len(rows) == 0 {
			rows = append(rows, id)
		}
	})
	ended := 0
	var err error
	for _, id := range rows {
		if _, err = m.backend.Do(session.Cancel{Call: id, Reason: m.opts.Reason}); err == nil {
			ended++
		}
	}
	switch {
	case err != nil:
		return m.sayError(err)
	case ended == 0:
		return m.say("no row subscribes to "+safe.QuotedCut(uri, 60), refused)
	}
	return nil
}

// listen makes a further subscription of the modern era.
func (m *Model) listen(arg string) tea.Cmd {
	var f mcp.Filter
	for _, word := range strings.Fields(arg) {
		switch {
		case word == "tools":
			f.Tools = true
		case word == "prompts":
			f.Prompts = true
		case word == "resources":
			f.Resources = true
		case strings.Contains(word, ":"):
			f.URIs = append(f.URIs, word)
		default:
			return m.say(safe.QuotedCut(word, 30)+" is neither tools, prompts, resources nor a URI", refused)
		}
	}
	if arg == "" {
		if f = m.snap.status.Server.Has.Changes(); len(f.Words()) == 0 {
			return m.say("the server declares no list that changes; name what to ask for all the same: :listen tools", refused)
		}
	}
	return m.subscribeTo(f)
}

// standingText is the state of a subscription: it does not spin, as nothing is
// awaited, and counts what came.
func (m *Model) standingText(r session.Row) stateText {
	t := stateText{glyph: m.glyphs.Live, wide: "subscribing" + m.glyphs.Dots, narrow: "subscribing", style: m.styles.Info}
	switch u := r.Sub; {
	case !u.AgainAt.IsZero():
		return stateText{glyph: m.glyphs.Lost, wide: "broke off · begins again" + m.glyphs.Dots, narrow: "broke off", style: m.styles.Warn}
	case u.Unheard:
		t.wide, t.narrow, t.style = "subscribed · its stream is away", "stream away", m.styles.Warn
	case u.Garbled:
		t.wide, t.narrow, t.style = "acknowledgement unreadable", "ack unreadable", m.styles.Warn
	case !u.Active:
	case u.Agreed == 0:
		t.wide, t.narrow, t.style = "subscribed to nothing", "subscribed to nothing", m.styles.Warn
	case u.Agreed < u.Asked:
		t.wide, t.narrow = "subscribed in part", "subscribed in part"
	default:
		t.wide, t.narrow = "subscribed", "subscribed"
	}
	if r.Sub.Updates > 0 {
		t.wide = wording.Join(t.wide, "· "+wording.Count(r.Sub.Updates, "update"))
		t.narrow = wording.Join(t.narrow, wording.Thousands(r.Sub.Updates))
	}
	return t
}

// endedText is the state of a subscription that ended otherwise than by a
// cancel: the server ended it, at once where it agreed to nothing of it, or the
// user left.
func (m *Model) endedText(u session.SubscriptionView) stateText {
	t := stateText{glyph: m.glyphs.Lost, wide: "ended by the server", narrow: "ended", style: m.styles.Warn}
	switch {
	case !u.ByServer:
		t.glyph, t.wide, t.style = m.glyphs.Done, "ended", m.styles.Muted
	case u.Active && u.Agreed == 0:
		t.wide, t.narrow = "ended · agreed to nothing", "agreed to nothing"
	}
	return t
}

// followSubscription says how the agreed subscription differs from the requested
// one, and nothing where they agree or for another call.
func (m *Model) followSubscription(id session.CallID) tea.Cmd {
	var row session.Row
	m.backend.View(func(s *session.Session) { row, _ = s.Row(id) })
	if !row.Sub.Is {
		return nil
	}
	return m.sayUntil("subscribing: "+callName(row), func(s *session.Session) (safe.Text, bool) {
		r, ok := s.Row(id)
		switch {
		case !ok, r.Sub.Active && r.Note == "" && r.InFlight():
			return "", true
		case r.InFlight() && !r.Sub.Active && !r.Sub.Garbled:
			return "", false
		}
		return m.outcomeOf(s, r), true
	})
}

// noticeSubsEnded tells that a subscription has ended that nobody here ended.
func (m *Model) noticeSubsEnded() tea.Cmd {
	st := &m.snap.status
	n := st.SubsEnded - m.prompts.subs
	if m.prompts.subs = st.SubsEnded; n <= 0 {
		return nil
	}
	var text safe.Text
	m.backend.View(func(s *session.Session) {
		if r, ok := s.Row(st.LastSub); ok {
			text = m.outcomeOf(s, r)
		}
	})
	if n > 1 {
		text = wording.Join(wording.Count(n, "subscription")+" ended; the last:", text)
	}
	return m.say(text, refused)
}

// outcomeOf is what became of a subscription, in the words of the server where it
// has some.
func (m *Model) outcomeOf(s *session.Session, r session.Row) safe.Text {
	name := "#" + safe.Line(r.Wire.String())
	d, _ := s.Detail(r.ID)
	switch {
	case d.Err != nil:
		return wording.Join(name+" "+m.stateOf(r).wide+" · "+wording.ErrorCode(d.Err), wording.ErrorMessage(d.Err, 200))
	case r.Sub.ByServer && r.Note != "":
		return name + " " + noted(r)
	}
	return wording.Join(name+" "+m.stateOf(r).wide, noteOf(r))
}

func noteOf(r session.Row) safe.Text {
	if n := noted(r); n != "" {
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

// subscriptionFields tell what a subscription asks for, what the server agreed
// to, and what came.
func (m *Model) subscriptionFields(d *doc.Doc) {
	c, st := &m.detail.d, m.styles
	if !c.Sub.Is {
		return
	}
	agreed := c.Agreed.Words()
	name := safe.Text("hears of")
	for _, word := range c.Asked.Words() {
		text, style := wording.NameIn(word, 200), st.Text
		switch {
		case !c.Sub.Active:
		case slices.Contains(agreed, word):
			text = m.glyphs.Done + " " + text
		default:
			text, style = m.glyphs.Failed+" "+text+" · not agreed to", st.Warn
		}
		m.field(d, name, text, style)
		name = ""
	}
	if c.Sub.Updates > 0 {
		m.field(d, "updates", wording.Thousands(c.Sub.Updates)+" · the last at "+wording.Clock(c.Sub.Last), st.Text)
	}
	if c.State.Terminal() && c.Initiator == 0 && !c.Sub.Carried && (c.Sub.ByServer || c.State == session.Lost) {
		m.field(d, "", "r begins it again; belay does not", st.Muted)
	}
}
