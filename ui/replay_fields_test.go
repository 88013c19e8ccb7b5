package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/wording/calltest"
	"belay/session"
	"belay/ui/replay"
)

// Field by field: whatever a recording holds, its screen shows as text in its place: the rows,
// each tab of each call, the messages and their pages, the page of the server, and what is
// wrong with the recording.
func TestNoFieldOfARecordingIsShownRaw(t *testing.T) {
	requirements.Rows(t, "SEC-19")
	const width, height = 160, 100
	shown := map[string]bool{}
	recorded(t, width, height, func(w *harness, sp *spool) {
		for i, r := range calltest.Recordings(calltest.Evil) {
			if r.Alone || raceDetector && i%40 != 0 {
				continue
			}
			s, faults := r.Played()
			if s == nil {
				continue
			}
			w.b.mu.Lock()
			w.b.s = s
			w.b.mu.Unlock()
			sp.st.Session++
			sp.st.Faults, sp.st.Faulty = nil, len(faults)
			for i, f := range faults {
				sp.st.Faults = append(sp.st.Faults, replay.Fault{Line: int64(i), Text: f.Error()})
			}
			w.b.ring()
			w.wait(200 * time.Millisecond)
			see := func(keys ...string) {
				w.press(keys...)
				look(t, w, width, height, r.Field+", after "+strings.Join(keys, " "))
				shown[r.Field] = shown[r.Field] || strings.Contains(w.screen(), "evil")
			}
			see("1", "g")
			for last := session.CallID(0); last != w.m.calls.Chosen(); w.press("1", "j") {
				last = w.m.calls.Chosen()
				see("2")
				for range 3 {
					see("l")
				}
				w.press("h", "h", "h")
			}
			see("3", "G")
			for range 3 {
				see("enter")
				w.press("esc", "k", "k", "k")
			}
			see("i")
			see("pgdown")
			see("esc")
			if len(faults) > 0 {
				w.press(":")
				w.write("recording")
				see("enter")
				see("esc")
			}
		}
	})
	if raceDetector {
		return
	}
	for _, field := range []string{
		"cancel reason", "remark text", "stderr line", "closed why Stderr", "processes processes command", "processes connections remote", "processes lacks",
		"received raw error message", "received raw result serverInfo name", "received raw result instructions", "received raw of notifications/progress params message",
		"received raw of notifications/message params data a", "received raw result tools description", "opened head Retry", "opened head Packed", "ended end Body", "received raw result task statusMessage",
	} {
		if !shown[field] {
			t.Errorf("%s is shown nowhere: its recordings prove nothing", field)
		}
	}
}
