package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// A withdrawal that comes after the answer changes nothing, and a line says that it
// came.
func TestAWithdrawalAfterTheAnswerIsTold(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("t")
	r.recv(samplingAsk, 77)
	if _, err := r.s.Handle(r.now, Refuse{Question: r.s.Questions()[0].ID, Code: -1, Message: "no", As: Declined}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wait(time.Second)
	r.recv(cancelledNote, 77)
	r.recv(cancelledNote, 77)
	const want = `the server withdrew sampling/createMessage after it was declined: "changed my mind"`
	if n := len(r.events(want)); n != 1 {
		t.Errorf("%d events, want one: %q", n, r.events("withdrew"))
	}
	d, _ := r.s.Detail(id)
	notes := 0
	for _, m := range d.Timeline {
		if m.Kind == MomNote && strings.Contains(m.Text, want) {
			notes++
		}
	}
	if notes != 1 {
		t.Errorf("%d lines on the timeline of its call", notes)
	}
}
