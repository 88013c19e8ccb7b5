package ui

import (
	"slices"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/timeline"
)

const (
	// docLines bounds a document in lines, docBytes what is read to make one.
	docLines = 5_000
	docBytes = 512 << 10
)

// callDoc writes the tab of the call that is shown.
func (m *Model) callDoc(d *doc.Doc) {
	switch m.detail.tab() {
	case tabCall, tabAuto, tabEnd:
		m.callTab(d)
	case tabResult:
		m.resultTab(d)
	case tabTimeline:
		s := m.stateOf(m.detail.d.Row)
		timeline.Write(d, &m.detail.d, doc.Span{Text: s.text(true), Style: s.style.Bold()}, m.looks())
	case tabWire:
		m.wireTab(d)
	}
}

// field is one line "label  value" of a document.
func (m *Model) field(d *doc.Doc, label, value safe.Text, style canvas.Style) {
	const w = 11
	d.Add(w, doc.Span{Text: safe.Pad(label, w), Style: m.styles.Muted}, doc.Span{Text: value, Style: style})
}

func (m *Model) heading(d *doc.Doc, text safe.Text) {
	if n := len(d.Lines); n > 0 && len(d.Lines[n-1]) > 0 {
		d.Blank()
	}
	d.Add(0, doc.Span{Text: text, Style: m.styles.TitleOn})
}

// printed are the lines of long JSON that was shown lately, so that a call
// whose progress changes sixty times a second does not print its arguments
// anew each time.
type printed map[printedKey]*doc.Doc

// printedKey is where the JSON lies: what the core hands out never changes.
type printedKey struct {
	at       *byte
	n, width int
}

const (
	printedMost = 8
	printedFrom = 2 << 10 // bytes that are worth remembering
)

// json appends raw as indented JSON, as far as it is read.
func (m *Model) json(d *doc.Doc, raw []byte) {
	raw = raw[:d.Read(min(len(raw), docBytes))]
	st := m.styles
	styles := doc.JSONStyles{
		Key: st.JSONKey, String: st.JSONString, Number: st.JSONNumber, Literal: st.JSONLiteral, Punct: st.JSONPunct,
	}
	if len(raw) < printedFrom {
		d.JSON(raw, styles)
		return
	}
	key := printedKey{&raw[0], len(raw), d.Width()}
	part, ok := m.printed[key]
	if !ok {
		part = doc.New(d.Width(), docLines)
		part.JSON(raw, styles)
		if len(m.printed) >= printedMost {
			clear(m.printed)
		}
		m.printed[key] = part
	}
	d.Append(part)
}

// callTab is what was asked for.
func (m *Model) callTab(d *doc.Doc) {
	c := &m.detail.d
	st := m.styles
	m.field(d, "method", wording.NameIn(c.Method, 200), st.Text)
	if c.Target != "" {
		m.field(d, "target", wording.NameIn(c.Target, 400), st.Text)
	}
	m.field(d, "request", m.detail.requestWords(), st.Text)
	m.field(d, "made", wording.Clock(c.Created), st.Text)
	m.field(d, "timeouts", limitWords(c.Idle)+" of silence · "+limitWords(c.Max)+" in all", st.Text)
	if t := rulesWords(c.Rules); t != "" {
		m.field(d, "rules", t, st.Text)
	}
	if c.Cache != nil {
		m.field(d, "fresh", freshWords(c.Cache), st.Text)
	}
	m.progressField(d)
	m.subscriptionFields(d)
	if n := noted(c.Row); n != "" {
		m.field(d, "note", n, st.Warn)
	}
	if c.Reason != "" {
		m.field(d, "reason", safe.Quoted(c.Reason), st.Stop)
	}
	m.roundFields(d)
	m.promptsOf(d)
	m.heading(d, "params")
	if len(c.Params) == 0 {
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
		return
	}
	m.json(d, c.Params)
}

// silentAfter is how long a call runs before it is said that it reports nothing:
// a server need not report progress at all (PRG-08).
const silentAfter = time.Minute

func (m *Model) silent() bool {
	c := &m.detail.d
	return c.State == session.Running && !c.Standing() && c.Progress.Count == 0 && !c.Sent.IsZero() && m.snap.now.Sub(c.Sent) >= silentAfter
}

func (m *Model) progressField(d *doc.Doc) {
	p := m.detail.d.Progress
	if p.Count == 0 && p.Refused == 0 {
		if m.silent() {
			m.field(d, "progress", "no progress reported", m.styles.Muted)
		}
		return
	}
	t := wording.Join(progressWord(p), "· "+wording.Count(p.Count, "notice"))
	if p.HasTotal {
		t = wording.Number(p.Value) + "/" + wording.Number(p.Total) + " · " + t
	}
	if p.Refused > 0 {
		t += " · " + wording.Thousands(p.Refused) + " refused"
	}
	m.field(d, "progress", t, m.styles.Text)
	if p.Message != "" {
		m.field(d, "", safe.QuotedCut(p.Message, 300), m.styles.Text)
	}
}

// promptsOf tells which prompts wait for the sake of this call.
func (m *Model) promptsOf(d *doc.Doc) {
	for _, v := range m.snap.waiting() {
		if !slices.Contains(m.detail.asks, v.ID) {
			continue
		}
		t := wording.NameIn(v.Method, 60) + " · ! shows it"
		if v.Owners > 1 {
			t = wording.NameIn(v.Method, 60) + ", from one of " + wording.Thousands(v.Owners) + " calls · ! shows it"
		}
		m.field(d, "asks you", t, m.styles.Warn)
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
