package session

import (
	"slices"
	"testing"
	"time"
)

// On stdio a poll that is answered shows that the server had read the cancel. The timeline names it.
func TestAPollThatShowsTheCancelReadIsNamed(t *testing.T) {
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		r.wantNext("tasks/cancel")
		r.works(time.Minute)
		var told []string
		d, _ := r.s.Detail(id)
		for _, m := range d.Timeline {
			if m.Kind == MomProbeAnswer {
				told = append(told, m.Text)
			}
		}
		if slices.Contains(told, "something written later") || !slices.Contains(told, "tasks/get, which was written later") {
			t.Errorf("%q", told)
		}
	})
}
