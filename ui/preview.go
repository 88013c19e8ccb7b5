package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/write"
)

// preview shows the message that the form would send: every value as it goes out,
// laid out in lines (SRV-04).
func (f *callForm) preview() tea.Cmd {
	m := f.m
	if cmd, waits := m.values.OnceJudged(f.fields, f.preview); waits {
		return cmd
	}
	args, problem, byHand := f.fields.Value()
	if problem != "" && !byHand {
		return m.say(panel.Refused("nothing to show yet: " + problem))
	}
	c, why := f.made(args)
	if why != "" {
		return m.say(panel.Refused(why))
	}
	var p session.Preview
	var err error
	m.backend.View(func(s *session.Session) { p, err = s.Preview(c) })
	if err != nil {
		return m.say(panel.Error(err))
	}
	m.showPreview(&p)
	return nil
}

// showPreview is a page with all of a call that was not made yet.
func (m *Model) showPreview(p *session.Preview) {
	m.push(&dialog.Page{
		Host:  m.host(),
		Title: "what would be sent",
		Value: p.Message,
		Name:  "request.json",
		Build: func(d *write.Writer, _ panel.Screen) {
			for _, h := range p.Head {
				d.Add(2, doc.Span{Text: headWords(h), Style: m.styles.Text})
			}
			for _, why := range p.Left {
				d.Add(2, doc.Span{Text: safe.LineN(why, 400), Style: m.styles.Warn})
			}
			if len(p.Head) > 0 {
				d.Blank()
			}
			d.JSON(p.Message)
			d.Blank()
			d.Add(0, doc.Span{Text: "Its ID is another one if something is sent before.", Style: m.styles.Muted})
		},
	})
}
