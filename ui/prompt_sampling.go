package ui

import (
	"bytes"
	"encoding/json"
	"image"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/edit"
	"belay/ui/form"
	"belay/ui/keymap"
	"belay/ui/spell"
)

// samplingAsk is a question of the server's to a model, which the user answers
// in its place: a text, the name of the model, why it stopped; or the result as
// raw JSON.
type samplingAsk struct {
	req   mcp.Sampling
	text  edit.Area
	lines [numSampleLines]edit.Line
	begun [numSampleLines]string // what the lines held at first
	focus int                    // 0: the text; else the line before it
	turn  int                    // the how manieth request of its call it is

	raw    edit.Area
	rawOn  bool
	rawWhy string
}

// The lines of a sampling answer.
const (
	sampleModel = iota
	sampleStop
	numSampleLines
)

var sampleWords = [numSampleLines]safe.Text{sampleModel: "model", sampleStop: "stop reason"}

func newSampling(req mcp.Sampling, turn int) *samplingAsk {
	s := &samplingAsk{req: req, turn: turn, text: edit.Area{Wrap: true}}
	s.begun = [numSampleLines]string{sampleModel: "human", sampleStop: "endTurn"}
	if len(req.Hints) > 0 {
		s.begun[sampleModel] = req.Hints[0]
	}
	for i, text := range s.begun {
		s.lines[i].Set(text)
		s.begun[i] = s.lines[i].String()
	}
	return s
}

func (s *samplingAsk) scope() keymap.Scope {
	if s.rawOn {
		return inAnswer
	}
	return inSampling
}

func (s *samplingAsk) title() safe.Text { return "to answer for a model" }

func (s *samplingAsk) pinned(m *Model) (lines []doc.Line) {
	warn := func(t safe.Text) { lines = append(lines, doc.Line{{Text: "! " + t, Style: m.styles.Warn}}) }
	if m.snap.status.Revision.Modern() {
		lines = append(lines, doc.Line{{Text: "sampling is deprecated in " + safe.Line(string(m.snap.status.Revision)), Style: m.styles.Muted}})
	}
	if s.turn > session.MaxTurns {
		warn("this is request " + spell.Thousands(s.turn) + " to a model within one call: it may be a loop")
	}
	if n := tokens(s.text.String()); !s.rawOn && s.req.MaxTokens > 0 && int64(n) > s.req.MaxTokens {
		warn(tooManyTokens(n, s.req))
	}
	return lines
}

func maxTokens(r mcp.Sampling) safe.Text { return safe.Text(strconv.FormatInt(r.MaxTokens, 10)) }

func tooManyTokens(n int, r mcp.Sampling) safe.Text {
	return "the answer is about " + spell.Thousands(n) + " tokens; the server wants at most " + maxTokens(r)
}

// tokens estimates how many tokens a text is: four letters each, and one for
// every character beyond ASCII. Models differ by a third and more.
func tokens(text string) int {
	ascii, other := 0, 0
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			ascii++
		}
	}
	other = utf8.RuneCountInString(text) - ascii
	return (ascii+3)/4 + other
}

func (s *samplingAsk) height(m *Model, width int) int {
	const around, most = 2, 14 // what stands above the text and below it; enough
	text := max(min(max(3, m.lay.Body.Dy()/6), 8), s.text.Rows(width-3, most))
	if s.rawOn {
		text *= 2
	}
	return around + text
}

func (s *samplingAsk) draw(m *Model, g canvas.Region) *image.Point {
	note := safe.Text("your answer")
	style := m.styles.Title
	switch {
	case s.rawOn && s.rawWhy != "":
		note, style = safe.LineN(s.rawWhy, 200), m.styles.Bad
	case s.rawOn:
		note = "the result as raw JSON"
	case s.req.MaxTokens > 0:
		note += " · about " + spell.Thousands(tokens(s.text.String())) + " of at most " + maxTokens(s.req) + " tokens"
	}
	g.Put(0, 0, safe.Cut(note, g.W()), style)
	area, rows := &s.text, g.H()-2
	if s.rawOn {
		area, rows = &s.raw, g.H()-1
	}
	field := g.Sub(0, 1, g.W(), max(1, rows))
	field.Fill(m.styles.Input)
	lines, x, y := area.View(field.W()-2, field.H())
	for i, l := range lines {
		field.Put(1, i, l, m.styles.Input)
	}
	if above, all := area.Scrolled(); all > len(lines) {
		part := spell.Thousands(above+1) + "-" + spell.Thousands(above+len(lines)) + " of " + spell.Thousands(all)
		if safe.Width(note)+2+safe.Width(part) <= g.W() {
			g.PutRight(g.W(), 0, part, m.styles.Muted)
		}
	}
	cursor := field.Cursor(1+x, y)
	if s.rawOn {
		return cursor
	}
	half := g.W() / numSampleLines
	for i := range s.lines {
		row := g.Sub(i*half, 1+field.H(), half, 1)
		label := m.styles.Text
		if s.focus == i+1 {
			label = m.styles.TitleOn
		}
		x := row.Put(i*2, 0, sampleWords[i], label) + 1
		line := row.Sub(x, 0, row.W()-x, 1)
		line.Fill(m.styles.Input)
		shown, x := s.lines[i].View(line.W() - 2)
		line.Put(1, 0, shown, m.styles.Input)
		if s.focus == i+1 {
			cursor = line.Cursor(1+x, 0)
		}
	}
	return cursor
}

