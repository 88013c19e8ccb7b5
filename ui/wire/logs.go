package wire

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
)

// logMessage is how a server logs (LOG-01).
const logMessage = "notifications/message"

// logLine is what a log message says, with its level and who says it. Only a level of
// the specification stands without quotes: where the line begins belay has words of its
// own, and any other name could be one of them (SEC-23).
func logLine(l *mcp.LogNote) safe.Text {
	level := safe.Line(l.Level)
	if !levels[l.Level] && l.Level != "" {
		level = safe.QuotedCut(l.Level, 12)
	}
	if l.Logger != "" {
		level = wording.Join(level, safe.QuotedCut(l.Logger, 24)+":")
	}
	return wording.Join(level, safe.BytesN(l.Data, 200))
}

// levels are those of the specification.
var levels = map[string]bool{
	"debug": true, "info": true, "notice": true, "warning": true, "error": true, "critical": true, "alert": true, "emergency": true,
}

// logWords are what the filter can ask for of a log message besides its text,
// such as "level:error" and "logger:db" (LOG-12).
func logWords(e *session.Entry) string {
	if e.Method != logMessage || len(e.Raw) > summaryBytes {
		return ""
	}
	l := mcp.Decode(e.Raw).Log
	return "level:" + l.Level + " logger:" + l.Logger
}

// levelMark gives each level of syslog a sign and a color; a level that nobody
// knows is shown as it is (LOG-11).
func (p *Pane) levelMark(level string) (safe.Text, canvas.Style) {
	g, st := &p.looks.Glyphs, &p.looks.Styles
	switch level {
	case "debug":
		return g.Note, st.Muted
	case "info":
		return g.Bullet, st.Text
	case "notice":
		return g.Bullet, st.Info
	case "warning":
		return "!", st.Warn
	case "error":
		return g.Failed, st.Bad
	case "critical", "alert", "emergency":
		return "!!", st.Bad.Bold()
	}
	return "?", st.Muted
}
