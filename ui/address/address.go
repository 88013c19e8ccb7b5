// Package address shows what is to be known of an address before it is opened.
package address

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/suspect"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/theme"
)

// Notes are the host, with the part that somebody registered emphasised, and what is odd about the
// address (ELI-40 to ELI-42; client/elicitation).
func Notes(u *suspect.URL, looks theme.Looks) []doc.Line {
	st := looks.Styles
	var lines []doc.Line
	if u.Host != "" {
		host, emphasis := u.Host, canvas.Style{FG: st.Warn.FG, Attr: canvas.Bold | canvas.Underline}
		at := strings.LastIndex(host, u.Main) // it may stand further in front, too
		before, after := host[:at], host[at+len(u.Main):]
		if strings.Contains(host, ":") {
			before, after = "[", "]"
		}
		line := doc.Line{
			{Text: "host: ", Style: st.Muted},
			{Text: safe.Line(before), Style: st.Muted},
			{Text: safe.Line(u.Main), Style: emphasis},
			{Text: safe.Line(after), Style: st.Muted},
		}
		if u.Port != "" {
			line = append(line, doc.Span{Text: ":" + safe.Line(u.Port), Style: st.Text})
		}
		if u.Local {
			line = append(line, doc.Span{Text: " (this machine)", Style: st.Muted})
		}
		if u.Unicode != "" {
			line = append(line, doc.Span{Text: " · reads " + safe.QuotedCut(u.Unicode, 80), Style: st.Warn})
		}
		lines = append(lines, line)
	}
	if u.Refused != "" {
		lines = append(lines, doc.Line{{Text: "cannot be opened: " + safe.Line(u.Refused), Style: st.Bad}})
	}
	const most = 20
	for i, n := range u.Notes {
		if i == most {
			lines = append(lines, doc.Line{{Text: "and " + wording.Thousands(len(u.Notes)-most) + " more that is odd", Style: st.Warn}})
			break
		}
		lines = append(lines, doc.Line{{Text: "! " + safe.LineN(n, 200), Style: st.Warn}})
	}
	return lines
}

// LinkNote warns that a message holds what looks like a link (ELI-57; client/elicitation).
func LinkNote(message string, looks theme.Looks) []doc.Line {
	if !suspect.Links(message) {
		return nil
	}
	return []doc.Line{{{Text: "! its message contains a URL; no key opens that", Style: looks.Styles.Warn}}}
}
