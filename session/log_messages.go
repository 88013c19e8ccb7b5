package session

import (
	"slices"

	"belay/session/mcp"
	"belay/session/sentence"
)

// onLog takes notifications/message. The message is shown on the wire, and with its
// call where the call is known; faults of the message are diagnosed.
func (s *Session) onLog(f *mcp.Frame) {
	r := s.http.requestOfLog()
	var id CallID
	least := s.writer.logLevel
	if r != nil && r.call != nil {
		id = r.call.id
		s.after.addLog(r, f)
	}
	if r != nil && s.conn.rev.IsModern() {
		least = r.logs
	}
	switch n := &f.Log; {
	case !n.Valid:
		s.diagnose(mcp.DiagLogMalformed, id, "", "")
	case r != nil && r.call != nil && r.call.isListen():
		// Told by onSubscriptionStream.
	case s.conn.rev.IsModern() && r != nil && r.logs == "":
		s.diagnose(mcp.DiagLogUnasked, id, r.id.String(), "on the stream of #"+r.id.String()+" "+sentence.Name(r.method)+", which asks for none")
	case s.conn.rev.IsModern() && r == nil && len(s.outgoing.asking) == 0:
		s.diagnose(mcp.DiagLogUnasked, 0, "", "")
	case !s.conn.server.Has.Logging:
		s.diagnose(mcp.DiagLogUndeclared, 0, "", "")
	case levelRank(n.Level) < 0:
		s.diagnose(mcp.DiagLogLevel, id, n.Level, "unknown level "+sentence.Quoted(sentence.Clip(n.Level)))
	case least != "" && levelRank(n.Level) < levelRank(least):
		s.diagnose(mcp.DiagLogLevel, id, n.Level, sentence.Name(n.Level)+" is below "+least)
	}
}

// requestOfLog returns the request that the log message at hand belongs to: over HTTP the
// request on whose stream the message came. On stdio a log message names no request. Since
// 2026-07-28 a server may log only for requests that set a level; if exactly one such
// request is in flight, the message is its own (LOG-06; server/utilities/logging).
func (xs *exchanges) requestOfLog() *request {
	if e := xs.via; e != nil {
		if xs.variant == httpSSE {
			return nil
		}
		return e.req
	}
	if xs.conn.rev.IsModern() && len(xs.outgoing.asking) == 1 {
		for _, r := range xs.outgoing.asking {
			return r
		}
	}
	return nil
}

// addLog puts a log message on the timeline of its call. After a cancel it is
// counted, and changes nothing (LOG-15).
func (a *afterCancel) addLog(r *request, f *mcp.Frame) {
	c := r.call
	a.hist.setCall(c.id)
	switch {
	case !c.isShown() || c.isListen():
	case c.stop != nil && r == c.req:
		a.onUpdateAfterCancel(c, f)
	default:
		a.moment(c, MomentView{Dir: In, Kind: MomUpdate, Text: "log message, " + sentence.Clip(f.Log.Level), Entry: a.hist.cur})
	}
}

// logLevels are the eight levels, least severe first (LOG-11; server/utilities/logging).
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func levelRank(level string) int { return slices.Index(logLevels, level) }
