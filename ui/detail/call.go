package detail

import (
	"slices"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/server"
	"belay/ui/write"
)

// silentAfter is how long a call runs before it is said that it reports nothing: a server need not
// report progress at all (PRG-08; basic/utilities/progress).
const silentAfter = time.Minute

// callTab is what was asked for.
func (c *content) callTab(d *write.Writer) {
	call := &c.call
	st := d.Styles
	d.Field("method", wording.NameIn(call.Method, 200), st.Text)
	switch {
	case call.Follows:
		d.Field("task", safe.QuotedCut(call.Target, 400), st.Text)
		d.Field("tool", toolOfTask(call.Row), st.Text)
	case call.Target != "":
		d.Field("target", wording.NameIn(call.Target, 400), st.Text)
	}
	d.Field("request", c.requestWords(), st.Text)
	if ids := server.IDs(c.status); ids != "" && call.Origin == session.FromUser {
		d.Field("", ids, st.Muted)
	}
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
	if n := c.words.Note(call.Row); n != "" {
		d.Field("note", n, st.Warn)
	}
	if call.Reason != "" {
		d.Field("reason", safe.Quoted(call.Reason), st.Stop)
	}
	c.roundFields(d)
	c.questionsOf(d)
	c.taskFields(d)
	c.processFields(d)
	d.Heading("params")
	if len(call.Params) == 0 {
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
		return
	}
	d.JSON(call.Params)
}

func (c *content) silent() bool {
	call := &c.call
	return call.State == session.Running && !call.IsStanding() && call.Progress.Count == 0 && !call.Sent.IsZero() && c.words.Now.Sub(call.Sent) >= silentAfter
}

func (c *content) progressField(d *write.Writer) {
	p := c.call.Progress
	if p.Count == 0 && p.Invalid == 0 {
		if c.silent() {
			d.Field("progress", "no progress reported", d.Styles.Muted)
		}
		return
	}
	t := wording.Join(wording.Progress(p), "· "+wording.Count(p.Count, "notice"))
	if p.HasTotal {
		t = wording.Number(p.Value) + "/" + wording.Number(p.Total) + " · " + t
	}
	if p.Invalid > 0 {
		t += " · " + wording.Thousands(p.Invalid) + " refused"
	}
	d.Field("progress", t, d.Styles.Text)
	if p.Message != "" {
		d.Field("", safe.QuotedCut(p.Message, 300), d.Styles.Text)
	}
}

// questionsOf tells which questions wait for the sake of this call.
func (c *content) questionsOf(d *write.Writer) {
	for _, v := range c.waiting() {
		if !slices.Contains(c.asks, v.ID) {
			continue
		}
		t := wording.NameIn(v.Method, 60)
		if v.Owners > 1 {
			t += ", from one of " + wording.Thousands(v.Owners) + " calls"
		}
		if !d.Recorded {
			t += " · ! shows it"
		}
		d.Field("asks you", t, d.Styles.Warn)
	}
}

func originWords(o session.Origin) safe.Text {
	switch o {
	case session.FromHandshake:
		return " · the handshake"
	case session.FromBelay, session.FromTask:
		return " · made by belay itself"
	case session.FromUser:
	}
	return ""
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

// roundFields tell how often the server answered that it needs input, and what the call waits for
// now. The state is the server's: only its size and a digest are shown, and the message on the
// wire has all of it (MRT-11; basic/patterns/mrtr).
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
	onR := func(what safe.Text) safe.Text {
		if c.words.Recorded {
			return ""
		}
		return ", r " + what
	}
	left := ro.RetryAt.Sub(c.words.Now).Round(100 * time.Millisecond)
	switch {
	case !ro.Waits:
		return ""
	case ro.AwaitsRetry:
		return " · held" + onR("goes on")
	case ro.Relisting:
		return " · the tools are fetched again" + onR("at once")
	case left > 0:
		return " · made again in " + safe.Text(left.String()) + onR("at once")
	case ro.Open > 0:
		return " · " + wording.Thousands(ro.Inputs-ro.Open) + " of " + wording.Count(ro.Inputs, "input") + " answered, nothing in flight"
	}
	return " · about to be made again"
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
	if call.State.IsTerminal() && call.Initiator == 0 && !call.Sub.Carried && (call.Sub.ByServer || call.State == session.Lost) {
		text := safe.Text("belay does not begin it again")
		if !d.Recorded {
			text = "r begins it again; belay does not"
		}
		d.Field("", text, st.Muted)
	}
}

// rulesWords writes the rules by which a call cancels itself.
func rulesWords(r session.Rules) safe.Text {
	var t safe.Text
	if r.After > 0 {
		t = "cancel after " + safe.Text(wording.ShortDuration(r.After))
	}
	if at := wording.CancelAt(&r); at != "" {
		at = "cancel at " + at
		if t != "" {
			t += ", "
		}
		t += at
	}
	return t
}
