package statusline

import (
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel"
)

// says checks what stands in the line.
func says(t *testing.T, l *Line, want safe.Text) {
	t.Helper()
	if got := l.Notice().Text; got != want {
		t.Errorf("the status line says %q, want %q", got, want)
	}
}

func TestASentenceEndsWithItsOwnTimeOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Line
		first := l.Say(panel.Said("one"))
		second := l.Say(panel.Said("two"))
		end(t, &l, first)
		says(t, &l, "two")
		l.Say(panel.Instead("two of them"))
		says(t, &l, "two of them")
		end(t, &l, second)
		says(t, &l, "")
	})
}

// end runs the command that waits for the end of a sentence, and tells the line.
func end(t *testing.T, l *Line, wait tea.Cmd) {
	t.Helper()
	if wait == nil {
		t.Fatal("nothing ends the sentence")
	}
	if _, taken := l.Update(wait()); !taken {
		t.Fatal("the line does not know the end of its own sentence")
	}
}

func TestASentenceStaysWhileTheClockStands(t *testing.T) {
	l := Line{Frozen: true}
	if l.Say(panel.Said("one")) != nil {
		t.Error("a sentence would end by time")
	}
	says(t, &l, "one")
	l.Say(panel.Said(""))
	says(t, &l, "one")
	l.Say(panel.Silence())
	says(t, &l, "")
}

func TestASentenceThatTookAPlaceIsReplacedToo(t *testing.T) {
	view := func(f func(*session.Session)) { f(nil) }
	now, ended := safe.Text(""), false
	l := Line{Frozen: true}
	l.Say(panel.Said("cancelling").While(func(*session.Session) (safe.Text, bool) { return now, ended }))
	for _, step := range []struct {
		now   safe.Text
		ended bool
		want  safe.Text
	}{
		{"", false, "cancelling"},
		{"still working", true, "still working"},
		{"still working", true, "still working"},
		{"completed", true, "completed"},
		{"", true, ""},
	} {
		now, ended = step.now, step.ended
		before := l.Number()
		said := step.want != l.Notice().Text && step.want != ""
		l.Refresh(view)
		says(t, &l, step.want)
		if got := l.Number() != before; got != said {
			t.Errorf("%q begins its time anew: %t", step.want, got)
		}
	}
}

func TestASentenceIsReplacedWhenItIsNotTrue(t *testing.T) {
	view := func(f func(*session.Session)) { f(nil) }
	for _, c := range []struct {
		name    string
		instead safe.Text
		over    bool
		want    safe.Text
	}{
		{"true still", "", false, "cancelling"},
		{"over", "", true, ""},
		{"over, and something took its place", "cancelled", true, "cancelled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := Line{Frozen: true}
			l.Say(panel.Said("cancelling").While(func(*session.Session) (safe.Text, bool) { return c.instead, c.over }))
			l.Refresh(view)
			says(t, &l, c.want)
		})
	}
}
