// Package outcome writes what became of a call where there is no screen: as a document of
// JSON for programs, faithful to what the server wrote, and as text for people. The form
// of the document is told of in docs/call.md, and keeps to what stands there.
package outcome

import (
	"bytes"
	"encoding/json"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// Version is that of the document. It grows when a member changes its meaning or goes; a new
// member does not change it.
const Version = 1

// Outcome is a call that has ended, or that nobody waits for any more.
type Outcome struct {
	Call      session.Detail
	Status    session.Status
	Tool      string
	Arguments []byte
	Questions []Question
	Wrong     []session.WrongView // the cancels that were wrong on purpose
	Unsent    []Unsent            // … and those that could not be sent
	Exit      int                 // the exit code

	Unstructured *session.Diagnostic // a result without the structured content that its tool promises; nil: it is none
}

// Unsent is a wrong cancel that was not sent.
type Unsent struct {
	Kind string
	Why  string // may hold foreign text
}

// Question is something that the server asked meanwhile.
type Question struct {
	Method  string `json:"method"`
	Message string `json:"message,omitempty"`
	Answer  string `json:"answer"`         // answered, declined, dismissed, withdrawn, lost or waiting
	Rule    int    `json:"rule,omitempty"` // which answer of the file was given, from 1
	Why     string `json:"why,omitempty"`  // why that one could not be given
}

type (
	document struct {
		Format     string          `json:"format"`
		Version    int             `json:"version"`
		Exit       int             `json:"exit"`
		Server     Server          `json:"server"`
		Tool       string          `json:"tool"`
		Arguments  json.RawMessage `json:"arguments,omitempty"`
		ID         string          `json:"id,omitempty"`
		State      string          `json:"state"`
		Seconds    *float64        `json:"seconds,omitempty"`
		Note       string          `json:"note,omitempty"`
		Result     json.RawMessage `json:"result,omitempty"`
		ResultText string          `json:"resultText,omitempty"`
		IsError    bool            `json:"isError,omitempty"`
		Error      *fault          `json:"error,omitempty"`
		Structured *structured     `json:"structured,omitempty"`
		Progress   *progress       `json:"progress,omitempty"`
		Task       *task           `json:"task,omitempty"`
		Cancel     *cancelled      `json:"cancel,omitempty"`
		Questions  []Question      `json:"questions,omitempty"`
		Wrong      []wrong         `json:"wrongCancels,omitempty"`
	}
	wrong struct {
		Kind   string `json:"kind"`
		ID     string `json:"id,omitempty"`
		Reason string `json:"reason,omitempty"`
		Sent   bool   `json:"sent"`
		Answer string `json:"answer,omitempty"`
		Why    string `json:"why,omitempty"`
	}
	// Server is who answered, and how it is spoken to. Name and title are the server's own words;
	// the screen has the title where there is one.
	Server struct {
		Name      string `json:"name,omitempty"`
		Title     string `json:"title,omitempty"`
		Version   string `json:"version,omitempty"`
		Transport string `json:"transport"`
		Revision  string `json:"revision,omitempty"`
	}
	fault struct {
		Code    json.RawMessage `json:"code,omitempty"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	structured struct {
		Conforms *bool                 `json:"conforms"`
		Faults   []session.SchemaFault `json:"faults,omitempty"`
		More     bool                  `json:"more,omitempty"`
		Refused  string                `json:"refused,omitempty"`
		Blind    []safe.Text           `json:"notChecked,omitempty"`
		Missing  bool                  `json:"missing,omitempty"`
	}
	progress struct {
		Count   int      `json:"count"`
		Value   float64  `json:"value"`
		Total   *float64 `json:"total,omitempty"`
		Message string   `json:"message,omitempty"`
	}
	task struct {
		ID      string `json:"id"`
		Status  string `json:"status,omitempty"`
		Message string `json:"statusMessage,omitempty"`
		Odd     *odd   `json:"noStatus,omitempty"`
		Unread  bool   `json:"outcomeNotCome,omitempty"`
		Ahead   bool   `json:"endNotTold,omitempty"`
		Other   *other `json:"otherwise,omitempty"`
		Alone   bool   `json:"endNotConfirmed,omitempty"`
	}
	// other is what the server said first otherwise than the end of the task, after it.
	other struct {
		Status  string `json:"status"`
		By      string `json:"by"`
		Message string `json:"statusMessage,omitempty"`
	}
	// odd is what the server said last in place of a status, with the message that came with it.
	odd struct {
		Word    string `json:"word"`
		Message string `json:"statusMessage,omitempty"`
	}
	cancelled struct {
		By       string     `json:"by"`
		Reason   string     `json:"reason"`
		Verdict  string     `json:"verdict,omitempty"`
		Meaning  string     `json:"meaning,omitempty"`
		Evidence []evidence `json:"evidence"`
		After    int        `json:"messagesAfter"`
		Late     *late      `json:"late,omitempty"`
	}
	evidence struct {
		At    float64  `json:"atSeconds"`
		After *float64 `json:"afterCancelSeconds,omitempty"`
		Text  string   `json:"text"`
	}
	late struct {
		After      *float64        `json:"afterCancelSeconds,omitempty"` // left out where no cancel had left
		Result     json.RawMessage `json:"result,omitempty"`
		ResultText string          `json:"resultText,omitempty"`
		IsError    bool            `json:"isError,omitempty"`
		Error      *fault          `json:"error,omitempty"`
	}
)

// ServerOf is the server of a status.
func ServerOf(st *session.Status) Server {
	return Server{Name: st.Server.Name, Title: st.Server.Title, Version: st.Server.Version, Transport: st.Transport.String(), Revision: string(st.Revision)}
}

// JSON is the document, with a line break at its end. Whatever a terminal would obey stands
// in its strings as \u…: a program reads the same text.
func (o *Outcome) JSON() []byte {
	c := &o.Call
	doc := document{
		Format: "belay-call", Version: Version, Exit: o.Exit, Server: ServerOf(&o.Status), Tool: o.Tool, Arguments: o.Arguments, ID: c.Wire.String(),
		State: stateWord(c.Shown()), Note: c.Note, IsError: c.ToolError, Error: faultOf(c.Err), Questions: o.Questions,
	}
	doc.Result, doc.ResultText = valueOf(c.Result)
	if !c.Ended.IsZero() {
		took := secs(c.Age(c.Ended))
		doc.Seconds = &took
	}
	if doc.Structured = structuredOf(c); o.Unstructured != nil {
		doc.Structured = &structured{Missing: true}
	}
	if p := c.Progress; p.Count > 0 {
		doc.Progress = &progress{Count: p.Count, Value: p.Value, Message: p.Message}
		if p.HasTotal {
			doc.Progress.Total = &p.Total
		}
	}
	if c.Task != nil && c.Task.ID != "" {
		doc.Task = &task{ID: c.Task.ID, Status: c.Task.Status.String(), Message: c.Task.Message, Unread: c.Task.OutcomeOut || c.Task.OutcomeLeft, Ahead: isAhead(c), Alone: c.Task.Unconfirmed}
		if c.Task.IsOdd { // the message came with that word, and not with the status of before
			doc.Task.Message, doc.Task.Odd = "", &odd{c.Task.Odd, c.Task.Message}
		}
		if o := c.Task.Otherwise; o.Status != 0 {
			doc.Task.Other = &other{o.Status.String(), o.By.String(), o.Message}
		}
	}
	doc.Cancel = cancelOf(c)
	for _, w := range o.Wrong {
		doc.Wrong = append(doc.Wrong, wrong{Kind: string(w.Kind), ID: w.ID, Reason: w.Reason, Sent: !w.Sent.IsZero(), Answer: w.Answer})
	}
	for _, u := range o.Unsent {
		doc.Wrong = append(doc.Wrong, wrong{Kind: u.Kind, Why: u.Why})
	}
	return Encode(doc)
}

// Uncalled is the document where no call was made; why says why.
func Uncalled(server Server, tool string, exit int, why string) []byte {
	return Encode(document{Format: "belay-call", Version: Version, Exit: exit, Server: server, Tool: tool, State: stateWord(session.Dropped), Note: why})
}

// stateWord is the state as the document has it, without what only a screen needs.
func stateWord(s session.State) string {
	if s == session.Cancelling {
		return "cancelling"
	}
	return s.String()
}

func structuredOf(c *session.Detail) *structured {
	switch c.Conformity {
	case session.Conforms, session.Breaks:
		out := &structured{Faults: c.Schema.Faults, More: c.Schema.More}
		for _, part := range c.Schema.Blind {
			out.Blind = append(out.Blind, safe.Line(part))
		}
		if keeps := c.Conformity == session.Conforms; !keeps || len(out.Blind) == 0 { // else nobody knows
			out.Conforms = &keeps
		}
		return out
	case session.Uncheckable:
		return &structured{Refused: c.Schema.NotChecked}
	case session.NoSchema, session.Unjudged:
	}
	return nil
}

func cancelOf(c *session.Detail) *cancelled {
	if c.Initiator == 0 {
		return nil
	}
	out := &cancelled{By: c.Initiator.String(), Reason: c.Reason, After: c.AfterCount, Evidence: []evidence{}}
	if c.Verdict != cancel.NoVerdict {
		out.Verdict, out.Meaning = string(wording.VerdictWord(c.Row)), string(wording.Verdict(c))
	}
	for _, e := range c.Evidence {
		line := evidence{At: secs(e.At.Sub(c.Created)), Text: string(safe.Line(e.Text))}
		line.After = after(e.After)
		out.Evidence = append(out.Evidence, line)
	}
	if l := c.Late; l != nil {
		shown := l.Shown()
		out.Late = &late{After: after(l.After), IsError: shown.ToolError, Error: faultOf(shown.Err)}
		out.Late.Result, out.Late.ResultText = valueOf(shown.Result)
	} else if c.TaskEndAfter > 0 { // and the outcome of the task has not come
		out.Late = &late{After: after(c.TaskEndAfter)}
	}
	return out
}

// after is how long after the cancel something was; nil: no cancel had left.
func after(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	s := secs(d)
	return &s
}

func faultOf(e *mcp.RPCError) *fault {
	if e == nil {
		return nil
	}
	f := &fault{Message: e.Message}
	f.Code, _ = valueOf(e.CodeRaw)
	f.Data, _ = valueOf(e.Data)
	return f
}

// valueOf is what the server wrote as JSON, or as a text where it is none.
func valueOf(raw []byte) (value json.RawMessage, text string) {
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) == 0:
		return nil, ""
	case json.Valid(raw):
		return raw, ""
	}
	return nil, string(raw)
}

// secs are seconds to the microsecond, as a number of no more digits than that.
func secs(t time.Duration) float64 { return float64(t.Round(time.Microsecond).Microseconds()) / 1e6 }
