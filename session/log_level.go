package session

import (
	"strings"

	"belay/session/rawjson"
)

// LogOff is the level of [SetLogLevel] that asks for no log messages.
const LogOff = "off"

// SetLogLevel asks for log messages of a level and above. Before 2026-07-28 that is a call,
// logging/setLevel; since then every later request says so by itself, the call is 0, and nothing
// is sent (LOG-02, LOG-08; server/utilities/logging). A level that there is not, and [LogOff]
// where there is no such thing, are refused.
type SetLogLevel struct {
	Level string `json:"level"`
}

func (in SetLogLevel) check(s *Session) error {
	modern, unready := s.conn.rev.IsModern(), unready(s.conn.phase, s.cfg.Transport)
	switch {
	case unready != nil:
		return unready
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
	if !s.conn.rev.IsModern() {
		return in.call().apply(s)
	}
	s.writer.askForLogs(in.Level)
	s.event("log level of the requests from now on: " + in.Level)
	return Reply{}
}
