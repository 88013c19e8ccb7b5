package report

import (
	"cmp"
	"slices"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

// Source gives a function the session, under its lock. The function reads and returns
// soon.
type Source func(func(*session.Session))

// About is what a session does not know.
type About struct {
	Mask     *secret.Mask // hides what is secret; nil: only what looks like a secret is hidden
	Version  string       // of the belay that writes the report
	Unmasked bool         // the session is that of a recording which keeps secrets

	Recording Recording // what is wrong with it
}

const (
	// CallsMost bounds the calls of a report.
	CallsMost = 100
	// page is how many rows or messages are looked at before others have a turn at the
	// session.
	page = 1000
	// nameMost bounds a name, in characters, and textMost a text.
	nameMost, textMost = 200, 600
)

// Take makes a report of calls. It takes a moment at a time of the session, and some
// milliseconds in all for each call: it is not to be called between two keys. A call
// that is not kept is left out, as are those beyond [CallsMost].
func Take(view Source, calls []session.CallID, a About) Report {
	m := masker{a.Mask}
	if m.mask == nil {
		m.mask = secret.NewMask("")
	}
	var r Report
	var last session.Epoch
	var over mcp.Transport
	view(func(s *session.Session) {
		st, cfg := s.Status(), s.Config()
		last, over = st.Epoch, st.Transport
		r.Environment = environment(&st, &cfg, a, m)
	})
	for i, id := range calls {
		if len(r.Calls) == CallsMost {
			r.Left = len(calls) - i
			break
		}
		var d session.Detail
		var ok bool
		view(func(s *session.Session) { d, ok = s.Detail(id) })
		if !ok {
			continue
		}
		entries := messages(view, id, &d)
		d = m.detail(d)
		if d.Processes != nil {
			d.Processes.Follows = false // when the report is read, nobody looks any more
		}
		c := callOf(&d)
		c.Earlier, c.Unseen = d.Epoch != last, unseenWords(&c, over)
		c.Wire = excerpt(entries, &d, m)
		r.Calls = append(r.Calls, c)
	}
	return r
}

func environment(st *session.Status, cfg *session.Config, a About, m masker) Environment {
	e := Environment{
		Server: Server{
			Name: m.name(st.Server.Name), Title: m.name(st.Server.Title), Version: m.name(st.Server.Version),
		},
		Transport: safe.Text(st.Transport.String()), Revision: st.Revision,
		Belay: safe.LineN(cfg.ClientVersion, nameMost), Platform: safe.LineN(cfg.Platform, nameMost),
		Grace: cfg.Grace, Bound: st.Bound, Unmasked: a.Unmasked, Notes: a.Recording.Notes(),
	}
	if st.SSE {
		e.Transport += "+sse"
	}
	if a.Version != cfg.ClientVersion {
		e.Writer = safe.LineN(a.Version, nameMost)
	}
	return e
}

// callOf tells of a call whose secrets are hidden, without its messages.
func callOf(d *session.Detail) Call {
	c := Call{
		ID: safe.LineN(d.Wire.String(), nameMost), Method: safe.LineN(d.Method, nameMost), Target: safe.LineN(d.Target, nameMost),
		Epoch: int(d.Epoch), At: utc(d.Created), State: wording.StateOf(d.Row, "…").Wide, Note: safe.LineN(d.Note, textMost),
		Steps: steps(d), Cancel: cancelOf(d), Processes: processesOf(d.Processes),
	}
	if !d.Ended.IsZero() {
		c.Duration = d.Age(d.Ended)
	}
	c.Params, c.ParamsJSON = params(d.Params)
	for _, e := range d.Evidence {
		c.Evidence = append(c.Evidence, Evidence{e.At.Sub(d.Created), safe.LineN(e.Text, textMost)})
	}
	return c
}

// utc is a time of day in UTC. A recording may have times that no calendar has: those
// are told as the zero time.
func utc(t time.Time) time.Time {
	t = t.UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Time{}
	}
	return t
}

func cancelOf(d *session.Detail) *Cancel {
	if d.State != session.Cancelling && d.State != session.Cancelled || d.Initiator == 0 {
		return nil
	}
	c := &Cancel{By: safe.Line(d.Initiator.Asker()), Reason: safe.LineN(d.Reason, textMost)}
	if at := cancelledAt(d); !at.IsZero() {
		c.At = at.Sub(d.Created)
	}
	if d.State == session.Cancelled && d.Verdict != 0 {
		c.Verdict, c.Meaning, c.Rule = wording.VerdictWord(d.Row), wording.Verdict(d), ruleOf(d)
	}
	return c
}

// cancelledAt is when the call was cancelled; zero: that is not known.
func cancelledAt(d *session.Detail) time.Time {
	for i := range d.Timeline {
		if wording.Stops(d.Timeline[i].Kind) {
			return d.Timeline[i].At
		}
	}
	if len(d.Evidence) > 0 {
		return d.Evidence[0].At
	}
	return time.Time{}
}

// Stopped are the calls that were cancelled, or are being cancelled, in the order of their rows.
// Of the latter a report tells what is known by now: a recording may end, or stand, there.
func Stopped(view Source) []session.CallID {
	return find(view, func(r *session.Row) bool { return r.State == session.Cancelled || r.State == session.Cancelling })
}

// Made are the calls that somebody made with belay, and not belay by itself, which have an ID.
func Made(view Source) []session.CallID {
	return find(view, func(r *session.Row) bool {
		return r.Origin != session.FromBelay && r.Origin != session.FromHandshake && r.Wire.String() != ""
	})
}

// Find are the calls with an ID that a row shows, or shows as that of the latest request.
// The ID may begin with #.
func Find(view Source, id string) []session.CallID {
	if len(id) > 1 && id[0] == '#' {
		id = id[1:]
	}
	found := find(view, func(r *session.Row) bool { return r.Wire.String() == id })
	if len(found) == 0 {
		found = find(view, func(r *session.Row) bool { return r.Latest.String() == id })
	}
	return found
}

func find(view Source, is func(*session.Row) bool) (found []session.CallID) {
	var at session.CallID
	view(func(s *session.Session) {
		_, last := s.Span()
		at = s.RowBefore(last + 1)
	})
	for at > 0 {
		view(func(s *session.Session) {
			for n := 0; n < page && at > 0; n++ {
				if r, ok := s.Row(at); ok && is(&r) {
					found = append(found, at)
				}
				at = s.RowBefore(at)
			}
		})
	}
	slices.Reverse(found)
	return found
}

// Name is what a call is called in a sentence: "tools/call slow".
func (c *Call) Name() safe.Text { return wording.Join(c.Method, c.Target) }

// name is that of a server, and how it is to be called.
func (s Server) name() safe.Text {
	return cmp.Or(wording.Join(cmp.Or(s.Title, s.Name), s.Version), "a server that did not say who it is")
}