func (s *samplingAsk) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	taken, changed := true, false
	switch {
	case s.rawOn:
		if taken, changed = s.raw.Key(k); changed {
			s.rawWhy = ""
		}
	case s.focus == 0:
		taken, _ = s.text.Key(k)
	case k.String() == "enter" || k.String() == "down":
		s.step(1)
	case k.String() == "up":
		s.step(-1)
	default:
		taken, _ = s.lines[s.focus-1].Key(k)
	}
	if !taken {
		return m.unused(k)
	}
	return nil
}

func (s *samplingAsk) touched() bool {
	touched := s.rawOn || s.text.String() != ""
	for i, text := range s.begun {
		touched = touched || s.lines[i].String() != text
	}
	return touched
}

// step goes to another field, around the end.
func (s *samplingAsk) step(n int) {
	s.focus = (s.focus + n + 1 + numSampleLines) % (1 + numSampleLines)
}

func (s *samplingAsk) paste(text string) {
	switch {
	case s.rawOn:
		s.raw.Insert(text)
	case s.focus == 0:
		s.text.Insert(text)
	default:
		s.lines[s.focus-1].Insert(text)
	}
}

// result is the answer that the fields mean.
func (s *samplingAsk) result(m *Model) ([]byte, error) {
	return mcp.SamplingAnswer{
		Text: s.text.String(), Model: strings.TrimSpace(s.lines[sampleModel].String()),
		StopReason: strings.TrimSpace(s.lines[sampleStop].String()),
	}.Result(m.snap.status.Revision)
}

// flip shows the answer as raw JSON, or the fields again when they can hold what
// the JSON says.
func (s *samplingAsk) flip(m *Model) tea.Cmd {
	if !s.rawOn {
		result, err := s.result(m)
		if err != nil {
			return m.sayError(err)
		}
		s.rawOn, s.rawWhy = true, ""
		s.raw.Set(string(form.Indent(result)))
		return nil
	}
	if why := s.take([]byte(s.raw.String())); why != "" {
		return m.say("not shown as text: "+why, refused)
	}
	s.rawOn = false
	return nil
}

// openEditor gives the answer, or the JSON beside it, to the user's editor.
func (s *samplingAsk) openEditor(m *Model) tea.Cmd {
	area, ending := &s.text, ".txt"
	if s.rawOn {
		area, ending = &s.raw, ".json"
	}
	return m.editText(area.String(), ending, func(_ *Model, after string) tea.Cmd {
		area.Set(after)
		return nil
	})
}

// take reads a result into the fields, and says why they cannot hold it.
func (s *samplingAsk) take(raw []byte) (why safe.Text) {
	var result struct {
		Role    string `json:"role"`
		Content struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Model      string `json:"model"`
		StopReason string `json:"stopReason"`
	}
	if err := mcp.CheckObject(raw); err != nil {
		return safe.LineN(err.Error(), 200)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&result); err != nil || result.Role != "assistant" || result.Content.Type != "text" || result.Model == "" || result.StopReason == "" {
		return "the fields hold a text of the assistant's, its model and its stop reason, and nothing else"
	}
	s.text.Set(result.Content.Text)
	s.lines[sampleModel].Set(result.Model)
	s.lines[sampleStop].Set(result.StopReason)
	return ""
}

func (s *samplingAsk) answer(m *Model) (result []byte, why, ask safe.Text) {
	result, err := []byte(s.raw.String()), error(nil)
	if !s.rawOn {
		result, err = s.result(m)
	}
	if err == nil {
		err = mcp.CheckSamplingResult(m.snap.status.Revision, s.req, result)
	}
	if err != nil {
		s.rawWhy = err.Error()
		why = safe.LineN(err.Error(), 200)
		if !s.rawOn {
			why += " · ctrl+g: raw JSON"
		}
		return nil, why, ""
	}
	if !s.rawOn && s.text.String() == "" {
		ask = "the answer is empty"
	}
	return result, "", ask
}
