package ui

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/sentence"
	"belay/ui/compose"
	"belay/ui/panel"
)

// reload fetches the server's lists again, or those that are named.
func (m *Model) reload(arg string) tea.Cmd {
	kinds, err := mcp.ListKinds(arg)
	var out safe.Text
	if err == nil {
		m.backend.View(func(s *session.Session) {
			for k, l := range s.Catalog().Lists {
				r, ok := s.Row(l.Page)
				if !ok || len(kinds) > 0 && !slices.Contains(kinds, mcp.ListKind(k)) {
					continue
				}
				if out != "" {
					out += ", "
				}
				out += safe.Text(mcp.ListKind(k).String()) + " (#" + safe.Line(r.Wire.String()) + ")"
			}
		})
		_, err = m.backend.Do(session.Reload{Kinds: kinds})
	}
	switch {
	case err != nil:
		return m.status.Say(panel.Error(err))
	case out != "":
		return m.status.Say(panel.Said("still being fetched: " + out + " · anew when that ends; x on its row ends it"))
	}
	return m.status.Say(panel.Said("fetching the lists again"))
}

var errNoCalls = errors.New("there is no call of yours to save")

// export saves the log of calls, outside of Update.
func (m *Model) export() tea.Cmd {
	backend := m.backend
	return func() tea.Msg {
		lines, n, err := callLog(backend)
		if err != nil {
			return panel.Done{Err: err}
		}
		path, err := backend.Save("calls.jsonl", lines)
		return panel.Done{Err: err, Say: "saved " + wording.Count(n, "call") + " to " + safe.Line(path)}
	}
}

// callLog is the log of calls as JSON Lines, and how many they are. It is taken
// page by page, so that nobody waits long for the session.
func callLog(b Backend) (lines []byte, n int, err error) {
	for next, more := session.CallID(0), true; more; more = next != 0 {
		var page []session.CallRecord
		b.View(func(s *session.Session) { page, next = s.CallLog(next) })
		for i := range page {
			line, err := page[i].Line()
			if err != nil {
				return nil, 0, err
			}
			lines = append(lines, line...)
		}
		n += len(page)
	}
	if n == 0 {
		return nil, 0, errNoCalls
	}
	return lines, n, nil
}

// setTimeouts sets the clocks of the calls that are made from now on. A second
// one that is not named stays as it is, but "default" alone is for both.
func (m *Model) setTimeouts(arg string) tea.Cmd {
	words := strings.Fields(arg)
	if len(words) < 1 || len(words) > 2 {
		return m.status.Say(panel.Refused("type :timeout SILENCE [MAX], such as 30s 10m, or off; :timeout default resets both"))
	}
	if arg == "default" {
		words = append(words, arg)
	}
	limits := []time.Duration{m.input.idle, m.input.max}
	for i, w := range words {
		d, err := compose.ParseLimit(w)
		if err != nil {
			return m.status.Say(panel.Refused(safe.QuotedCut(w, 30) + " is no duration: 30s, 5m, 1h30m, off or default"))
		}
		limits[i] = d
	}
	m.input.idle, m.input.max = limits[0], limits[1]
	return m.status.Say(panel.Said("calls from now on: " + limitOr(limits[0]) + " of silence, " + limitOr(limits[1]) + " in all"))
}

func limitOr(d time.Duration) safe.Text {
	if d == 0 {
		return "the session's limit"
	}
	return wording.Limit(d)
}

func (m *Model) setLogLevel(arg string) tea.Cmd {
	reply, err := m.backend.Do(session.SetLogLevel{Level: arg})
	switch {
	case err != nil:
		return m.status.Say(panel.Error(err))
	case reply.Call == 0:
		return m.status.Say(panel.Said("the requests from now on ask for log messages (deprecated): " + safe.Line(arg)))
	}
	m.calls.Made(reply.Call)
	m.detail.Fit()
	return nil
}

// sendRaw sends what was written by hand: a whole JSON-RPC message, or a method
// and its params. An ID in it only says that it is a request: belay counts the
// IDs itself.
func (m *Model) sendRaw(arg string) tea.Cmd {
	msg, why := parseRaw(arg)
	if why != "" {
		return m.status.Say(panel.Refused(why))
	}
	if msg.request {
		c := session.CallSpec{Method: msg.method, Params: msg.params, Raw: true}
		return m.asker.Before(c, func() tea.Cmd {
			sent := m.call(c)
			if msg.ownID {
				return tea.Batch(sent, m.status.Say(panel.Said("sent with an ID of belay's: it counts them itself")))
			}
			return sent
		})
	}
	reply, err := m.backend.Do(session.Notify{Method: msg.method, Params: msg.params})
	if err != nil {
		return m.status.Say(panel.Error(err))
	}
	if reply.Call != 0 { // a cancel like any other, of which nothing may have been sent
		var r session.Row
		m.backend.View(func(s *session.Session) { r, _ = s.Row(reply.Call) })
		return m.tellCancel(r, mcp.NewDecoder().Cancelled(msg.params).Reason)
	}
	return m.status.Say(panel.Said("sent " + wording.Name(msg.method)))
}

// rawMessage is what :send was given.
type rawMessage struct {
	method  string
	params  []byte
	request bool
	ownID   bool // it came with an ID, which belay replaces
}

func parseRaw(arg string) (msg rawMessage, why safe.Text) {
	const usage = "type :send {\"method\": …} or :send METHOD {params}"
	if arg == "" {
		return msg, usage
	}
	if arg[0] != '{' {
		method, params, _ := strings.Cut(arg, " ")
		if json.Valid([]byte(arg)) || arg[0] == '[' || !sentence.IsPlain(method) {
			return msg, usage
		}
		msg = rawMessage{method: method, request: !strings.HasPrefix(method, "notifications/")}
		if params = strings.TrimSpace(params); params != "" {
			msg.params = []byte(params)
		}
		return msg, ""
	}
	var whole struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := mcp.CheckObject([]byte(arg)); err != nil {
		return msg, "that is no JSON: " + safe.LineN(err.Error(), 120)
	}
	if err := json.Unmarshal([]byte(arg), &whole); err != nil {
		return msg, usage
	}
	if whole.Method == "" {
		return msg, usage
	}
	return rawMessage{method: whole.Method, params: whole.Params, request: whole.ID != nil, ownID: whole.ID != nil}, ""
}
