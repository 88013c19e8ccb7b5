package question

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/panel"
	"belay/ui/sampling"
)

// canned is an answer that belay gives to sampling by itself. There is none
// until the user sets one.
type canned struct {
	on   bool
	echo bool   // the last text of the request
	text string // else this
	name safe.Text
}

// cannedModel is the model that a canned answer names: nobody shall take it for
// one that a human or a model wrote.
const cannedModel = "belay-canned-answer"

// setSampling is :sampling.
func (p *Panel) setSampling(arg string) tea.Cmd {
	word, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	switch {
	case word == "off" && name == "":
		p.canned = canned{}
		return p.host.Say(panel.Said("sampling is answered by you again"))
	case word == "echo" && name == "":
		return p.can(canned{on: true, echo: true, name: "an echo"})
	case word == "file" && name != "":
		read := p.backend.Read
		return func() tea.Msg {
			data, err := read(name)
			if err != nil {
				return panel.Done{Err: err}
			}
			return panel.Done{Then: func() tea.Cmd {
				if len(data) == 0 { // by hand it would have to be confirmed
					return p.host.Say(panel.Refused("sampling is not answered with " + safe.QuotedCut(name, 40) + ": the file is empty"))
				}
				return p.can(canned{on: true, text: string(data), name: safe.QuotedCut(filepath.Base(name), 20)})
			}}
		}
	}
	return p.host.Say(panel.Refused("type :sampling echo, :sampling file NAME or :sampling off"))
}

func (p *Panel) can(c canned) tea.Cmd {
	p.canned = c
	return p.host.Say(panel.Said("AUTO: sampling is answered with " + c.name + " · :sampling off ends it"))
}

// answerCanned answers a new question if an answer is set, and says false when
// the user has to.
func (p *Panel) answerCanned(a *question) (bool, tea.Cmd) {
	c := p.canned
	if !c.on || a.view.Method != "sampling/createMessage" {
		return false, nil
	}
	if why := p.notForCancelled(a); why != "" {
		return false, p.host.Say(panel.Refused(why))
	}
	if a.view.Turn > session.MaxTurns {
		return false, p.host.Say(panel.Refused("AUTO does not answer: " + wording.Thousands(a.view.Turn) + " requests to a model within one call may be a loop"))
	}
	rev, view := p.host.Screen().Status.Revision, a.view
	answer := func() cannedMsg {
		result, why := c.answer(rev, view.Params)
		return cannedMsg{a, c, result, why}
	}
	if len(view.Params)+len(c.text) > ParamsAtOnce {
		reads := panel.Said("AUTO reads " + wording.Size(len(view.Params)) + p.host.Screen().Glyphs.Dots)
		return true, tea.Batch(p.host.Say(reads.Beside()), func() tea.Msg { return answer() })
	}
	return p.giveCanned(answer())
}

// notForCancelled says why belay gives no automatic answer to a question of a cancelled call or task:
// the user wants no more work, and an answer would have the server go on. Empty: the call or task was
// not cancelled.
func (w phrases) notForCancelled(a *question) safe.Text {
	const refuses = "AUTO does not answer: "
	switch {
	case a.view.AfterCancel:
		return refuses + "came after the cancel of its task · ! shows it"
	case a.view.OfCancelled != 0:
		return refuses + "came after the cancel of its call"
	case a.view.Owners > 1 && a.view.CancelledOwners == a.view.Owners:
		return refuses + "each call that it may be for was cancelled · ! shows it"
	case a.owner == 0 || !w.isCancelled(a.owner):
		return ""
	case a.view.Task != "":
		return refuses + "its task was cancelled meanwhile · ! shows it"
	}
	return refuses + "its call was cancelled meanwhile · ! shows it"
}

// cannedMsg is the answer that belay makes to a question by itself, or why it makes
// none.
type cannedMsg struct {
	of     *question
	by     canned
	result []byte
	why    safe.Text
}

// answer makes the answer to a request to a model. It takes as long as the request is.
func (c canned) answer(rev mcp.Revision, params []byte) (result []byte, why safe.Text) {
	req, _ := mcp.ParseSampling(rev, params)
	text := c.text
	if c.echo {
		text = lastText(req)
	}
	if text == "" {
		return nil, "the answer would be empty"
	}
	if long := sampling.TooLong(text, req); long != "" {
		return nil, long
	}
	result, err := mcp.SamplingAnswer{Text: text, Model: cannedModel}.Result(rev)
	if err == nil {
		err = mcp.CheckSamplingResult(rev, req, result)
	}
	if err != nil {
		return nil, safe.LineN(err.Error(), 200)
	}
	return result, ""
}

// onCanned takes an answer that was made beside the screen, unless the user has ended
// that meanwhile, or the question is over.
func (p *Panel) onCanned(msg cannedMsg) tea.Cmd {
	if !msg.of.waits() {
		return nil
	}
	if p.canned != msg.by {
		return p.tellQuestion(msg.of, 0, false)
	}
	if why := p.notForCancelled(msg.of); why != "" {
		return p.host.Say(panel.Refused(why))
	}
	_, cmd := p.giveCanned(msg)
	return cmd
}

// giveCanned gives the answer, and says false when the user has to.
func (p *Panel) giveCanned(msg cannedMsg) (bool, tea.Cmd) {
	a, c := msg.of, msg.by
	if msg.why != "" {
		return false, p.host.Say(panel.Refused("AUTO does not answer: " + msg.why))
	}
	_, err := p.host.Do(session.Answer{Question: a.view.ID, Result: msg.result, As: session.Answered})
	if err != nil {
		return false, p.host.Say(panel.Error(err))
	}
	what := wording.Name(a.view.Method)
	if open := p.open; open {
		what = "another question, " + p.shortName(a) + ","
	}
	return true, p.host.Say(panel.Said("AUTO answered " + what + " with " + c.name).Beside())
}

// lastText is the last text of the conversation.
func lastText(req mcp.Sampling) string {
	for i := len(req.Messages) - 1; i >= 0; i-- {
		for _, c := range req.Messages[i].Content {
			if c.Type == "text" {
				return c.Text
			}
		}
	}
	return ""
}
