package ui

import (
	"image"
	"slices"
	"strings"
	"unicode/utf8"

	"belay/internal/safe"
	"belay/internal/suspect"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/remedy"
	"belay/ui/row"
	"belay/ui/write"
)

// fieldRows are the rows of the field for the address: a blank row, the field's
// purpose or the last outcome, and the field.
const fieldRows = 3

func (p *loginPanel) Draw(frame *panel.Frame) *image.Point {
	m := p.m
	if frame.Tiny() {
		p.drawTiny(frame)
		return nil
	}
	body := frame.Layout.Body
	w := min(panel.PageWidth, body.Dx()-2)
	d, head := p.text(w - 3)
	rows := len(d.Lines) + 2
	if p.l.Phase == LoginPage {
		rows += fieldRows
	}
	title := m.serverSide(max(10, w-30)) + p.title()
	g := frame.Box(w, min(rows, body.Dy()-2), title, p.frame())
	foot := g.Row(g.H() - 1)
	g = g.Sub(1, 0, g.W()-2, g.H()-2)
	textH := g.H()
	if p.l.Phase == LoginPage {
		textH -= fieldRows
	}
	textH = max(1, min(textH, len(d.Lines)))
	p.height, p.lines = textH, len(d.Lines)
	p.top = max(0, min(p.top, p.lines-textH))
	d.Draw(g.Sub(0, 0, g.W(), textH), p.top)
	frame.Thumb(g.Sub(0, 0, g.W(), textH), p.top, p.lines)
	p.l.warned = p.l.warned || p.l.Phase == LoginPage && p.top+textH >= head
	p.drawFoot(frame, foot)
	if p.l.Phase != LoginPage {
		return nil
	}
	at := p.drawField(frame, g.Sub(0, textH+1, g.W(), 2))
	if p.holds() {
		return nil
	}
	return at
}

func (p *loginPanel) title() safe.Text {
	if p.l.failed() {
		return ": not logged in"
	}
	if p.l.More {
		return " wants a login for more"
	}
	return " wants you to log in"
}

func (p *loginPanel) frame() canvas.Style {
	m := p.m
	if p.l.failed() {
		return m.styles.Bad
	}
	return m.styles.Warn
}

// text is what there is to know. Of its lines the first head ones must have been
// seen before the page is opened.
func (p *loginPanel) text(width int) (d *write.Writer, head int) {
	m := p.m
	d = m.writer(doc.New(width, write.MaxLines))
	l, st := p.l, d.Styles
	plain := func(t safe.Text) { d.Add(0, doc.Span{Text: t, Style: st.Text}) }
	if l.Issuer != "" {
		d.Add(2, doc.Span{Text: "who gives access: ", Style: st.Muted}, doc.Span{Text: safe.QuotedCut(l.Issuer, 300), Style: st.Text})
	}
	p.reason(d)
	if len(l.calls) > 0 {
		d.Add(2, doc.Span{Text: "waits for it: ", Style: st.Muted}, doc.Span{Text: l.waiting(), Style: st.Text})
	}
	if l.none {
		d.Add(0, doc.Span{Text: "nothing waits for it any more: esc gives it up", Style: st.Warn})
	}
	switch l.Phase {
	case LoginFinding:
		d.Add(2, doc.Span{Text: m.spinner() + " finding out who gives access", Style: st.Info})
	case LoginFetching:
		d.Add(2, doc.Span{Text: m.spinner() + " fetching the token", Style: st.Info})
	case LoginPage:
		p.judged(d)
		head = len(d.Lines)
		d.Heading("the login page")
		plain(safe.Line(l.url.Raw))
		if l.url.Open != "" && l.url.Open != l.url.Raw {
			d.Heading("as the browser gets it")
			plain(safe.Line(l.url.Open))
		}
		d.Heading("the way back")
		plain(safe.LineN(l.Redirect, 300))
		if l.NoListener != "" {
			d.Add(0, doc.Span{Text: "belay cannot listen there (" + safe.LineN(l.NoListener, 200) + "): paste the address that the browser ends at.", Style: st.Warn})
		} else {
			d.Add(0, doc.Span{Text: "belay listens there. If your browser is on another machine, it ends at an address that it cannot open: paste that one.", Style: st.Muted})
		}
	case LoginOver:
		p.failure(d)
	}
	return d, head
}

// reason writes why another login is wanted where there was one, and what came
// that belongs to none.
func (p *loginPanel) reason(d *write.Writer) {
	l, st := p.l, d.Styles
	switch {
	case l.More && l.Scopes != "":
		d.Add(2, doc.Span{Text: "it wants more: ", Style: st.Muted}, doc.Span{Text: safe.QuotedCut(l.Scopes, 300), Style: st.Text})
	case l.More:
		d.Add(2, doc.Span{Text: "it wants more than the last login gave, and does not say what", Style: st.Text})
	}
	if l.Again {
		d.Add(2, doc.Span{Text: "! the last login was for the same, and what it gave is not enough", Style: st.Warn})
	}
	if l.NotRenewed != "" {
		d.Add(2, doc.Span{Text: "the token was not renewed: ", Style: st.Muted}, doc.Span{Text: safe.LineN(l.NotRenewed, 500), Style: st.Warn})
	}
	if l.Stray {
		d.Add(2, doc.Span{Text: "! an answer came that belongs to another login: it was not taken", Style: st.Warn})
	}
}

