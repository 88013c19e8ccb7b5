package battery

import (
	"testing"
	"time"

	"belay/session"
	"belay/session/witness"
)

// When a process began is told as of the cancel, be it alive or not.
func TestAProcessBeganBeforeOrAfterTheCancel(t *testing.T) {
	const second = time.Second
	all := processes(&session.Detail{Processes: &witness.View{
		Before: &witness.Totals{}, At: &witness.Totals{}, After: &witness.Totals{}, Since: 4 * second,
		Processes: []witness.ProcessView{
			{Name: "ended", Age: 3 * second, Ended: second},
			{Name: "ended before", Age: second, Ended: -second},
			{Name: "late", Age: second, Ended: 2 * second},
			{Name: "lives", Age: 5 * second, Lives: true},
		},
	}})
	want := []time.Duration{-2 * second, -2 * second, second, -second}
	for i, p := range all.Began {
		if p.Began != want[i] {
			t.Errorf("%s began %v from the cancel, not %v", p.Name, p.Began, want[i])
		}
	}
	if len(all.Began) != len(want) {
		t.Errorf("there are %d", len(all.Began))
	}
}
