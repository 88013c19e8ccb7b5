package question

import (
	"testing"

	"belay/internal/safe"
	"belay/session"
)

// The foot of a locked form says what esc does, however long the reason is and narrow the panel.
func TestTheFootKeepsItsKey(t *testing.T) {
	const reason = "its key asks for something else now · nothing was sent"
	for _, tt := range []struct {
		words safe.Text
		width int
		want  safe.Text
	}{
		{reason + " · esc dismisses", 74, reason + " · esc dismisses"},
		{reason + " · esc dismisses", 40, "its key asks for someth… · esc dismisses"},
		{"a long reason without a key", 10, "a long re…"},
		{"why · esc dismisses", 8, " · esc …"},
	} {
		if got := fitted(tt.words, tt.width); got != tt.want {
			t.Errorf("%d: %q, want %q", tt.width, got, tt.want)
		}
	}
}

// On the narrowest screen, too, it is said whole what a key sends when it is pressed again, and which key
// keeps what was typed.
func TestWhatASecondKeySendsIsSaidWhole(t *testing.T) {
	const narrowest = 60 - 4 // within the frame of the panel
	for _, tt := range []struct {
		method  string
		round   int
		leaving session.QuestionState
		wide    safe.Text
		narrow  safe.Text
	}{
		{"elicitation/create", 0, session.Dismissed, "esc again answers cancel without what you typed", "esc again answers cancel"},
		{"elicitation/create", 0, session.Declined, "ctrl+r again declines without what you typed", "ctrl+r again declines"},
		{"sampling/createMessage", 0, session.Dismissed, "esc again rejects the request without what you typed", "esc again rejects this"},
		{"sampling/createMessage", 0, session.Declined, "ctrl+r again rejects the request without what you typed", "ctrl+r again rejects this"},
		{"sampling/createMessage", 2, session.Dismissed, "esc again rejects the request, which ends the call", "esc again ends the call"},
		{"sampling/createMessage", 2, session.Declined, "ctrl+r again rejects the request, which ends the call", "ctrl+r again ends the call"},
	} {
		a := &question{view: session.QuestionView{Method: tt.method, Round: tt.round}, leaving: tt.leaving}
		if got, want := leavingWords(a, 76), tt.wide+" · ctrl+l keeps it"; got != want {
			t.Errorf("with room: %q, want %q", got, want)
		}
		if got, want := leavingWords(a, narrowest), tt.narrow+" · ctrl+l keeps what you typed"; got != want || fitted(got, narrowest) != got {
			t.Errorf("with little room: %q, want %q", got, want)
		}
	}
	run(t, 60, 15, func(w *harness) {
		w.asksForm("q1", "Which branch?")
		w.Type("mai")
		w.Press("esc")
		w.Shows(w.p, "esc again answers cancel · ctrl+l keeps what you typed")
	})
}
