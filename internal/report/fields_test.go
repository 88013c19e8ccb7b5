package report

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"belay/internal/wording/calltest"
	"belay/session"
)

// raw is what of a text would do something to a terminal, or to whom reads it; empty: it is
// only text.
func raw(text string) string {
	for _, c := range text {
		switch {
		case c == '\n':
		case unicode.IsControl(c), unicode.In(c, unicode.Bidi_Control, unicode.Zl, unicode.Zp):
			at := strings.IndexRune(text, c)
			return strings.ToValidUTF8(text[max(0, at-100):min(len(text), at+40)], "?")
		}
	}
	return ""
}

// Field by field: whatever a recording holds, and a server says, reaches a report as text,
// in each of the formats.
func TestNoFieldReachesAReportRaw(t *testing.T) {
	all := calltest.Recordings(calltest.Evil)
	if len(all) < 300 {
		t.Errorf("%d recordings", len(all))
	}
	fields := []string{
		"cancel reason", "closed why Status", "new config Platform", "opened head At", "processes processes command", "received raw error code", "received raw error message",
		"received raw of notifications/progress params message", "received raw result serverInfo title", "received raw result task statusMessage", "each revision",
	}
	told := map[string]bool{}
	for i, r := range all {
		// The plain run plays all of them.
		if raceEnabled && i%4 > 0 && !slices.Contains(fields, r.Field) {
			continue
		}
		s, _ := r.Played()
		if s == nil {
			continue
		}
		view := func(f func(*session.Session)) { f(s) }
		made := Take(view, find(view, func(*session.Row) bool { return true }), About{Version: "1.2.0"})
		if len(made.Calls) == 0 && !strings.Contains(r.Field, "initialize") {
			t.Errorf("%s: no calls", r.Field)
		}
		for format, name := range formatWords {
			text := string(made.As(Format(format)))
			if found := raw(text); found != "" {
				t.Errorf("%s: the %s has %q", r.Field, name, found)
			}
			if strings.Contains(text, "evil") {
				told[r.Field] = true
			}
		}
	}
	for _, field := range fields {
		if !told[field] {
			t.Errorf("%s is told nowhere: its recordings prove nothing", field)
		}
	}
}
