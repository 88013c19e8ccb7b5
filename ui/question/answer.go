package question

import (
	"bytes"
	"errors"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel"
)

// submit sends what was filled in. What had better not be sent is asked for a
// second time.
func (p *Panel) submit() tea.Cmd {
	a := p.question
	a.leaving = 0
	if v := p.View(); v != nil {
		if cmd, waits := p.values.OnceJudged(v, p.submit); waits {
			return cmd
		}
	}
	result, why, ask := a.body.answer(p.host.Screen().Status.Revision)
	switch {
	case why != "":
		return p.host.Say(panel.Refused("not sent: " + why))
	case ask != "" && !bytes.Equal(result, a.toConfirm):
		a.toConfirm = result
		return p.host.Say(panel.Refused("not sent yet: " + ask + " · ctrl+s again sends it"))
	}
	if f, ok := a.body.(*formAsk); ok {
		if cmd, waits := p.values.OnceConcealed(f.fields, f.content, f.secrets, p.submit); waits {
			return cmd
		}
	}
	cmd, _ := p.reply(a, result)
	return cmd
}

// reply answers a question with a result.
func (p *Panel) reply(a *question, result []byte) (tea.Cmd, error) {
	return p.respond(a, "answered", session.Answer{Question: a.view.ID, Result: result, As: session.Answered})
}

// asksAgain reports whether a key that gives up the question is to be pressed once more,
// because something was typed: the foot says what that sends.
func (a *question) asksAgain(as session.QuestionState) bool {
	if !a.hasBegun() || a.leaving == as {
		return false
	}
	a.leaving = as
	return true
}

// refuse says no to a question ([session.QuestionView.Rejection]).
func (p *Panel) refuse(a *question, as session.QuestionState) tea.Cmd {
	cmd, _ := p.respond(a, safe.Text(as.String()), a.view.Rejection(as))
	return cmd
}

// respond ends a question and tells how that went; the error is what was told.
// A question that the server took back in the meantime stays as it is, and
// nothing is written for it.
func (p *Panel) respond(a *question, words safe.Text, answer session.Input) (cmd tea.Cmd, err error) {
	_, err = p.host.Do(answer)
	if err != nil {
		var r *session.Refusal
		if errors.As(err, &r) && r.Code == session.RefuseWithdrawn {
			a.late = true
		}
		return p.host.Say(panel.Error(err)), err
	}
	told := panel.Said(words + " " + p.askName(a) + p.inputWords(a))
	told.Answered = true
	cmd = p.host.Say(told)
	return cmd, nil
}

// answerNext, refuseNext are the commands for the question that ! would open.
func (p *Panel) answerNext(result string) tea.Cmd {
	a, ok := p.next()
	if !ok {
		return nil
	}
	if a.body == nil { // its schema says what is a secret
		a.body = a.bodyOn(p.host.Screen())
	}
	var secrets []string
	if f, ok := a.body.(*formAsk); ok {
		secrets = f.secrets
	}
	return p.values.Conceal([]byte(result), secrets, func() tea.Cmd {
		cmd, _ := p.reply(a, []byte(result))
		return cmd
	})
}

func (p *Panel) refuseNext(as session.QuestionState) tea.Cmd {
	if a, ok := p.next(); ok {
		return p.refuse(a, as)
	}
	return nil
}
