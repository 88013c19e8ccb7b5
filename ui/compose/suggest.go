package compose

import (
	"cmp"
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
)

const (
	// SuggestPause is how long typing must pause before the server is asked.
	SuggestPause = 200 * time.Millisecond
	// SuggestTyped is what is told of one argument at most, in characters.
	SuggestTyped = 1000
	// suggestKept bounds the answers that are remembered.
	suggestKept = 200
	// suggestMost is the length of an answer, in bytes, that is read.
	suggestMost = 64 << 10
)

// suggestions are what the server proposes for the argument of a prompt, or the
// variable of a template, that is being typed. They never hold typing up.
type suggestions struct {
	about question
	n     int            // counts the pauses, so that an old one asks nothing
	call  session.CallID // the latest request; 0: none is out
	asked question       // what that is about
	found suggested
	pick  int    // the value that was put into the field, or -1
	put   string // what was put there: no question of its own
	kept  map[question]suggested
	off   session.Epoch // the connection whose server cannot complete: it is asked no more
}

// question is what the server is asked about.
type question struct {
	epoch            session.Epoch
	logins           int // what is proposed may be for one login alone
	ref, name, value string
	others           string // the other arguments, as JSON
}

// suggested is an answer.
type suggested struct {
	values []string // foreign
	more   bool
	why    safe.Text // why there are none
}

type suggestMsg int

// Suggest follows what is typed, each frame: it asks after a pause, and takes
// the answer when there is one.
func (c *Composer) Suggest() tea.Cmd {
	s := &c.suggestions
	q, ok := c.completable()
	switch {
	case !ok:
		*s = suggestions{n: s.n + 1, kept: s.kept, off: s.off, pick: -1}
		return nil
	case q == s.about:
		c.takeSuggestions()
		return nil
	}
	same := q.name == s.about.name && q.ref == s.about.ref && q.epoch == s.about.epoch
	s.about = q
	s.n++
	if same && s.pick >= 0 && q.value == s.put {
		return nil // it is the user's choice
	}
	s.found, s.pick = suggested{}, -1
	if s.off == q.epoch {
		return nil
	}
	if kept, ok := s.kept[q]; ok {
		s.found = kept
		return nil
	}
	n := s.n
	return tea.Tick(SuggestPause, func(time.Time) tea.Msg { return suggestMsg(n) })
}

// completable is what could be asked about now: the text with the focus, in a
// form for a prompt or a template, at a server that can complete. A secret is none:
// the server gets it when the user sends it, and no beginning of it before.
func (c *Composer) completable() (q question, ok bool) {
	f, ok := c.host.Screen().Top.(*Form)
	if !ok {
		return q, false
	}
	at := f.Fields.Focus()
	n := at.Node
	if n == nil || at.Part != form.Value || n.Kind != form.Text || n.Name == "" || f.secrets.IsField(n) {
		return q, false
	}
	if !f.suggests() {
		return q, false
	}
	st := c.host.Screen().Status
	q = question{epoch: st.Epoch, logins: st.Logins, name: n.Name, value: cutRunes(n.Input.String(), SuggestTyped)}
	switch f.method {
	case "prompts/get":
		q.ref = string(form.AppendObject(nil, []form.Member{{Name: "type", Value: form.Quote("ref/prompt")}, {Name: "name", Value: form.Quote(f.name)}}))
	case "resources/read":
		q.ref = string(form.AppendObject(nil, []form.Member{{Name: "type", Value: form.Quote("ref/resource")}, {Name: "uri", Value: form.Quote(f.name)}}))
	default:
		return q, false
	}
	q.others = f.otherArguments(n.Name)
	return q, true
}

func cutRunes(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}

// otherArguments are the arguments that are filled in already, without one and without
// secrets.
func (f *Form) otherArguments(name string) string {
	members, err := form.ParseObject(f.Fields.Form().JSON())
	if err != nil {
		return ""
	}
	left := map[string]bool{name: true}
	for _, n := range f.Fields.Form().Root.Kids() {
		if n.IsSet() && f.secrets.IsField(n) {
			left[n.Name] = true
		}
	}
	var others []form.Member
	for _, a := range members {
		if left[a.Name] {
			continue
		}
		var text string
		if len(a.Value) > SuggestTyped && json.Unmarshal(a.Value, &text) == nil {
			a.Value = form.Quote(cutRunes(text, SuggestTyped))
		}
		others = append(others, a)
	}
	if len(others) == 0 {
		return ""
	}
	return string(form.AppendObject(nil, others))
}

