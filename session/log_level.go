package session

import (
	"slices"
	"strings"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// LogOff is the level of [SetLogLevel] that asks for no log messages.
const LogOff = "off"

// SetLogLevel asks for log messages of a level and above. Before 2026-07-28 that
// is a call, logging/setLevel; since then every later request says so by itself,
// the call is 0, and nothing is sent (LOG-02, LOG-08). A level that there is not,
// and [LogOff] where there is no such thing, are refused.
type SetLogLevel struct {
	Level string `json:"level"`
}

func (in SetLogLevel) check(s *Session) error {
	modern := s.conn.rev.Modern()
	switch {
	case s.conn.phase != Ready:
		return refuse(RefuseNotReady, "not connected")
	case levelRank(in.Level) < 0 && in.Level != LogOff:
		return refuse(RefuseParams, "the levels are %s", strings.Join(logLevels, ", "))
	case in.Level == LogOff && !modern:
		return refuse(RefuseUnsupported, "%s cannot switch log messages off; emergency lets the fewest through", s.conn.rev)
	case !modern:
		return in.call().check(s)
	}
	return nil
}

// call is what sets the level before 2026-07-28.
func (in SetLogLevel) call() StartCall {
	return StartCall{CallSpec{Method: "logging/setLevel", Params: append(rawjson.AppendQuote([]byte(`{"level":`), in.Level), '}')}}
}

func (in SetLogLevel) apply(s *Session) Reply {
	if !s.conn.rev.Modern() {
		return in.call().apply(s)
	}
	s.conn.logLevel = in.Level
	if in.Level == LogOff {
		s.conn.logLevel = ""
	}
	s.conn.envelope = s.writer.modernEnvelope(s.conn.rev)
	s.event("log level of the requests from now on: " + in.Level)
	return Reply{}
}

// logsFor is the level of the log messages that a request of the modern era asks
// for, by the user's own _meta or by that of belay's; empty: it asks for none.
// Those of a subscription never come.
func (n *connection) logsFor(c *call, params []byte) string {
	own, ok := rawjson.TextAt(mcp.MetaOf(params), metaLogLevel)
	switch {
	case c.isListen():
		return ""
	case ok:
		return own
	case c.Raw:
		return ""
	}
	return n.logLevel
}

// onLog takes notifications/message. The message is shown on the wire, and with its
// call where the call is known; faults of the message are diagnosed.
func (s *Session) onLog(f *mcp.Frame) {
	r := s.http.requestOfLog()
	var id CallID
	least := s.conn.logLevel
	if r != nil && r.call != nil {
		id = r.call.id
		s.addLog(r, f)
	}
	if r != nil && s.conn.rev.Modern() {
		least = r.logs
	}
	switch n := &f.Log; {
	case !n.Valid:
		s.diagnose(mcp.DiagLogMalformed, id, "", "")
	case r != nil && r.call != nil && r.call.isListen():
		// Told by onSubscriptionStream.
	case s.conn.rev.Modern() && r != nil && r.logs == "":
		s.diagnose(mcp.DiagLogUnasked, id, r.id.String(), "on the stream of #"+r.id.String()+" "+sentence.Name(r.method)+", which asks for none")
	case s.conn.rev.Modern() && r == nil && len(s.outgoing.asking) == 0:
		s.diagnose(mcp.DiagLogUnasked, 0, "", "")
	case !s.conn.server.Has.Logging:
		s.diagnose(mcp.DiagLogUndeclared, 0, "", "")
	case levelRank(n.Level) < 0:
		s.diagnose(mcp.DiagLogLevel, id, n.Level, "unknown level "+sentence.Quoted(sentence.Clip(n.Level)))
	case least != "" && levelRank(n.Level) < levelRank(least):
		s.diagnose(mcp.DiagLogLevel, id, n.Level, sentence.Name(n.Level)+" is below "+least)
	}
}

// requestOfLog is the request that the log message at hand is about: over HTTP the one
// whose stream it came on. On stdio nothing says so, but since 2026-07-28 it can
// only be one that asks for them, so that it is known where that is one alone
// (LOG-06).
func (w *exchanges) requestOfLog() *request {
	if e := w.via; e != nil {
		if w.carrier == httpSSE {
			return nil
		}
		return e.req
	}
	if w.conn.rev.Modern() && len(w.outgoing.asking) == 1 {
		for _, r := range w.outgoing.asking {
			return r
		}
	}
	return nil
}

// addLog puts a log message on the timeline of its call. After a cancel it is
// counted, and changes nothing (LOG-15).
func (s *Session) addLog(r *request, f *mcp.Frame) {
	c := r.call
	s.hist.belongs(c.id)
	switch {
	case c.swept || c.isListen():
	case s.conn.rev.Modern() && c.stop != nil && r == c.req:
		s.after.onUpdateAfterCancel(c, f)
	default:
		c.line.update(s.now, "log message, "+sentence.Clip(f.Log.Level), s.hist.cur)
		s.rows.touch(c)
	}
}

// logLevels are the eight levels, least severe first (LOG-11).
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func levelRank(level string) int { return slices.Index(logLevels, level) }