// waiting names the calls that wait for the login.
func (l *loginDesk) waiting() safe.Text {
	const most = 3
	var t safe.Text
	for i, r := range l.calls[:min(len(l.calls), most)] {
		if i > 0 {
			t += ", "
		}
		t += row.Name(r)
	}
	if n := len(l.calls) - most; n > 0 {
		t += " and " + wording.Thousands(n) + " more"
	}
	return t
}

// judged writes what is to be known of the page before it is opened.
func (p *loginPanel) judged(d *write.Writer) {
	m := p.m
	page := p.l.url
	for _, line := range (&urlAsk{url: page}).pinned(m) {
		d.Add(2, line...)
	}
	issuer := suspect.Judge(p.l.Issuer)
	if issuer.Main != "" && page.Main != "" && issuer.Main != page.Main {
		d.Add(2, doc.Span{Text: "! the page is not at the host of who gives access", Style: d.Styles.Warn})
	}
}

// failure says why there is no token, and what can be done.
func (p *loginPanel) failure(d *write.Writer) {
	m := p.m
	d.Add(0, doc.Span{Text: safe.LineN(p.l.Failure, 1000), Style: d.Styles.Bad})
	if words := remedy.Words(p.l.Remedy); words != "" {
		d.Add(0, doc.Span{Text: words, Style: d.Styles.Accent})
	}
	d.Blank()
	next := safe.Text("What waited for the login has ended, and nothing else has. r on a call makes it again, and the login begins anew.")
	if m.snap.status.Phase != session.Ready {
		next = "There is no connection without it. :restart tries again."
	}
	d.Add(0, doc.Span{Text: next, Style: d.Styles.Text})
}

func (p *loginPanel) drawFoot(frame *panel.Frame, g canvas.Region) {
	if p.holds() {
		g.Put(1, 0, "this opened by itself: no key is taken until you pause", frame.Styles.Muted)
		return
	}
	frame.Hint(g, 1, p.Scope())
}

// drawField draws the line for the address, and returns where the cursor is.
// What the user knows anyway is shown: as far as it is where the page leads back
// to. The rest is not, there is a secret in it.
func (p *loginPanel) drawField(frame *panel.Frame, g canvas.Region) *image.Point {
	l, st := p.l, frame.Styles
	switch {
	case l.note == "":
		g.Put(0, 0, "the address that the browser ended at:", st.Muted)
	case l.trouble:
		g.Put(0, 0, safe.Cut(l.note, g.W()), st.Bad)
	default:
		g.Put(0, 0, safe.Cut(l.note, g.W()), st.OK)
	}
	in := g.Sub(0, 1, g.W(), 1)
	in.Fill(st.Input)
	if l.line.Empty() {
		in.Put(0, 0, safe.Cut("paste it here; enter hands it over", in.W()), st.Placeholder)
		at := in.Bounds().Min
		return &at
	}
	known, hidden := l.typed()
	const most = 12 // that are drawn of the others
	x := in.Put(0, 0, safe.Cut(safe.Line(known), max(0, in.W()-most-20)), st.Input)
	for range min(hidden, most) {
		x = in.Put(x, 0, frame.Glyphs.Bullet, st.Input)
	}
	if hidden > most {
		in.Put(x+1, 0, "and "+wording.Count(hidden-most, "more character"), st.Placeholder)
	}
	return in.Cursor(min(x, in.W()-1), 0)
}

// typed is how much of the line is where the page leads back to, and how many
// characters are not.
func (l *loginDesk) typed() (known string, hidden int) {
	text := strings.TrimLeft(l.line.String(), " ")
	if rest, ok := strings.CutPrefix(text, l.Redirect); ok && l.Redirect != "" {
		return l.Redirect, utf8.RuneCountInString(rest)
	}
	return "", utf8.RuneCountInString(text)
}

// drawTiny is the panel where there is but a line.
func (p *loginPanel) drawTiny(frame *panel.Frame) {
	m := p.m
	if p.holds() {
		frame.TinyLine("wants a login: no key is taken until you pause", nil, frame.Styles.Muted)
		return
	}
	var keys []string
	for _, b := range slices.DeleteFunc(m.keys.Footer(p.Scope()), func(b *binding) bool { return b.Reason(m) != "" }) {
		keys = append(keys, string(footerKey(b))+" "+b.Word)
	}
	frame.TinyLine("wants a login", []safe.Text{safe.Line(strings.Join(keys, "  "))}, frame.Styles.Warn)
}
