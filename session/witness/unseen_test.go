package witness

import (
	"slices"
	"testing"
	"time"
)

// What ended while nobody looked is told as seen last at one time and gone at another, and what ended between
// two samples as ended. The finding is the same.
func TestAnEndThatNobodySaw(t *testing.T) {
	for _, c := range []struct {
		name       string
		gap        time.Duration // from the last sample that saw it to the one that does not
		told       []string
		note       string
		age, ended time.Duration
		unseen     bool
	}{
		{"between two samples", 3 * time.Second, []string{`1: "sleep 14" (pid 11) ended`, `1: a connection to "192.0.2.2:80" was seen closed`}, `"sleep 14" (pid 11), started during this call, had ended 13 s after the cancel`, 13500 * time.Millisecond, 13 * time.Second, false},
		{
			"minutes later", 4 * time.Minute,
			[]string{`1: "sleep 14" (pid 11) was gone: it was seen last 10 s after the cancel`, `1: a connection to "192.0.2.2:80" was gone: it was seen last 10 s after the cancel`},
			`"sleep 14" (pid 11), started during this call, was seen last 10 s after the cancel, and was gone 250 s after the cancel`, 10500 * time.Millisecond, 250 * time.Second, true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			p.calls(1)
			p.wait(500 * time.Millisecond)
			p.begins(11, 10, "sleep 14")
			p.conns = []Connection{{10, "192.0.2.1:9", "192.0.2.2:80"}}
			p.wait(500 * time.Millisecond)
			p.cancels(1)
			p.wait(grace)
			p.over(1)
			for p.now.Before(p.acc[1].cancelled.Add(Follow - 100*time.Millisecond)) {
				p.wait(20 * time.Millisecond)
			}
			p.now = p.acc[1].cancelled.Add(Follow)
			p.wide = p.now
			p.sample()
			was := p.acc[1].Finding()
			p.ends(11)
			p.conns = nil
			p.now = p.now.Add(c.gap)
			p.sample()
			if !slices.Equal(p.told, c.told) {
				t.Errorf("told: %q", p.told)
			}
			if notes := p.notes(1); !slices.Contains(notes, c.note) {
				t.Errorf("the notes: %q", notes)
			}
			if v := p.acc[1].View().Processes[0]; v.Age != c.age || v.Ended != c.ended || v.Unseen != c.unseen || v.Seen != Follow || v.Lives {
				t.Errorf("%+v", v)
			}
			if v := p.acc[1].View(); v.Opened != 1 || v.Open != 1 || v.OpenSince != Follow {
				t.Errorf("%d of %d connections were open %v after the cancel", v.Open, v.Opened, v.OpenSince)
			}
			if is := p.acc[1].Finding(); is != was || is != Left {
				t.Errorf("the finding was %d, and is %d", was, is)
			}
		})
	}
}
