package detail

import (
	"strings"
	"testing"
	"time"

	"belay/session/witness"
	"belay/ui/doc"
	"belay/ui/theme"
	"belay/ui/write"
)

// What processes used stands side by side, and what they are called is made safe.
func TestProcessesAreShown(t *testing.T) {
	figures := func(cpu time.Duration, n int, counted bool) *witness.Totals {
		return &witness.Totals{CPU: cpu, Memory: 14_600_000, Threads: 3 * n, Processes: n, Files: 7 * n, Connections: n - 1, Counted: counted}
	}
	counted := func(t *witness.Totals, ago time.Duration) *witness.Totals {
		t.CountedAt = t.At.Add(-ago)
		return t
	}
	whole := &witness.View{
		Before: figures(120*time.Millisecond, 1, false), At: figures(1500*time.Millisecond, 2, true), After: figures(9*time.Second, 2, true),
		BeforeAge: 4 * time.Minute, AtSince: 83 * time.Millisecond, Since: 4200 * time.Millisecond, Every: 100 * time.Millisecond, EveryWide: time.Second, Follows: true, Gone: 12, Opened: 2, Open: 1, OpenSince: 3900 * time.Millisecond,
		Processes: []witness.ProcessView{
			{PID: 7, Name: "sleep\x1b[2J 14 \u202e", Began: 43 * time.Millisecond, Lives: true, Age: 5 * time.Second},
			{PID: 8, Name: "a", Began: time.Second, Age: 2 * time.Second, Ended: 300 * time.Millisecond},
			{PID: 10, Name: "c", Began: time.Second, Age: 2 * time.Second, Seen: 10 * time.Second, Ended: 4 * time.Minute, Unseen: true},
			{PID: 9, Name: "b", Began: 3 * time.Millisecond, Age: 70 * time.Millisecond, Ended: -time.Second},
		},
		Lacks: []string{"open\x07files"}, Blind: true,
	}
	for _, c := range []struct {
		name  string
		view  *witness.View
		looks theme.Looks
		want  []string
	}{
		{"nothing was seen", nil, theme.Looks{Glyphs: theme.Unicode}, nil},
		{"all of it", whole, theme.Looks{Glyphs: theme.Unicode}, []string{
			"processes of the server",
			"           240.00s before → 83ms after the cancel → 4.20s after",
			"CPU time   0.12s → 1.50s → 9.00s",
			"memory     14.6 MB → 14.6 MB → 14.6 MB",
			"processes  1 → 2 → 2",
			"threads    3 → 6 → 6",
			"files      ? → 14 → 14",
			"connected  ? → 1 → 1",
			`began      "sleep⟨ESC⟩[2J 14 ⟨U+202E⟩" (pid 7), 40ms after the call was sent · runs, as of 4.20s after the cancel`,
			`           "a" (pid 8), 1.00s after the call was sent · had ended 300ms after the cancel`,
			`           "c" (pid 10), 1.00s after the call was sent · was seen last 10.00s after the cancel, and was gone 240.00s`,
			`           after the cancel`,
			`           "b" (pid 9), <10ms after the call was sent · had ended before the cancel, at most 70ms old`,
			"           and at least 12 more that had ended",
			"opened     2 connections, of which 1 open 3.90s after the cancel",
			"sampled    every 100ms, files and connections every 1.00s, until 10s after the cancel",
			"           a process that lived for less may have been missed",
			"not seen   open⟨BEL⟩files",
			"not seen   the server had more processes than the 64 that belay looks at",
		}},
		{"files and connections were counted earlier", &witness.View{
			Before: figures(0, 1, true), At: counted(figures(0, 2, true), 820*time.Millisecond), After: counted(figures(0, 2, true), 730*time.Millisecond),
			AtSince: -90 * time.Millisecond, Since: 10020 * time.Millisecond, Every: 100 * time.Millisecond, EveryWide: time.Second,
		}, theme.Looks{Glyphs: theme.Unicode}, []string{
			"processes of the server",
			"           before → 90ms before the cancel → 10.02s after",
			"CPU time   0.00s → 0.00s → 0.00s",
			"memory     14.6 MB → 14.6 MB → 14.6 MB",
			"processes  1 → 2 → 2",
			"threads    3 → 6 → 6",
			"           before → 910ms before the cancel → 9.29s after",
			"files      7 → 14 → 14",
			"connected  0 → 1 → 1",
			"sampled    every 100ms, files and connections every 1.00s",
			"           a process that lived for less may have been missed",
		}},
		{"memory and threads are not told", &witness.View{
			Before: &witness.Totals{Processes: 2, NoMemory: 2, NoThreads: 2},
			At:     &witness.Totals{Processes: 3, NoMemory: 3, Threads: 4, NoThreads: 2},
			After:  &witness.Totals{Processes: 0}, AtSince: 9 * time.Millisecond, Since: time.Second, Every: time.Second,
		}, theme.Looks{Glyphs: theme.Unicode}, []string{
			"processes of the server",
			"           before → at the cancel → 1.00s after",
			"CPU time   0.00s → 0.00s → 0.00s",
			"memory     ? → ? → 0 B",
			"processes  2 → 3 → 0",
			"threads    ? → ≥4 → 0",
			"files      ? → ? → ?",
			"connected  ? → ? → ?",
			"sampled    every 1.00s",
			"           a process that lived for less may have been missed",
			"not seen   memory",
			"not seen   threads of some processes",
		}},
		{"files and connections are not told", &witness.View{
			Before: &witness.Totals{Processes: 2, Counted: true, NoFiles: 2, NoConnections: 2},
			At:     &witness.Totals{Processes: 2, Counted: true, NoFiles: 1, Files: 7, NoConnections: 2},
			After:  &witness.Totals{Processes: 2, Counted: true, Files: 14, NoConnections: 2}, AtSince: 9 * time.Millisecond, Since: time.Second, Every: time.Second,
		}, theme.Looks{Glyphs: theme.Unicode}, []string{
			"processes of the server",
			"           before → at the cancel → 1.00s after",
			"CPU time   0.00s → 0.00s → 0.00s",
			"memory     0 B → 0 B → 0 B",
			"processes  2 → 2 → 2",
			"threads    0 → 0 → 0",
			"files      ? → ≥7 → 14",
			"connected  ? → ? → ?",
			"sampled    every 1.00s",
			"           a process that lived for less may have been missed",
			"not seen   open files of some processes",
			"not seen   connections",
		}},
		{"it is over", &witness.View{
			After: figures(0, 1, true), Since: 10 * time.Second, Every: time.Second,
			Processes: []witness.ProcessView{{PID: 7, Name: "sleep 14", Began: 2 * time.Second, Lives: true, Age: 13 * time.Second}},
		}, theme.Looks{Glyphs: theme.Unicode}, []string{
			"processes of the server",
			"           before → at the cancel → 10.00s after",
			"CPU time   ? → ? → 0.00s",
			"memory     ? → ? → 14.6 MB",
			"processes  ? → ? → 1",
			"threads    ? → ? → 3",
			"files      ? → ? → 7",
			"connected  ? → ? → 0",
			`began      "sleep 14" (pid 7), 2.00s after the call was sent · was running 10.00s after the cancel`,
			"sampled    every 1.00s",
			"           a process that lived for less may have been missed",
		}},
		{"several calls, and no sample at the cancel", &witness.View{After: figures(0, 1, true), Shared: true, Every: time.Second}, theme.Looks{Glyphs: theme.ASCII}, []string{
			"processes of the server",
			"           before > at the cancel > <1ms after",
			"CPU time   ? > ? > 0.00s",
			"memory     ? > ? > 14.6 MB",
			"processes  ? > ? > 1",
			"threads    ? > ? > 3",
			"files      ? > ? > 7",
			"connected  ? > ? > 0",
			"began      other calls were in flight: what is whose cannot be told",
			"sampled    every 1.00s",
			"           a process that lived for less may have been missed",
			"not seen   what was used before it: it joined other calls, or nothing was sampled then",
		}},
		{"another call meanwhile", &witness.View{
			Before: figures(0, 1, true), After: figures(0, 1, true), Shared: true, Since: 10 * time.Second, Every: time.Second, Gone: 2, Opened: 3,
			Processes: []witness.ProcessView{{PID: 7, Name: "sleep 14", Began: 2 * time.Second, Lives: true, Age: 13 * time.Second}},
		}, theme.Looks{Glyphs: theme.ASCII}, []string{
			"processes of the server",
			"           before > at the cancel > 10.00s after",
			"CPU time   0.00s > ? > 0.00s",
			"memory     14.6 MB > ? > 14.6 MB",
			"processes  1 > ? > 1",
			"threads    3 > ? > 3",
			"files      7 > ? > 7",
			"connected  0 > ? > 0",
			`began      "sleep 14" (pid 7), 2.00s after the call was sent · was running 10.00s after the cancel`,
			"           and 2 more that had ended",
			"           another call was sent meanwhile: of what began from then on, whose it is cannot be told",
			"sampled    every 1.00s",
			"           a process that lived for less may have been missed",
		}},
	} {
		c.looks.Styles = theme.NewStyles(true)
		d := doc.New(120, 100)
		one := content{}
		one.call.Processes = c.view
		one.processFields(write.To(d, c.looks, nil))
		var got []string
		for _, l := range d.Lines {
			got = append(got, strings.TrimRight(l.String(), " "))
		}
		if g, w := strings.TrimSpace(strings.Join(got, "\n")), strings.TrimSpace(strings.Join(c.want, "\n")); g != w {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, g, w)
		}
	}
}
