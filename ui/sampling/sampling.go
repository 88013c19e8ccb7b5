// Package sampling is the answer to a request to a model, which the user writes in the
// model's place: a text, the name of the model, why it stopped; or the result as raw JSON.
// It takes keys, draws itself, and gives the result. The panel has no way to the screen:
// where something cannot be done, it returns the reason.
package sampling

import (
	"bytes"
	"encoding/json"
	"strings"

	"belay/internal/form"
	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/session/mcp"
	"belay/ui/theme"
)

// View is an answer that is being written. Make one with [New].
type View struct {
	looks   theme.Looks
	req     mcp.Sampling
	text    edit.Area
	lines   [numLines]edit.Line
	initial [numLines]string // what the lines held at first
	focus   int              // 0: the text; else the line before it

	raw    edit.Area
	rawOn  bool
	rawWhy string
}

// The lines of an answer.
const (
	lineModel = iota
	lineStop
	numLines
)

var lineWords = [numLines]safe.Text{lineModel: "model", lineStop: "stop reason"}

// New is an answer without text, of the model that the request would like best.
func New(req mcp.Sampling, looks theme.Looks) *View {
	v := &View{looks: looks, req: req, text: edit.Area{Wrap: true}}
	v.initial = [numLines]string{lineModel: "human", lineStop: "endTurn"}
	if len(req.Hints) > 0 {
		v.initial[lineModel] = req.Hints[0]
	}
	for i, text := range v.initial {
		v.lines[i].Set(text)
		v.initial[i] = v.lines[i].String()
	}
	return v
}

// IsRaw reports whether the raw JSON is shown, and not the fields.
func (v *View) IsRaw() bool { return v.rawOn }

// Key edits what has the focus. taken is false for a key that does nothing there.
func (v *View) Key(k edit.Key) (taken bool) {
	taken, changed := true, false
	switch {
	case v.rawOn:
		if taken, changed = v.raw.Key(k); changed {
			v.rawWhy = ""
		}
	case v.focus == 0:
		taken, _ = v.text.Key(k)
	case k.Name == "enter" || k.Name == "down":
		v.Step(1)
	case k.Name == "up":
		v.Step(-1)
	default:
		taken, _ = v.lines[v.focus-1].Key(k)
	}
	return taken
}

// Step goes to another field, around the end.
func (v *View) Step(n int) {
	v.focus = (v.focus + n + 1 + numLines) % (1 + numLines)
}

// Paste puts text into what has the focus.
func (v *View) Paste(text string) {
	switch {
	case v.rawOn:
		v.raw.Insert(text)
	case v.focus == 0:
		v.text.Insert(text)
	default:
		v.lines[v.focus-1].Insert(text)
	}
}

// WasTouched reports whether the user has begun with the answer.
func (v *View) WasTouched() bool {
	touched := v.rawOn || v.text.String() != ""
	for i, text := range v.initial {
		touched = touched || v.lines[i].String() != text
	}
	return touched
}

// result is the answer that the fields mean.
func (v *View) result(rev mcp.Revision) ([]byte, error) {
	return mcp.SamplingAnswer{
		Text: v.text.String(), Model: strings.TrimSpace(v.lines[lineModel].String()),
		StopReason: strings.TrimSpace(v.lines[lineStop].String()),
	}.Result(rev)
}

// Flip shows the answer as raw JSON, or the fields again. err says why the fields
// are no answer in that revision, why says why they cannot hold what the JSON says.
func (v *View) Flip(rev mcp.Revision) (why safe.Text, err error) {
	if !v.rawOn {
		result, err := v.result(rev)
		if err != nil {
			return "", err
		}
		v.rawOn, v.rawWhy = true, ""
		v.raw.Set(string(form.Indent(result)))
		return "", nil
	}
	if why := v.load([]byte(v.raw.String())); why != "" {
		return "not shown as text: " + why, nil
	}
	v.rawOn = false
	return "", nil
}

// Outside is what the user's editor gets: the text, or the JSON beside it, with the
// ending of a file of that kind. put takes over what came of it.
func (v *View) Outside() (text, ending string, put func(after string)) {
	if v.rawOn {
		return v.raw.String(), ".json", v.raw.Set
	}
	return v.text.String(), ".txt", v.text.Set
}

// load reads a result into the fields, and says why they cannot hold the result.
func (v *View) load(raw []byte) (why safe.Text) {
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
	v.text.Set(result.Content.Text)
	v.lines[lineModel].Set(result.Model)
	v.lines[lineStop].Set(result.StopReason)
	return ""
}

// Result is the answer to send in that revision, or why there is none yet. ask is
// what the user has to confirm first; empty: nothing.
func (v *View) Result(rev mcp.Revision) (result []byte, why, ask safe.Text) {
	result, err := []byte(v.raw.String()), error(nil)
	if !v.rawOn {
		result, err = v.result(rev)
	}
	if err == nil {
		err = mcp.CheckSamplingResult(rev, v.req, result)
	}
	if err != nil {
		v.rawWhy = err.Error()
		why = safe.LineN(err.Error(), 200)
		if !v.rawOn {
			why += " · ctrl+g: raw JSON"
		}
		return nil, why, ""
	}
	if !v.rawOn && v.text.String() == "" {
		ask = "the answer is empty"
	}
	return result, "", ask
}
