package question

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/suspect"
	"belay/session/mcp"
	"belay/ui/address"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/write"
)

// urlAsk is a question of the server's to open an address. It is opened on its
// own key only, by the user's browser; belay never fetches it.
type urlAsk struct {
	req     mcp.Elicitation
	url     suspect.URL
	opening bool // the program that opens it has been started
}

func newURLAsk(req mcp.Elicitation) *urlAsk {
	return &urlAsk{req: req, url: suspect.Judge(req.URL)}
}

func (u *urlAsk) scope() keymap.Scope { return scope.URL }

func (u *urlAsk) title() safe.Text { return "to open an address" }

// pinned are the notes on the address, and on its message (ELI-40 to ELI-42; client/elicitation).
func (u *urlAsk) pinned(on panel.Screen) []doc.Line {
	return append(address.Notes(&u.url, on.Looks), address.LinkNote(u.req.Message, on.Looks)...)
}

// write shows the whole address, wrapped and never cut (ELI-39; client/elicitation).
func (u *urlAsk) write(d *write.Writer) {
	d.Heading("the address")
	d.Add(0, doc.Span{Text: safe.Line(u.url.Raw), Style: d.Styles.Text})
	if u.url.Open != "" && u.url.Open != u.url.Raw {
		d.Heading("as the browser gets it")
		d.Add(0, doc.Span{Text: safe.Line(u.url.Open), Style: d.Styles.Text})
	}
	if u.req.Message != "" {
		d.Heading("why, in the server's words")
		d.Quote(u.req.Message)
	}
	if u.req.ElicitationID != "" {
		d.Blank()
		d.Field("its ID", safe.QuotedCut(u.req.ElicitationID, 200), d.Styles.Muted)
	}
}

func (u *urlAsk) key(p *Panel, k tea.KeyPressMsg) tea.Cmd {
	ok := p.open
	switch {
	case k.String() == "r" && ok && p.question.view.Needed:
		return p.host.Say(panel.Refused("open the address first, with ctrl+u: then r makes the call again"))
	case k.Text != "" || k.String() == "enter":
		return p.host.Say(panel.Refused("there is nothing to fill in: ctrl+u opens the address and accepts"))
	}
	return p.host.Want(panel.Unused{Key: k})
}

func (u *urlAsk) answer(mcp.Revision) (result []byte, why, ask safe.Text) {
	return nil, "ctrl+u opens the address and accepts", ""
}

// noOpening is why the address cannot be opened now.
func (p *Panel) noOpening() string {
	if p.open {
		if u, ok := p.question.body.(*urlAsk); ok {
			switch {
			case u.url.Refused != "":
				return "not opened: " + u.url.Refused
			case u.opening:
				return "it is being opened"
			case !p.question.warned && p.host.Screen().IsTiny():
				return "not opened: what to know of it needs a larger terminal"
			case !p.question.warned:
				return "not opened: read its warnings first, pgdown shows them"
			}
		}
	}
	return ""
}

// openURL gives the address to the browser, and accepts when that went well. An
// opener that fails answers nothing.
func (p *Panel) openURL() tea.Cmd {
	a, open := p.question, p.backend.OpenURL
	u := a.body.(*urlAsk)
	u.opening = true
	return func() tea.Msg {
		err := open(u.url.Open)
		return panel.Done{Then: func() tea.Cmd { return p.urlOpened(a, u, err) }}
	}
}

// goOn answers that the user consents, having been at the address: with that the
// call is made again.
func (p *Panel) goOn() tea.Cmd {
	cmd, _ := p.reply(p.question, mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitAccept, nil))
	return cmd
}

func (p *Panel) urlOpened(a *question, u *urlAsk, err error) tea.Cmd {
	u.opening = false
	if err != nil {
		return p.host.Say(panel.Failed(p.ofAnother(a) + "not opened, nothing answered: " + safe.LineN(err.Error(), 200)))
	}
	a.opened = true
	if a.view.Round > 0 { // nothing would tell the server later that the user is done
		return p.host.Say(panel.Said("opened · r goes on with the call when you are done there"))
	}
	cmd, unsent := p.reply(a, mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitAccept, nil))
	switch {
	case a.late:
		return cmd
	case unsent != nil: // the user did not wait for the browser, or the connection is gone
		return p.host.Say(panel.Refused("opened, but not accepted: " + safe.LineN(unsent.Error(), 200)))
	case a.view.Needed:
		return tea.Batch(cmd, p.host.Say(panel.Said("opened · nothing was sent: the call has to be made again")))
	case a.complete:
		return tea.Batch(cmd, p.host.Say(panel.Said("opened, and done as the server said before")))
	}
	return tea.Batch(cmd, p.host.Say(panel.Said("opened · waiting for the server")))
}
