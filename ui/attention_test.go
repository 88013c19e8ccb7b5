package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/attention"
)

// The terminal is told of the state of belay if it shows that, and of nothing any more when belay
// ends.
func TestTheTerminalIsToldOfTheState(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		if v := w.m.View(); v.ProgramStatus != nil || v.ReportFocus {
			t.Errorf("told without being asked: %+v, focus %v", v.ProgramStatus, v.ReportFocus)
		}
		w.send(tea.ProgramStatusSupportMsg{})
		w.call("countdown")
		if s := w.m.View().ProgramStatus; s == nil || s.State != tea.ProgramStateWorking {
			t.Errorf("with a call in flight: %+v", s)
		}
		w.result(w.last("tools/call"), `{"content":[]}`)
		if s := w.m.View().ProgramStatus; s == nil || s.State != tea.ProgramStateDone {
			t.Errorf("when it is over: %+v", s)
		}
		w.press("q")
		w.wait(time.Second)
		if s := w.m.View().ProgramStatus; s != nil {
			t.Errorf("at the end: %+v", s)
		}
	})
}

// A long call that ends is told by a sequence that the terminal gets, and only while the terminal
// is not looked at.
func TestALongCallIsNotified(t *testing.T) {
	var told []string
	notify := func(words safe.Text) string {
		told = append(told, string(words))
		return ""
	}
	connected(t, 80, 24, Options{Notify: notify, NoMotion: true}, func(w *harness) {
		if !w.m.View().ReportFocus {
			t.Error("the terminal is not asked for its focus")
		}
		for _, focus := range []tea.Msg{tea.BlurMsg{}, tea.FocusMsg{}} {
			w.send(focus)
			w.call("countdown")
			w.wait(attention.Long)
			w.result(w.last("tools/call"), `{"content":[]}`)
		}
	})
	if len(told) != 1 || !strings.Contains(told[0], "countdown done after 1m") {
		t.Errorf("told %q", told)
	}
}
