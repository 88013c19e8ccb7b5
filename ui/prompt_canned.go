package ui

import (
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/sampling"
	"belay/ui/spell"
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
func (m *Model) setSampling(arg string) tea.Cmd {
	word, name, _ := strings.Cut(arg, " ")
	name = strings.TrimSpace(name)
	switch {
	case word == "off" && name == "":
		m.desk.canned = canned{}
		return m.say("sampling is answered by you again", said)
	case word == "echo" && name == "":
		return m.can(canned{on: true, echo: true, name: "an echo"})
	case word == "file" && name != "":
		read := m.backend.Read
		return func() tea.Msg {
			data, err := read(name)
			if err != nil {
				return doneMsg{err: err}
			}
			return doneMsg{then: func(m *Model) tea.Cmd {
				if len(data) == 0 { // by hand it would have to be confirmed
					return m.say("sampling is not answered with "+safe.QuotedCut(name, 40)+": the file is empty", refused)
				}
				return m.can(canned{on: true, text: string(data), name: safe.QuotedCut(filepath.Base(name), 20)})
			}}
		}
	}
	return m.say("type :sampling echo, :sampling file NAME or :sampling off", refused)
}

func (m *Model) can(c canned) tea.Cmd {
	m.desk.canned = c
	return m.say("AUTO: sampling is answered with "+c.name+" · :sampling off ends it", said)
}

// answerCanned answers a new question if an answer is set, and says false when
// the user has to.
func (m *Model) answerCanned(a *ask) (bool, tea.Cmd) {
	c := m.desk.canned
	if !c.on || a.view.Method != "sampling/createMessage" {
		return false, nil
	}
	if a.view.Turn > session.MaxTurns {
		return false, m.say("AUTO does not answer: "+spell.Thousands(a.view.Turn)+" requests to a model within one call may be a loop", refused)
	}
	rev := m.snap.status.Revision
	req, _ := mcp.ParseSampling(rev, a.view.Params)
	text := c.text
	if c.echo {
		text = lastText(req)
	}
	if text == "" {
		return false, m.say("AUTO does not answer: the answer would be empty", refused)
	}
	if long := sampling.TooLong(text, req); long != "" {
		return false, m.say("AUTO does not answer: "+long, refused)
	}
	result, err := mcp.SamplingAnswer{Text: text, Model: cannedModel}.Result(rev)
	if err == nil {
		err = mcp.CheckSamplingResult(rev, req, result)
	}
	if err != nil {
		return false, m.say("AUTO does not answer: "+safe.LineN(err.Error(), 200), refused)
	}
	m.backend.Do(func(s *session.Session, now time.Time) { err = s.Answer(now, a.view.ID, result, session.Answered) })
	if err != nil {
		return false, m.sayError(err)
	}
	what := spell.Name(a.view.Method)
	if _, open := m.panel(); open {
		what = "another question, " + m.shortName(a) + ","
	}
	return true, m.sayAside("AUTO answered "+what+" with "+c.name, said)
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
