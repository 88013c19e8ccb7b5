package ui

import (
	"slices"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/row"
	"belay/ui/timeline"
	"belay/ui/write"
)

// callDoc writes the tab of the call that is shown.
func (m *Model) callDoc(d *write.Writer) {
	switch m.detail.tab() {
	case tabCall, tabAuto, tabEnd:
		m.callTab(d)
	case tabResult:
		m.resultTab(d)
	case tabTimeline:
		s := m.words().State(m.detail.d.Row)
		timeline.Write(d.Doc, &m.detail.d, doc.Span{Text: s.Text(true), Style: s.Style.Bold()}, m.looks())
	case tabWire:
		m.wireTab(d)
	}
}

// callTab is what was asked for.
func (m *Model) callTab(d *write.Writer) {
	c := &m.detail.d
	st := d.Styles
	d.Field("method", wording.NameIn(c.Method, 200), st.Text)
	if c.Target != "" {
		d.Field("target", wording.NameIn(c.Target, 400), st.Text)
	}
	d.Field("request", m.detail.requestWords(), st.Text)
	d.Field("made", wording.Clock(c.Created), st.Text)
	d.Field("timeouts", wording.Limit(c.Idle)+" of silence · "+wording.Limit(c.Max)+" in all", st.Text)
	if t := rulesWords(c.Rules); t != "" {
		d.Field("rules", t, st.Text)
	}
	if c.Cache != nil {
		d.Field("fresh", freshWords(c.Cache), st.Text)
	}
	m.progressField(d)
	m.subscriptionFields(d)
	if n := row.Note(c.Row); n != "" {
		d.Field("note", n, st.Warn)
	}
	if c.Reason != "" {
		d.Field("reason", safe.Quoted(c.Reason), st.Stop)
	}
	m.roundFields(d)
	m.promptsOf(d)
	d.Heading("params")
	if len(c.Params) == 0 {
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
		return
	}
	d.JSON(c.Params)
}

// silentAfter is how long a call runs before it is said that it reports nothing:
// a server need not report progress at all (PRG-08).
const silentAfter = time.Minute

func (m *Model) silent() bool {
	c := &m.detail.d
	return c.State == session.Running && !c.Standing() && c.Progress.Count == 0 && !c.Sent.IsZero() && m.snap.now.Sub(c.Sent) >= silentAfter
}

func (m *Model) progressField(d *write.Writer) {
	p := m.detail.d.Progress
	if p.Count == 0 && p.Refused == 0 {
		if m.silent() {
			d.Field("progress", "no progress reported", d.Styles.Muted)
		}
		return
	}
	t := wording.Join(row.Progress(p), "· "+wording.Count(p.Count, "notice"))
	if p.HasTotal {
		t = wording.Number(p.Value) + "/" + wording.Number(p.Total) + " · " + t
	}
	if p.Refused > 0 {
		t += " · " + wording.Thousands(p.Refused) + " refused"
	}
	d.Field("progress", t, d.Styles.Text)
	if p.Message != "" {
		d.Field("", safe.QuotedCut(p.Message, 300), d.Styles.Text)
	}
}

// promptsOf tells which prompts wait for the sake of this call.
func (m *Model) promptsOf(d *write.Writer) {
	for _, v := range m.snap.waiting() {
		if !slices.Contains(m.detail.asks, v.ID) {
			continue
		}
		t := wording.NameIn(v.Method, 60) + " · ! shows it"
		if v.Owners > 1 {
			t = wording.NameIn(v.Method, 60) + ", from one of " + wording.Thousands(v.Owners) + " calls · ! shows it"
		}
		d.Field("asks you", t, d.Styles.Warn)
	}
}

func originWords(o session.Origin) safe.Text {
	switch o {
	case session.FromHandshake:
		return " · the handshake"
	case session.FromBelay:
		return " · made by belay itself"
	case session.FromUser:
	}
	return ""
}

// writer writes into a document in the looks of the screen.
func (m *Model) writer(d *doc.Doc) *write.Writer { return write.To(d, m.looks(), m.printed) }
