package wording

import (
	"encoding/json"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
)

// Entry names what was on the wire: a message by its method, and anything else by its
// kind. An event of belay's own has no name.
func Entry(e *session.Entry) safe.Text {
	switch e.Kind {
	case session.EntResult:
		return "result"
	case session.EntError:
		return "error"
	case session.EntStderr:
		return "stderr"
	case session.EntInvalid:
		return "not JSON-RPC"
	case session.EntOversize:
		return "too long"
	case session.EntBatch:
		return "batch"
	case session.EntEvent:
		return ""
	case session.EntRequest, session.EntNotification:
	}
	return Method(e.Method)
}

// Message says in a line what a message carries, beside its name and its ID.
func Message(f *mcp.Frame, e *session.Entry) safe.Text {
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
		t := Number(f.Progress.Value)
		if f.Progress.HasTotal {
			t += "/" + Number(f.Progress.Total)
		}
		var message string
		if json.Unmarshal(f.Progress.Message, &message) == nil && message != "" {
			t += " " + safe.QuotedCut(message, 100)
		}
		return t
	case f.Log.Valid:
		return logMessage(&f.Log)
	case f.Kind == mcp.FrameError:
		return Join(ErrorCode(&f.Error), ErrorMessage(&f.Error, 160))
	case f.Kind == mcp.FrameResult:
		return Size(e.Size) + " " + safe.BytesN(f.Result, 200)
	case len(f.Params) > 0:
		return safe.BytesN(f.Params, 200)
	}
	return ""
}

// logMessage is what a log message says, with its level and who says it. Only a level of
// the specification stands without quotes: where the line begins belay has words of its
// own, and any other name could be one of them (SEC-23).
func logMessage(l *mcp.LogNote) safe.Text {
	level := safe.Line(l.Level)
	if !levels[l.Level] && l.Level != "" {
		level = safe.QuotedCut(l.Level, 12)
	}
	if l.Logger != "" {
		level = Join(level, safe.QuotedCut(l.Logger, 24)+":")
	}
	return Join(level, safe.BytesN(l.Data, 200))
}

// levels are those of the specification.
var levels = map[string]bool{
	"debug": true, "info": true, "notice": true, "warning": true, "error": true, "critical": true, "alert": true, "emergency": true,
}

// Gone says what became of the bytes of a message that has none.
func Gone(e *session.Entry) safe.Text {
	if e.Flags&session.FlagHollow != 0 {
		return "not in this recording: it was begun later"
	}
	return "no longer kept"
}

// Flag is the word for what matters most among the flags of a message.
func Flag(flags session.EntryFlags) safe.Text {
	for _, f := range []struct {
		flag session.EntryFlags
		word safe.Text
	}{
		{session.FlagStale, "[old connection]"},
		{session.FlagUnwritten, "[not written]"},
		{session.FlagLate, "[late, ignored]"},
		{session.FlagAfter, "[after cancel]"},
		{session.FlagProbe, "[probe]"},
		{session.FlagWrong, "[deliberate]"},
		{session.FlagRaw, "[by hand]"},
		{session.FlagDiag, "[!]"},
	} {
		if flags&f.flag != 0 {
			return f.word
		}
	}
	return ""
}
