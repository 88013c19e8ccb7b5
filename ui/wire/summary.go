package wire

import (
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

	recorded bool // they are of a recording
}

// summary is what the wire pane says of a message.
type summary struct {
	method safe.Text
	id     safe.Text // as it is on the wire; empty: none, or that of the call
	text   safe.Text
	level  string // of a log message, in lower case
	bare   bool   // the text is what came, which nothing else marks as foreign
}

func newSummaries(recorded bool) summaries {
	return summaries{made: map[session.Seq]summary{}, dec: mcp.NewDecoder(), recorded: recorded}
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
	out := summary{method: wording.Entry(e)}
	switch e.Kind {
	case session.EntEvent:
		out.text = remedy.With(safe.BytesN(e.Raw, 400), remedy.Left(e.Remedy, s.recorded))
		return out
	case session.EntStderr:
		out.text, out.bare = safe.BytesN(e.Raw, 400), true
		return out
	case session.EntInvalid:
		out.text, out.bare = safe.BytesN(e.Raw, 200), true
		return out
	case session.EntOversize:
		out.text, out.bare = safe.BytesN(e.Raw, 100)+" · "+wording.Size(e.Size), true
		return out
	case session.EntBatch:
		out.text = wording.Size(e.Size)
		return out
	case session.EntRequest, session.EntNotification, session.EntResult, session.EntError:
	}
	if e.Gone {
		out.text = wording.Size(e.Size) + " · " + wording.Gone(e)
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
	out.text = wording.Message(f, e)
	return out
}
