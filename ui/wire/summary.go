package wire

import (
	"encoding/json"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/remedy"
)

// summaryBytes is how much of a message is read for its one line in the wire
// pane. Longer ones are shown by their size.
const summaryBytes = 16 << 10

// summaries are the lines of the wire pane that were made for messages that
// are on the screen. A message never changes, so neither does its line.
type summaries struct {
	made map[session.Seq]summary
	dec  *mcp.Decoder
}

// summary is what the wire pane says of a message.
type summary struct {
	method safe.Text
	id     safe.Text // as it is on the wire; empty: none, or that of the call
	text   safe.Text
	level  string // of a log message, in lower case
	bare   bool   // the text is what came, which nothing else marks as foreign
}

func newSummaries() summaries {
	return summaries{made: map[session.Seq]summary{}, dec: mcp.NewDecoder()}
}

const summariesMost = 1024

func (s *summaries) of(e *session.Entry) summary {
	if got, ok := s.made[e.Seq]; ok && !e.Gone {
		return got
	}
	if len(s.made) > summariesMost {
		clear(s.made)
	}
	made := s.make(e)
	s.made[e.Seq] = made
	return made
}

func (s *summaries) make(e *session.Entry) summary {
	switch e.Kind {
	case session.EntEvent:
		return summary{text: remedy.With(safe.BytesN(e.Raw, 400), e.Remedy)}
	case session.EntStderr:
		return summary{method: "stderr", text: safe.BytesN(e.Raw, 400), bare: true}
	case session.EntInvalid:
		return summary{method: "not JSON-RPC", text: safe.BytesN(e.Raw, 200), bare: true}
	case session.EntOversize:
		return summary{method: "too long", text: safe.BytesN(e.Raw, 100) + " · " + wording.Size(e.Size), bare: true}
	case session.EntBatch:
		return summary{method: "batch", text: wording.Size(e.Size)}
	case session.EntRequest, session.EntNotification, session.EntResult, session.EntError:
	}
	out := summary{method: s.kindOf(e)}
	if e.Gone {
		out.text = wording.Size(e.Size) + " · no longer kept"
		return out
	}
	if len(e.Raw) > summaryBytes {
		out.text = wording.Size(e.Size)
		return out
	}
	f := s.dec.Decode(e.Raw)
	if !f.ID.IsZero() {
		out.id = safe.LineN(f.ID.String(), 24)
	}
	if e.Method == logMessage {
		out.level = strings.ToLower(f.Log.Level)
	}
	out.text = frameWords(f, e)
	return out
}

func (s *summaries) kindOf(e *session.Entry) safe.Text {
	switch e.Kind {
	case session.EntResult:
		return "result"
	case session.EntError:
		return "error"
	default:
		return wording.Method(e.Method)
	}
}

// frameWords is what is worth knowing of a message at a glance.
func frameWords(f *mcp.Frame, e *session.Entry) safe.Text {
	switch {
	case f.Cancelled != nil && e.Call != 0: // its ID stands in the line already
		return safe.QuotedCut(f.Cancelled.Reason, 100)
	case f.Cancelled != nil:
		id := "#" + safe.BytesN(f.Cancelled.IDRaw, 24)
		if !f.Cancelled.ID.IsZero() {
			id = "#" + safe.LineN(f.Cancelled.ID.String(), 24)
		}
		if f.Cancelled.Reason == "" {
			return id
		}
		return id + " " + safe.QuotedCut(f.Cancelled.Reason, 100)
	case f.Progress.Valid:
		t := wording.Number(f.Progress.Value)
		if f.Progress.HasTotal {
			t += "/" + wording.Number(f.Progress.Total)
		}
		var message string
		if json.Unmarshal(f.Progress.Message, &message) == nil && message != "" {
			t += " " + safe.QuotedCut(message, 100)
		}
		return t
	case f.Log.Valid:
		return logLine(&f.Log)
	case f.Kind == mcp.FrameError:
		return wording.Join(wording.ErrorCode(&f.Error), wording.ErrorMessage(&f.Error, 160))
	case f.Kind == mcp.FrameResult:
		return wording.Size(e.Size) + " " + safe.BytesN(f.Result, 200)
	case len(f.Params) > 0:
		return safe.BytesN(f.Params, 200)
	}
	return ""
}
