package report

import (
	"bytes"
	"encoding/json"
	"time"

	"belay/internal/safe"
)

// The document of JSON. Its fields are told of in docs/report.md.
type (
	jsonReport struct {
		Format      string          `json:"format"`
		Version     int             `json:"version"`
		Environment jsonEnvironment `json:"environment"`
		Calls       []jsonCall      `json:"calls"`
		CallsLeft   int             `json:"callsLeftOut"`
	}
	jsonEnvironment struct {
		Server    jsonServer  `json:"server"`
		Transport safe.Text   `json:"transport"`
		Revision  string      `json:"revision,omitempty"`
		Belay     safe.Text   `json:"belay,omitempty"`
		Writer    safe.Text   `json:"writer,omitempty"`
		Platform  safe.Text   `json:"platform,omitempty"`
		Grace     float64     `json:"graceSeconds"`
		Bound     float64     `json:"boundSeconds"`
		Unmasked  bool        `json:"unmaskedRecording,omitempty"`
		Notes     []safe.Text `json:"recordingNotes,omitempty"`
	}
	jsonServer struct {
		Name    safe.Text `json:"name,omitempty"`
		Title   safe.Text `json:"title,omitempty"`
		Version safe.Text `json:"version,omitempty"`
	}
	jsonCall struct {
		ID         safe.Text       `json:"id"`
		Connection int             `json:"connection"`
		Earlier    bool            `json:"earlierConnection,omitempty"`
		Method     safe.Text       `json:"method"`
		Target     safe.Text       `json:"target,omitempty"`
		At         time.Time       `json:"at"`
		State      safe.Text       `json:"state"`
		Duration   *float64        `json:"durationSeconds,omitempty"`
		Note       safe.Text       `json:"note,omitempty"`
		Params     json.RawMessage `json:"params,omitempty"`
		ParamsText safe.Text       `json:"paramsText,omitempty"`
		Cancel     *jsonCancel     `json:"cancel,omitempty"`
		Evidence   []jsonEvidence  `json:"evidence"`
		Processes  *jsonProcesses  `json:"processes,omitempty"`
		Sequence   []jsonStep      `json:"sequence"`
		Wire       jsonWire        `json:"wire"`
	}
	jsonCancel struct {
		By      safe.Text `json:"by"`
		At      float64   `json:"atSeconds"`
		Reason  safe.Text `json:"reason,omitempty"`
		Verdict safe.Text `json:"verdict,omitempty"`
		Meaning safe.Text `json:"meaning,omitempty"`
		Rule    *jsonRule `json:"specification,omitempty"`
	}
	jsonRule struct {
		Revision string    `json:"revision"`
		Page     safe.Text `json:"page"`
		Address  string    `json:"url,omitempty"`
		Level    safe.Text `json:"level,omitempty"`
		Rule     safe.Text `json:"rule"`
	}
	jsonEvidence struct {
		At   float64   `json:"atSeconds"`
		Text safe.Text `json:"text"`
	}
	jsonStep struct {
		At     float64   `json:"atSeconds"`
		Way    string    `json:"direction"`
		Kind   string    `json:"kind"`
		Text   safe.Text `json:"text"`
		Folded int       `json:"folded,omitempty"`
	}
	jsonWire struct {
		Messages int        `json:"messages"`
		Lines    []jsonLine `json:"lines"`
		Behind   int        `json:"leftOutAfter,omitempty"`
	}
	jsonLine struct {
		Before  int       `json:"leftOutBefore,omitempty"`
		At      float64   `json:"atSeconds"`
		Time    time.Time `json:"time"`
		Way     string    `json:"direction"`
		Label   safe.Text `json:"label"`
		Size    int       `json:"bytes"`
		Message safe.Text `json:"message,omitempty"`
		Gone    bool      `json:"gone,omitempty"`
	}
)

var ways = [...]string{Here: "local", Out: "to server", In: "from server"}

// JSON writes the report as JSON.
func (r *Report) JSON() []byte {
	e := &r.Environment
	doc := jsonReport{
		Format: "belay-report", Version: Version, Calls: []jsonCall{}, CallsLeft: r.Left,
		Environment: jsonEnvironment{
			Server: jsonServer(e.Server), Transport: e.Transport, Revision: string(e.Revision), Belay: e.Belay, Writer: e.Writer,
			Platform: e.Platform, Grace: secs(e.Grace), Bound: secs(e.Bound), Unmasked: e.Unmasked, Notes: e.Notes,
		},
	}
	for i := range r.Calls {
		doc.Calls = append(doc.Calls, r.Calls[i].json())
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	_ = enc.Encode(doc) // of texts, numbers, and JSON that was found well-formed
	return b.Bytes()
}

func (c *Call) json() jsonCall {
	out := jsonCall{
		ID: c.ID, Connection: c.Epoch, Earlier: c.Earlier, Method: c.Method, Target: c.Target, At: c.At, State: c.State, Note: c.Note,
		Params: c.ParamsJSON, Cancel: c.Cancel.json(), Processes: c.Processes.json(), Evidence: []jsonEvidence{}, Sequence: []jsonStep{},
		Wire: jsonWire{Messages: c.Wire.Count, Behind: c.Wire.Behind, Lines: []jsonLine{}},
	}
	if c.ParamsJSON == nil {
		for _, l := range c.Params {
			out.ParamsText += l
		}
	}
	if c.Duration > 0 {
		t := secs(c.Duration)
		out.Duration = &t
	}
	for _, e := range c.Evidence {
		out.Evidence = append(out.Evidence, jsonEvidence{secs(e.At), e.Text})
	}
	for _, s := range c.Steps {
		out.Sequence = append(out.Sequence, jsonStep{secs(s.At), ways[s.Way], classes[s.Kind], s.Text, s.Folded})
	}
	for _, l := range c.Wire.Lines {
		out.Wire.Lines = append(out.Wire.Lines, jsonLine{l.Before, secs(l.At), l.Time, ways[l.Way], l.Label, l.Size, l.Message, l.Gone})
	}
	return out
}

func (c *Cancel) json() *jsonCancel {
	if c == nil {
		return nil
	}
	out := &jsonCancel{By: c.By, At: secs(c.At), Reason: c.Reason, Verdict: c.Verdict, Meaning: c.Meaning}
	if r := c.Rule; r.Text != "" {
		out.Rule = &jsonRule{string(r.Revision), r.Page, r.Address, r.Level, r.Text}
	}
	return out
}

// secs is a time in seconds, to the microsecond.
func secs(t time.Duration) float64 { return float64(t.Round(time.Microsecond).Microseconds()) / 1e6 }
