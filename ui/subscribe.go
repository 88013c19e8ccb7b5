package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/compose"
	"belay/ui/panel"
	"belay/ui/row"
)

// subscribe makes a row that hears of a resource, in the way of the revision.
func (m *Model) subscribe(uri string) tea.Cmd {
	if uri == "" || strings.ContainsAny(uri, " \t") {
		return m.status.Say(panel.Refused("type :subscribe URI, for example :subscribe file:///notes.txt"))
	}
	return m.subscribeTo(mcp.Filter{URIs: []string{uri}})
}

func (m *Model) subscribeTo(f mcp.Filter) tea.Cmd {
	if why := compose.WhyNot(m.snap.status.CheckSubscribe(f)); why != "" {
		return m.status.Say(panel.Refused(safe.Line(why)))
	}
	return m.make(session.Subscribe{Filter: f, Idle: m.input.idle, Max: m.input.max}, nil, nil)
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
		if _, err = m.backend.Do(session.Cancel{Call: id}); err == nil {
			ended++
		}
	}
	switch {
	case err != nil:
		return m.status.Say(panel.Error(err))
	case ended == 0:
		return m.status.Say(panel.Refused("no row subscribes to " + safe.QuotedCut(uri, 60)))
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
			return m.status.Say(panel.Refused(safe.QuotedCut(word, 30) + " is neither tools, prompts, resources nor a URI"))
		}
	}
	if arg == "" {
		if f = m.snap.status.Server.Has.Changes(); len(f.Words()) == 0 {
			return m.status.Say(panel.Refused("the server declares no list that changes; name what to ask for all the same: :listen tools"))
		}
	}
	return m.subscribeTo(f)
}

// followSubscription says how the agreed subscription differs from the requested
// one, and nothing where they agree or for another call.
func (m *Model) followSubscription(id session.CallID) tea.Cmd {
	var r session.Row
	m.backend.View(func(s *session.Session) { r, _ = s.Row(id) })
	if !r.Sub.Is {
		return nil
	}
	return m.status.Say(panel.Said("subscribing: " + row.Name(r)).While(func(s *session.Session) (safe.Text, bool) {
		r, ok := s.Row(id)
		switch {
		case !ok, r.Sub.Active && r.Note == "" && r.IsInFlight():
			return "", true
		case r.IsInFlight() && !r.Sub.Active && !r.Sub.Unreadable:
			return "", false
		}
		return m.outcomeOf(s, r), true
	}))
}

// noticeSubsEnded tells that a subscription has ended that nobody here ended.
func (m *Model) noticeSubsEnded() tea.Cmd {
	st := m.snap.status
	n := st.SubsEnded - m.subs
	if m.subs = st.SubsEnded; n <= 0 {
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
	return m.status.Say(panel.Refused(text))
}

// outcomeOf is what became of a subscription, in the words of the server where it
// has some.
func (m *Model) outcomeOf(s *session.Session, r session.Row) safe.Text {
	name := "#" + safe.Line(r.Wire.String())
	d, _ := s.Detail(r.ID)
	switch {
	case d.Err != nil:
		return wording.Join(name+" "+m.words().State(r).Wide+" · "+wording.ErrorCode(d.Err), wording.ErrorMessage(d.Err, 200))
	case r.Sub.ByServer && r.Note != "":
		return name + " " + m.words().Note(r)
	}
	return wording.Join(name+" "+m.words().State(r).Wide, m.words().TrailingNote(r))
}