// askSuggestions asks the server, if nothing was typed since the pause began.
// An older question that is not answered yet is cancelled.
func (c *Composer) askSuggestions(n suggestMsg) {
	s := &c.suggestions
	if int(n) != s.n || s.about == (question{}) || s.about.epoch == s.off {
		return
	}
	argument := form.AppendObject(nil, []form.Member{{Name: "name", Value: form.Quote(s.about.name)}, {Name: "value", Value: form.Quote(s.about.value)}})
	params := []form.Member{{Name: "ref", Value: []byte(s.about.ref)}, {Name: "argument", Value: argument}}
	if s.about.others != "" && c.host.Screen().Status.Revision.HasCompletionContext() {
		params = append(params, form.Member{Name: "context", Value: form.AppendObject(nil, []form.Member{{Name: "arguments", Value: []byte(s.about.others)}})})
	}
	call := session.CallSpec{
		Method: "completion/complete", Params: form.AppendObject(nil, params), Origin: session.FromBelay, NoProgress: true, Supersedes: s.call,
	}
	if reply, err := c.host.Do(session.StartCall{Spec: call}); err == nil {
		s.call, s.asked = reply.Call, s.about
	}
}

// takeSuggestions takes the answer to the latest question.
func (c *Composer) takeSuggestions() {
	s := &c.suggestions
	if s.call == 0 {
		return
	}
	var d session.Detail
	var ok bool
	c.host.View(func(core *session.Session) { d, ok = core.Detail(s.call) })
	switch {
	case ok && d.IsInFlight():
		return
	case !ok, d.State == session.Cancelled, d.State == session.Dropped, d.State == session.Lost:
		s.call = 0
		return
	}
	s.call = 0
	if d.Err != nil && d.Err.Code == methodNotFound {
		s.off = s.asked.epoch
		if !c.host.Screen().Status.Server.Has.Completions {
			return // it never said that it could
		}
	}
	if len(s.kept) >= suggestKept || s.kept == nil {
		s.kept = map[question]suggested{}
	}
	s.kept[s.asked] = readSuggestions(&d)
	if s.asked == s.about {
		s.found = s.kept[s.asked]
	}
}

// methodNotFound is the code of a server that cannot complete at all.
const methodNotFound = -32601

func readSuggestions(d *session.Detail) suggested {
	if d.Err != nil {
		return suggested{why: safe.LineN(cmp.Or(d.ErrText, d.Err.Message), 120)}
	}
	if len(d.Result) > suggestMost {
		return suggested{why: "the answer of " + wording.Size(len(d.Result)) + " is too long"}
	}
	var result struct {
		Completion struct {
			Values  []json.RawMessage `json:"values"`
			HasMore bool              `json:"hasMore"`
		} `json:"completion"`
	}
	if json.Unmarshal(d.Result, &result) != nil {
		return suggested{why: "the answer is no list of values"}
	}
	found := suggested{more: result.Completion.HasMore}
	for i, raw := range result.Completion.Values {
		if i == session.MaxCompletions {
			found.more = true
			break
		}
		var v string
		if json.Unmarshal(raw, &v) == nil {
			found.values = append(found.values, v)
		}
	}
	return found
}

// suggests reports whether the server may propose values in the form.
func (f *Form) suggests() bool {
	st := f.c.host.Screen().Status
	if st.Phase != session.Ready || !st.Revision.Completes(st.Server.Has.Completions) {
		return false
	}
	return f.method == "prompts/get" || f.method == "resources/read"
}

// pickSuggestion puts the n-th value after the one before into the field.
func (f *Form) pickSuggestion(n int) {
	s := &f.c.suggestions
	if len(s.found.values) == 0 {
		return
	}
	if s.pick < 0 && n < 0 {
		s.pick = 0
	}
	s.pick = (s.pick + n + len(s.found.values)) % len(s.found.values)
	s.put = s.found.values[s.pick]
	node := f.Fields.Focus().Node
	node.Input.Set(s.put)
	node.Input.End()
	node.Typed()
	s.put = cutRunes(node.Input.String(), SuggestTyped)
}

func (f *Form) noSuggestions() string {
	if len(f.c.suggestions.found.values) == 0 {
		return "the server suggests nothing here"
	}
	return ""
}
