package wire

import (
	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
)

// logMessage is how a server logs (LOG-01; server/utilities/logging).
const logMessage = "notifications/message"

// logWords are what the filter can ask for of a log message besides its text, such as
// "level:error" and "logger:db" (LOG-12; server/utilities/logging).
func logWords(e *session.Entry) string {
	if e.Method != logMessage || len(e.Raw) > summaryBytes {
		return ""
	}
	l := mcp.Decode(e.Raw).Log
	return "level:" + l.Level + " logger:" + l.Logger
}

// levelMark gives each level of syslog a sign and a color; a level that nobody knows is shown as
// it is (LOG-11; server/utilities/logging).
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
