package sampler

import (
	"strings"
	"testing"
	"time"
)

// The name of a process is anything, and so are the fields behind it.
func TestTheFileOfAProcess(t *testing.T) {
	k := &kernel{page: 4096, up: 25 * time.Second}
	const rest = " S 10 20 30 0 -1 4194560 97 0 0 0 150 50 7 3 20 0 4 0 2000 3149824 25 18446744073709551615 1 1"
	r, err := k.parse(77, []byte("77 (a) b (c)"+rest+"\n"))
	if err != nil || r.Name != "a) b (c" || r.Parent != 10 || r.group != 20 || r.session != 30 || r.CPU != 2*time.Second ||
		r.Reaped != 100*time.Millisecond || r.Threads != 4 || r.Memory != 25*4096 || r.Age != 5*time.Second || r.Ended {
		t.Errorf("%+v: %v", r, err)
	}
	if r, err := k.parse(77, []byte("77 (x)"+strings.Replace(rest, " S ", " Z ", 1)+"\n")); err != nil || !r.Ended {
		t.Errorf("%+v: %v", r, err)
	}
	for _, text := range []string{"", "77", "77 (x", "77 )(", "77 (x)", "77 (x) S 1 2 3", "77 (x)" + strings.Replace(rest, "150", "zero", 1)} {
		if r, err := k.parse(77, []byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}
