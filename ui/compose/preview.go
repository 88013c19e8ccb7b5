package compose

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/write"
)

// preview shows the message that the form would send: every value as it goes out, laid out in
// lines (SRV-04; server/tools).
func (f *Form) preview() tea.Cmd {
	if cmd, waits := f.c.values.OnceJudged(f.Fields, f.preview); waits {
		return cmd
	}
	args, problem, byHand := f.Fields.Value()
	if problem != "" && !byHand {
		return f.c.host.Say(panel.Refused("nothing to show yet: " + problem))
	}
	c, why := f.made(args)
	if why != "" {
		return f.c.host.Say(panel.Refused(why))
	}
	var p session.Preview
	var err error
	f.c.host.View(func(s *session.Session) { p, err = s.Preview(c) })
	if err != nil {
		return f.c.host.Say(panel.Error(err))
	}
	ShowPreview(f.c.host, &p)
	return nil
}

// ShowPreview is a page with all of a call that was not made yet.
func ShowPreview(h panel.Host, p *session.Preview) {
	h.Push(&dialog.Page{
		Host:  h,
		Title: "what would be sent",
		Value: p.Message,
		Name:  "request.json",
		Build: func(d *write.Writer, s panel.Screen) {
			for _, h := range p.Head {
				d.Add(2, doc.Span{Text: HeadWords(h), Style: s.Styles.Text})
			}
			for _, why := range p.Omitted {
				d.Add(2, doc.Span{Text: safe.LineN(why, 400), Style: s.Styles.Warn})
			}
			if len(p.Head) > 0 {
				d.Blank()
			}
			d.JSON(p.Message)
			d.Blank()
			d.Add(0, doc.Span{Text: "Its ID is another one if something is sent before.", Style: s.Styles.Muted})
		},
	})
}

// HeadWords are a field of the head of a request.
func HeadWords(h session.Header) safe.Text {
	return safe.LineN(h.Name, 100) + ": " + safe.LineN(h.Value, 400)
}
