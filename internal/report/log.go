package report

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/secret"
)

// CancelLog is the log of the cancellations of a session, of belay's requests and of the server's: a line of
// JSON for each event, in the form of log/slog, oldest first (CXL-25, CXS-10; basic/utilities/cancellation).
// Secrets are hidden by the mask; control characters and others that cannot be seen are written out. Where
// the session has let the oldest events go, a line before them says how many; others before it say what is to be
// known of the recording.
func CancelLog(view Source, mask *secret.Mask, notes []safe.Text) []byte {
	m := masker{mask}
	var events []session.CancelEvent
	view(func(s *session.Session) { events = s.CancelEvents() })
	var b bytes.Buffer
	h := slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})
	line := func(level slog.Level, text string, attrs ...slog.Attr) {
		r := slog.NewRecord(time.Time{}, level, text, 0) // the event has its time
		r.AddAttrs(attrs...)
		_ = h.Handle(context.Background(), r) // into memory
	}
	for _, n := range notes {
		line(slog.LevelWarn, string(n))
	}
	if len(events) > 0 && events[0].Number > 1 {
		line(slog.LevelWarn, fmt.Sprintf("%d earlier events are not kept", events[0].Number-1))
	}
	for i := range events {
		e := &events[i]
		text := e.Stage.String()
		if e.Note != "" {
			text += ": " + e.Note
		}
		var attrs []slog.Attr
		for _, a := range e.LogValue().Group() {
			if a.Value.Kind() == slog.KindString {
				a.Value = slog.StringValue(m.line(a.Value.String()))
			}
			attrs = append(attrs, a)
		}
		line(e.Level(), m.line(text), attrs...)
	}
	return b.Bytes()
}

// line hides secrets in a text, and writes out what cannot be seen.
func (m masker) line(s string) string { return string(safe.Line(m.text(s))) }
