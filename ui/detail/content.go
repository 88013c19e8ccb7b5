package detail

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/row"
	"belay/ui/timeline"
	"belay/ui/wire"
	"belay/ui/write"
)

// content is what the document of a call is written from. Nothing of it changes: the
// rest of a long document is written beside the screen.
type content struct {
	call    session.Detail
	tab     Tab
	entries []session.Entry
	asks    []session.PromptID   // the prompts that may be for its sake
	prompts []session.PromptView // all of them
	reading reading
	words   row.Words
	status  *session.Status
	view    func(f func(*session.Session))
	line    func(e *session.Entry) wire.Line
}

// waiting are the prompts that wait for the user, oldest first.
func (c *content) waiting() []session.PromptView {
	var w []session.PromptView
	for _, p := range c.prompts {
		if p.State == session.Waiting {
			w = append(w, p)
		}
	}
	return w
}

// parts are what a result consists of, and false while it is being read.
func (c *content) parts(raw []byte) (mcp.ResultParts, bool) { return c.reading.of(raw) }

// write writes the tab of the call that is shown.
func (c *content) write(d *write.Writer) {
	switch c.tab {
	case tabCall, tabAuto, tabEnd:
		c.callTab(d)
	case tabResult:
		c.resultTab(d)
	case tabTimeline:
		s := c.words.State(c.call.Row)
		timeline.Write(d.Doc, &c.call, doc.Span{Text: s.Text(true), Style: s.Style.Bold()}, d.Looks)
	case tabWire:
		c.wireTab(d)
	}
}

// callTab is what was asked for.
func (c *content) callTab(d *write.Writer) {
	call := &c.call
	st := d.Styles
	d.Field("method", wording.NameIn(call.Method, 200), st.Text)
	if call.Target != "" {
		d.Field("target", wording.NameIn(call.Target, 400), st.Text)
	}
	d.Field("request", c.requestWords(), st.Text)
	d.Field("made", wording.Clock(call.Created), st.Text)
	d.Field("timeouts", wording.Limit(call.Idle)+" of silence · "+wording.Limit(call.Max)+" in all", st.Text)
	if t := rulesWords(call.Rules); t != "" {
		d.Field("rules", t, st.Text)
	}
	if call.Cache != nil {
		d.Field("fresh", freshWords(call.Cache), st.Text)
	}
	c.progressField(d)
	c.subscriptionFields(d)
	if n := row.Note(call.Row); n != "" {
		d.Field("note", n, st.Warn)
	}
	if call.Reason != "" {
		d.Field("reason", safe.Quoted(call.Reason), st.Stop)
	}
	c.roundFields(d)
	c.promptsOf(d)
	d.Heading("params")
	if len(call.Params) == 0 {
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
		return
	}
	d.JSON(call.Params)
}

// silentAfter is how long a call runs before it is said that it reports nothing:
// a server need not report progress at all (PRG-08).
const silentAfter = time.Minute

func (c *content) silent() bool {
	call := &c.call
	return call.State == session.Running && !call.Standing() && call.Progress.Count == 0 && !call.Sent.IsZero() && c.words.Now.Sub(call.Sent) >= silentAfter
}

