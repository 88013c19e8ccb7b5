package login

import (
	"image"
	"strings"
	"unicode/utf8"

	"belay/internal/safe"
	"belay/internal/suspect"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/address"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/remedy"
	"belay/ui/row"
	"belay/ui/theme"
	"belay/ui/write"
)

// fieldRows are the rows of the field for the address: a blank row, the field's
// purpose or the last outcome, and the field.
const fieldRows = 3

// Draw draws the login, and the field for the address.
func (p *Panel) Draw(frame *panel.Frame) *image.Point {
	if frame.IsTiny() {
		p.drawTiny(frame)
		return nil
	}
	body := frame.Layout.Body
	w := min(panel.PageWidth, body.Dx()-2)
	d, head := p.text(frame, w-3)
	rows := len(d.Lines) + 2
	if p.Phase == Page {
		rows += fieldRows
	}
	title := p.backend.Command().Name(frame.Status.Transport, max(10, w-30)) + p.title()
	g := frame.Box(w, min(rows, body.Dy()-2), title, p.style(frame.Looks))
	foot := g.Row(g.H() - 1)
	g = g.Sub(1, 0, g.W()-2, g.H()-2)
	textH := g.H()
	if p.Phase == Page {
		textH -= fieldRows
	}
	textH = max(1, min(textH, len(d.Lines)))
	p.height, p.lines = textH, len(d.Lines)
	p.top = max(0, min(p.top, p.lines-textH))
	d.Draw(g.Sub(0, 0, g.W(), textH), p.top)
	frame.Thumb(g.Sub(0, 0, g.W(), textH), p.top, p.lines)
	p.warned = p.warned || p.Phase == Page && p.top+textH >= head
	p.drawFoot(frame, foot)
	if p.Phase != Page {
		return nil
	}
	at := p.drawField(frame, g.Sub(0, textH+1, g.W(), 2))
	if p.isGuarded() {
		return nil
	}
	return at
}

func (p *Panel) title() safe.Text {
	if p.HasFailed() {
		return ": not logged in"
	}
	if p.More {
		return " wants a login for more"
	}
	return " wants you to log in"
}

func (p *Panel) style(looks theme.Looks) canvas.Style {
	if p.HasFailed() {
		return looks.Styles.Bad
	}
	return looks.Styles.Warn
}

// text is what there is to know. Of its lines the first head ones must have been
// seen before the page is opened.
func (p *Panel) text(frame *panel.Frame, width int) (d *write.Writer, head int) {
	d = write.To(doc.New(width, write.MaxLines), frame.Looks, nil)
	l, st := &p.attempt, d.Styles
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
	case Finding:
		d.Add(2, doc.Span{Text: frame.Spin + " finding out who gives access", Style: st.Info})
	case Fetching:
		d.Add(2, doc.Span{Text: frame.Spin + " fetching the token", Style: st.Info})
	case Page:
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
	case Over:
		p.failure(d)
	}
	return d, head
}

// reason writes why the server wants another login, and tells of answers that belong to no
// login.
func (p *Panel) reason(d *write.Writer) {
	l, st := &p.attempt, d.Styles
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
func (l *attempt) waiting() safe.Text {
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
func (p *Panel) judged(d *write.Writer) {
	page := p.url
	for _, line := range address.Notes(&page, d.Looks) {
		d.Add(2, line...)
	}
	issuer := suspect.Judge(p.Issuer)
	if issuer.Main != "" && page.Main != "" && issuer.Main != page.Main {
		d.Add(2, doc.Span{Text: "! the page is not at the host of who gives access", Style: d.Styles.Warn})
	}
}

// failure says why there is no token, and what can be done.
func (p *Panel) failure(d *write.Writer) {
	d.Add(0, doc.Span{Text: safe.LineN(p.Failure, 1000), Style: d.Styles.Bad})
	if words := remedy.Words(p.Remedy); words != "" {
		d.Add(0, doc.Span{Text: words, Style: d.Styles.Accent})
	}
	d.Blank()
	next := safe.Text("What waited for the login has ended, and nothing else has. r on a call makes it again, and the login begins anew.")
	if p.host.Screen().Status.Phase != session.Ready {
		next = "There is no connection without it. :restart tries again."
	}
	d.Add(0, doc.Span{Text: next, Style: d.Styles.Text})
}

func (p *Panel) drawFoot(frame *panel.Frame, g canvas.Region) {
	if p.isGuarded() {
		g.Put(1, 0, "this opened by itself: no key is taken until you pause", frame.Styles.Muted)
		return
	}
	frame.Hint(g, 1, p.Scope())
}

// drawField draws the line for the address, and returns where the cursor is.
// What the user knows anyway is shown: as far as it is where the page leads back
// to. The rest is not, there is a secret in it.
func (p *Panel) drawField(frame *panel.Frame, g canvas.Region) *image.Point {
	l, st := &p.attempt, frame.Styles
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
func (l *attempt) typed() (known string, hidden int) {
	text := strings.TrimLeft(l.line.String(), " ")
	if rest, ok := strings.CutPrefix(text, l.Redirect); ok && l.Redirect != "" {
		return l.Redirect, utf8.RuneCountInString(rest)
	}
	return "", utf8.RuneCountInString(text)
}

// drawTiny is the panel where there is but a line.
func (p *Panel) drawTiny(frame *panel.Frame) {
	if p.isGuarded() {
		frame.TinyLine("wants a login: no key is taken until you pause", nil, frame.Styles.Muted)
		return
	}
	frame.TinyLine("wants a login", []safe.Text{frame.Keys(p.Scope())}, frame.Styles.Warn)
}
