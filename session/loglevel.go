package session

import (
	"slices"
	"strings"
	"time"
)

// LogOff is the level of SetLogLevel that asks for no log messages.
const LogOff = "off"

// SetLogLevel asks for log messages of a level and above. Before 2026-07-28 that
// is a call, logging/setLevel; since then every later request says so by itself,
// the call is 0, and nothing is sent (LOG-02, LOG-08). A level that there is not,
// and [LogOff] where there is no such thing, are refused.
func (s *Session) SetLogLevel(now time.Time, level string) (CallID, error) {
	modern := s.conn.rev.Modern()
	switch {
	case s.conn.phase != Ready:
		return 0, refuse(RefuseNotReady, "not connected")
	case levelRank(level) < 0 && level != LogOff:
		return 0, refuse(RefuseParams, "the levels are %s", strings.Join(logLevels, ", "))
	case level == LogOff && !modern:
		return 0, refuse(RefuseUnsupported, "%s cannot switch log messages off; emergency lets the fewest through", s.conn.rev)
	case !modern:
		return s.Call(now, Call{Method: "logging/setLevel", Params: append(quote([]byte(`{"level":`), level), '}')})
	}
	s.at(now)
	s.journal.logLevel(s.now, level)
	s.conn.logLevel = level
	if level == LogOff {
		s.conn.logLevel = ""
	}
	s.conn.envelope = s.modernEnvelope(s.conn.rev)
	s.event("log level of the requests from now on: " + level)
	return 0, nil
}

// wantsLogs notes that a request asks for log messages, by the user's own _meta
// or by that of belay's.
func (s *Session) wantsLogs(c *call) {
	if s.conn.logLevel != "" || c.Params != nil && at(metaIn(c.Params), metaLogLevel) != nil {
		s.conn.logsAsked = true
	}
}

// LogLevels are the levels that SetLogLevel takes, least severe first.
func LogLevels() []string { return slices.Clone(logLevels) }