func (c *content) progressField(d *write.Writer) {
	p := c.call.Progress
	if p.Count == 0 && p.Refused == 0 {
		if c.silent() {
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
func (c *content) promptsOf(d *write.Writer) {
	for _, v := range c.waiting() {
		if !slices.Contains(c.asks, v.ID) {
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

// The wire tab shows the first and the last messages of a call, and of each of them
// so many lines and bytes.
const (
	wireTabHead  = 20
	wireTabTail  = 180
	wireTabLines = 60
	wireTabBytes = 16 << 10
)

// wireTab is every message of the call as it was on the wire.
func (c *content) wireTab(d *write.Writer) {
	all := c.entries
	if len(all) == 0 {
		d.Add(0, doc.Span{Text: "no message of it is kept", Style: d.Styles.Muted})
		return
	}
	for i := range all {
		if skip := len(all) - wireTabHead - wireTabTail; skip > 0 && i >= wireTabHead && i < wireTabHead+skip {
			if i == wireTabHead {
				d.Add(0, doc.Span{Text: d.Glyphs.Other + " " + wording.Count(skip, "message") + " in between · the wire pane has them", Style: d.Styles.Muted})
			}
			continue
		}
		c.entryDoc(d, &all[i])
	}
}

func (c *content) entryDoc(d *write.Writer, e *session.Entry) {
	l := c.line(e)
	d.Add(2,
		doc.Span{Text: wording.Clock(e.At) + " ", Style: d.Styles.Muted},
		doc.Span{Text: l.Arrow + " " + l.Method + " ", Style: l.MarkStyle},
		doc.Span{Text: wording.Join(l.Mark, wording.Size(e.Size)), Style: d.Styles.Muted},
	)
	switch {
	case e.Gone:
		d.Add(2, doc.Span{Text: "  its bytes are no longer kept", Style: d.Styles.Muted})
	case e.Kind == session.EntNotification && e.Flags&session.FlagCancel == 0:
		d.Add(2, doc.Span{Text: "  " + safe.Cut(safe.BytesN(e.Raw, d.Width()), d.Width()-2), Style: d.Styles.Text})
	default:
		part := d.Part(wireTabLines)
		part.JSON(e.Raw[:min(len(e.Raw), wireTabBytes)])
		for _, l := range part.Lines {
			d.AddLine(l)
		}
		if part.Cut() || len(e.Raw) > wireTabBytes {
			d.Add(2, doc.Span{Text: "  there is more: enter in the wire pane shows it", Style: d.Styles.Muted})
		}
	}
}

// resultTab is what came back, in whichever way.
func (c *content) resultTab(d *write.Writer) {
	call := &c.call
	st := d.Styles
	switch {
	case call.Err != nil:
		c.noteLine(d)
		errorDoc(d, call.Err, safe.Line(call.ErrText))
		comparedDoc(d, call.Compared)
	case call.Late != nil:
		c.lateDoc(d, call.Late)
	case call.State == session.Cancelled:
		d.Add(0, doc.Span{Text: "none: the call was cancelled here", Style: st.Stop})
		d.Add(0, doc.Span{Text: "the timeline says what the server did about it", Style: st.Muted})
	case call.Dropped > 0:
		d.Add(0, doc.Span{Text: "the result (" + wording.Size(call.Dropped) + ") is no longer kept", Style: st.Warn})
	case call.Result != nil:
		c.noteLine(d)
		c.judgementDoc(d)
		c.valueDoc(d, call.Result)
	case call.InFlight():
		d.Add(0, doc.Span{Text: "none yet", Style: st.Muted})
		comparedDoc(d, call.Compared)
	case row.Note(call.Row) != "":
		c.noteLine(d)
	default:
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
	}
}

func (c *content) noteLine(d *write.Writer) {
	if n := row.Note(c.call.Row); n != "" {
		d.Add(0, doc.Span{Text: n, Style: d.Styles.Warn})
		d.Blank()
	}
}

// lateDoc shows an answer that came after the cancel. It is no outcome.
func (c *content) lateDoc(d *write.Writer, l *session.LateAnswer) {
	what := safe.Text("this result")
	switch {
	case l.Status != 0:
		what = wording.Join("HTTP", safe.Text(strconv.Itoa(l.Status)))
	case l.Err != nil:
		what = "this error"
	case l.ToolError:
		what = "this tool error"
	case l.Malformed:
		what = "this answer, which is malformed,"
	}
	when := " came " + wording.Precise(l.After) + " after the cancel"
	if l.After == 0 {
		when = " began before the cancel had left"
	}
	d.Add(0, doc.Span{Text: "ignored: " + what + when, Style: d.Styles.Stop})
	d.Blank()
	switch {
	case l.Status != 0: // the evidence tells of what came with it
	case l.Err != nil:
		errorDoc(d, l.Err, "")
	case l.Result != nil:
		c.valueDoc(d, l.Result)
	case l.Malformed:
		d.Add(0, doc.Span{Text: "it holds neither a result nor an error, or both of them: the wire shows it", Style: d.Styles.Muted})
	default:
		d.Add(0, doc.Span{Text: "its bytes are no longer kept", Style: d.Styles.Muted})
	}
}

// messageMost is how many bytes of the message of an error are shown.
const messageMost = 64 << 10

func errorDoc(d *write.Writer, e *mcp.RPCError, meaning safe.Text) {
	st := d.Styles
	d.Field("error", wording.ErrorCode(e), st.Bad)
	if meaning != "" {
		d.Field("meaning", meaning, st.Text)
	}
	text := e.Message
	if n := d.Read(min(len(text), messageMost)); n < len(text) {
		text = strings.ToValidUTF8(text[:n], "")
	}
	message := safe.Quoted(text)
	if e.Bare {
		message = safe.Line(text)
	}
	d.Field("message", message, st.Text)
	if len(e.Message) > messageMost {
		d.Field("", wording.Size(len(e.Message))+" in all: o saves all of it", st.Warn)
	}
	if len(e.Data) > 0 {
		if len(e.Data) > write.MaxBytes {
			d.Heading("data · " + wording.Size(len(e.Data)) + ", of which the beginning is shown: o saves all of it")
		} else {
			d.Heading("data")
		}
		d.JSON(e.Data)
	}
}

// valueDoc shows a result: text as text, what is no text by its kind and size,
// and everything else as the JSON that it is. The whole message is in the wire
// tab.
func (c *content) valueDoc(d *write.Writer, raw []byte) {
	p, ok := c.parts(raw)
	switch {
	case !ok:
		d.Add(0, doc.Span{Text: "its " + wording.Size(len(raw)) + " are being read" + d.Glyphs.Dots, Style: d.Styles.Muted})
		return
	case len(p.Parts) == 0 && p.Structured == nil:
		d.JSON(raw)
		return
	}
	if p.IsError {
		d.Add(0, doc.Span{Text: "the tool says that it failed (isError)", Style: d.Styles.Bad})
		d.Blank()
	}
	for i := range p.Parts {
		if d.Cut() {
			break
		}
		if role := p.Parts[i].Role; role != "" {
			d.Add(0, doc.Span{Text: wording.NameIn(role, 40), Style: d.Styles.Accent})
		}
		partDoc(d, &p.Parts[i])
	}
	if p.More > 0 {
		d.Add(0, doc.Span{Text: "and " + wording.Thousands(p.More) + " more: o saves all of it", Style: d.Styles.Warn})
	}
	if things := len(handy(p.Parts)); things > 0 {
		d.Add(0, doc.Span{Text: "p lists what can be read or saved: " + wording.Thousands(things), Style: d.Styles.Muted})
	}
	if p.Structured != nil {
		d.Heading("structuredContent")
		d.JSON(p.Structured)
	}
}

// partDoc shows one part of a result.
func partDoc(d *write.Writer, p *mcp.Part) {
	st := d.Styles
	switch {
	case !p.Known:
		d.Add(0, doc.Span{Text: "an unknown type of content: ", Style: st.Warn}, doc.Span{Text: safe.QuotedCut(p.Type, 40), Style: st.Text})
		d.JSON(p.Raw)
	case p.HasText:
		if p.Type != "text" {
			d.Add(2, doc.Span{Text: partName(p), Style: st.Muted})
		}
		d.Quote(p.Text)
	case p.Binary && !p.Sound:
		d.Add(2, doc.Span{Text: partWords(p), Style: st.Bad})
	case p.Binary || p.URI != "":
		d.Add(2, doc.Span{Text: partWords(p), Style: st.Info})
	default:
		d.JSON(p.Raw)
	}
	if t := annotationWords(p); t != "" {
		d.Add(2, doc.Span{Text: "  " + t, Style: st.Muted})
	}
}

// partName says what a part is, where it is no plain text.
func partName(p *mcp.Part) safe.Text {
	t := wording.Join(wording.NameIn(p.Type, 40), wording.NameIn(p.MIME, 60))
	if p.Name != "" {
		t = wording.Join(t, safe.QuotedCut(p.Name, 60))
	}
	return wording.Join(t, wording.NameIn(p.URI, 400))
}

// partWords are the name of a part, and the size of what it holds.
func partWords(p *mcp.Part) safe.Text {
	switch {
	case p.Binary && !p.Sound:
		return partName(p) + " · not base64"
	case p.Binary:
		return partName(p) + " · " + wording.Size(p.Size)
	}
	return partName(p)
}

// audienceMost is how many are named for whom a part is; the specification has two.
const audienceMost = 4

// annotationWords are what the server says about a part, which decides nothing (SRV-24).
func annotationWords(p *mcp.Part) safe.Text {
	var t safe.Text
	add := func(word, value safe.Text) {
		if value == "" {
			return
		}
		if t != "" {
			t += " · "
		}
		t += word + value
	}
	var audience safe.Text
	for i, role := range p.Audience[:min(len(p.Audience), audienceMost)] {
		if i > 0 {
			audience += " and "
		}
		audience += wording.NameIn(role, 20)
	}
	if more := len(p.Audience) - audienceMost; more > 0 {
		audience += " and " + wording.Thousands(more) + " more"
	}
	add("for ", audience)
	add("priority ", wording.NameIn(p.Priority, 60))
	add("changed ", wording.NameIn(p.Modified, 60))
	return t
}

// wrongMost is how many things are told at once that are wrong with a result.
const wrongMost = 6

// judgementDoc says above a result what is wrong with it, and whether its
// structured content keeps to the schema of the tool.
func (c *content) judgementDoc(d *write.Writer) {
	before := len(d.Lines)
	var wrong []session.Diagnostic
	answer := c.answer()
	c.view(func(s *session.Session) { wrong = s.DiagnosticsOf(answer) })
	var schema *session.Diagnostic // which is told in its own lines
	if i := slices.IndexFunc(wrong, func(g session.Diagnostic) bool { return g.Code == mcp.DiagOutputSchema }); i >= 0 {
		one := wrong[i]
		schema, wrong = &one, slices.Delete(wrong, i, i+1)
	}
	more := len(wrong) - wrongMost
	wrong = wrong[:min(len(wrong), wrongMost)]
	for i := range wrong {
		g := &wrong[i]
		g.Count = 1 // of this result
		d.Diagnostic(g)
		if i+1 == len(wrong) || wrong[i+1].Code != g.Code {
			d.Citation(g, c.status.Revision)
		}
	}
	if more > 0 {
		d.Add(2, doc.Span{Text: "  and " + wording.Thousands(more) + " more, which i lists", Style: d.Styles.Muted})
	}
	c.schemaLines(d)
	if schema != nil {
		d.Citation(schema, c.status.Revision)
	}
	if len(d.Lines) > before {
		d.Blank()
	}
}

// answer is the message that brought the result, 0 when that is not known.
func (c *content) answer() session.Seq {
	for i := len(c.call.Timeline) - 1; i >= 0; i-- {
		if c.call.Timeline[i].Kind == session.MomResult {
			return c.call.Timeline[i].Entry
		}
	}
	return 0
}

// schemaLines say what came of checking the structured content (SRV-11).
func (c *content) schemaLines(d *write.Writer) {
	st, r := d.Styles, &c.call.Schema
	switch c.call.Conformity {
	case session.NoSchema:
		return
	case session.Unjudged:
		d.Add(0, doc.Span{Text: "schema is being checked" + d.Glyphs.Dots, Style: st.Muted})
	case session.Uncheckable:
		d.Add(2, doc.Span{Text: "schema not checked: " + safe.LineN(r.Refused, 300), Style: st.Warn})
	case session.Conforms:
		d.Add(0, doc.Span{Text: "schema ok", Style: st.OK}, doc.Span{Text: " · by the tool's outputSchema", Style: st.Muted})
	case session.Breaks:
		n := wording.Count(len(r.Faults), "error")
		if r.More {
			n = "more than " + n
		}
		d.Add(0, doc.Span{Text: "schema " + n, Style: st.Bad}, doc.Span{Text: " · by the tool's outputSchema", Style: st.Muted})
		for _, f := range r.Faults {
			where := safe.LineN(f.Where, 200) // whose names are quoted
			if where == "" {
				where = "the whole"
			}
			d.Add(4, doc.Span{Text: "  " + where + ": ", Style: st.JSONKey}, doc.Span{Text: safe.LineN(f.Why, 300), Style: st.Text})
		}
	}
	for _, what := range r.Blind {
		d.Add(4, doc.Span{Text: "  not checked: " + safe.LineN(what, 200), Style: st.Muted})
	}
}

// requestWords are the ID that the call is known by, and the one of its latest
// request when that is another.
func (c *content) requestWords() safe.Text {
	call := &c.call
	t := safe.Line(call.Wire.String())
	if call.Latest != call.Wire {
		t += ", now " + safe.Line(call.Latest.String())
	}
	return t + originWords(call.Origin)
}

// roundFields tell how often the server answered that it needs input, and what
// the call waits for now. The state is the server's: only its size and a digest
// are shown, and the message on the wire has all of it (MRT-11).
func (c *content) roundFields(d *write.Writer) {
	ro := &c.call.Round
	if ro.Count == 0 {
		return
	}
	d.Field("rounds", wording.Thousands(ro.Count)+c.roundWords(ro), d.Styles.Text)
	if ro.HasState {
		d.Field("state", wording.Size(ro.StateSize)+" · digest "+safe.Line(ro.StateSum)+" · opaque", d.Styles.Text)
	}
}

func (c *content) roundWords(ro *session.RoundView) safe.Text {
	switch {
	case !ro.Waits:
		return ""
	case ro.Held:
		return " · held, r goes on"
	case ro.Relisting:
		return " · the tools are fetched again, r at once"
	case !ro.RetryAt.IsZero():
		left := max(0, ro.RetryAt.Sub(c.words.Now)).Round(100 * time.Millisecond)
		return " · made again in " + safe.Text(left.String()) + ", r at once"
	case ro.Open > 0:
		return " · " + wording.Thousands(ro.Inputs-ro.Open) + " of " + wording.Count(ro.Inputs, "input") + " answered, nothing in flight"
	}
	return " · about to be made again"
}

// freshWords write how long a result may be kept, and whose cache may hold it.
func freshWords(h *mcp.CacheHint) safe.Text {
	t := safe.Text("not at all")
	if h.TTL > 0 {
		t = "for " + safe.Text(wording.ShortDuration(h.TTL))
	}
	if h.Scope != "" {
		t += ", " + wording.NameIn(h.Scope, 40)
	}
	return t + " · in the server's words"
}

// comparedDoc shows the head of a request beside what its body says, for a server
// that finds that they differ: field by field, one below the other.
func comparedDoc(d *write.Writer, list []session.Compared) {
	if len(list) == 0 {
		return
	}
	d.Heading("what was sent")
	for _, c := range list {
		d.Add(0, doc.Span{Text: wording.NameIn(c.Field, 200), Style: d.Styles.Strong})
		d.Field("  in head", write.OrNone(wording.NameIn(c.Head, 400)), d.Styles.Text)
		d.Field("  in body", write.OrNone(safe.LineN(c.Body, 400)), d.Styles.Text)
	}
}

// subscriptionFields tell what a subscription asks for, what the server agreed
// to, and what came.
func (c *content) subscriptionFields(d *write.Writer) {
	call, st := &c.call, d.Styles
	if !call.Sub.Is {
		return
	}
	agreed := call.Agreed.Words()
	name := safe.Text("hears of")
	for _, word := range call.Asked.Words() {
		text, style := wording.NameIn(word, 200), st.Text
		switch {
		case !call.Sub.Active:
		case slices.Contains(agreed, word):
			text = d.Glyphs.Done + " " + text
		default:
			text, style = d.Glyphs.Failed+" "+text+" · not agreed to", st.Warn
		}
		d.Field(name, text, style)
		name = ""
	}
	if call.Sub.Updates > 0 {
		d.Field("updates", wording.Thousands(call.Sub.Updates)+" · the last at "+wording.Clock(call.Sub.Last), st.Text)
	}
	if call.State.Terminal() && call.Initiator == 0 && !call.Sub.Carried && (call.Sub.ByServer || call.State == session.Lost) {
		d.Field("", "r begins it again; belay does not", st.Muted)
	}
}

// rulesWords writes the rules by which a call cancels itself.
func rulesWords(r session.Rules) safe.Text {
	var t safe.Text
	if r.After > 0 {
		t = "cancel after " + safe.Text(wording.ShortDuration(r.After))
	}
	if r.AtFraction > 0 {
		at := "cancel at " + safe.Text(strconv.FormatFloat(r.AtFraction*100, 'g', 4, 64)) + "%"
		if t != "" {
			t += ", "
		}
		t += at
	}
	return t
}
