package ui

import (
	"bytes"
	"errors"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/panel"
)

// submit sends what was filled in. What had better not be sent is asked for a
// second time.
func (p *promptPanel) submit() tea.Cmd {
	m := p.m
	a := p.ask
	if v := p.view(); v != nil {
		if cmd, waits := m.onceJudged(v, p.submit); waits {
			return cmd
		}
	}
	result, why, ask := a.body.answer(m)
	switch {
	case why != "":
		return m.say(panel.Refused("not sent: " + why))
	case ask != "" && !bytes.Equal(result, a.sure):
		a.sure = result
		return m.say(panel.Refused("not sent yet: " + ask + " · ctrl+s again sends it"))
	}
	if f, ok := a.body.(*formAsk); ok {
		if cmd, waits := m.onceConcealed(f.fields, f.content, f.secrets, p.submit); waits {
			return cmd
		}
	}
	cmd, _ := m.reply(a, result)
	return cmd
}

// reply answers a question with a result.
func (m *Model) reply(a *ask, result []byte) (tea.Cmd, error) {
	return m.respond(a, "answered", session.Answer{Prompt: a.view.ID, Result: result, As: session.Answered})
}

// refuse says no in the way that the kind of question has for it: Declined is
// an explicit no, Dismissed none at all.
func (m *Model) refuse(a *ask, as session.PromptState) tea.Cmd {
	answer := session.Input(session.Refuse{Prompt: a.view.ID, Code: -1, Message: "User rejected sampling request", As: as})
	if a.view.Method == "elicitation/create" {
		action := mcp.ElicitDecline
		if as == session.Dismissed {
			action = mcp.ElicitCancel
		}
		answer = session.Answer{Prompt: a.view.ID, Result: mcp.ElicitationResult(mcp.ElicitForm, action, nil), As: as}
	}
	cmd, _ := m.respond(a, safe.Text(as.String()), answer)
	return cmd
}

// respond ends a question and tells how that went; the error is what was told.
// A question that the server took back in the meantime stays as it is, and
// nothing is written for it.
func (m *Model) respond(a *ask, words safe.Text, answer session.Input) (cmd tea.Cmd, err error) {
	_, err = m.backend.Do(answer)
	if err != nil {
		var r *session.Refusal
		if errors.As(err, &r) && r.Code == session.RefuseWithdrawn {
			a.late = true
		}
		return m.say(panel.Error(err)), err
	}
	cmd = m.say(panel.Said(words + " " + m.askName(a) + m.inputWords(a)))
	m.toast.Answered = true
	return cmd, nil
}

// answerNext, refuseNext are the commands for the question that ! would open.
func (m *Model) answerNext(result string) tea.Cmd {
	if a, ok := m.next(); ok {
		cmd, _ := m.reply(a, []byte(result))
		return cmd
	}
	return nil
}

func (m *Model) refuseNext(as session.PromptState) tea.Cmd {
	if a, ok := m.next(); ok {
		return m.refuse(a, as)
	}
	return nil
}
