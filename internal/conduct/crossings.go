package conduct

import (
	"strings"
	"time"
)

// crossings are answers whose first byte was written before the cancel's last
// byte could be read: never late, whatever the rest does.
func crossings() (all []Conduct) {
	crossed := Want{Verdict: []string{Crossed}, Crossing: true, Lacks: []string{`(?i)finished anyway`, EndNotSeen}}

	// cutOff is wanted where the exchange may be closed before the rest comes: then
	// nobody knows what it would have been.
	cutOff := Want{Verdict: []string{Crossed, Quiet, NothingHeard}, Crossing: true, Lacks: []string{`(?i)said nothing more`}}

	for _, lead := range []time.Duration{100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond, 76 * time.Millisecond} {
		all = append(all, over(Conduct{
			Name: "a result " + lead.String() + " before the cancel can be read", Ways: everywhere, Want: crossed, Real: LongGrace,
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Before(lead)
				x.Result("done")
			},
		}, 100*time.Millisecond, 300*time.Millisecond)...)
	}
	all = append(all, over(Conduct{
		Name: "an error 10ms before the cancel can be read", Ways: everywhere, Want: crossed, Real: LongGrace,
		Play: func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Before(10 * time.Millisecond)
			x.Error(-32603, "the disk is full")
		},
	}, 50*time.Millisecond, 300*time.Millisecond)...)

	begun := func(message func(*Scene) string, rest func(*Scene)) func(*Scene) {
		return func(x *Scene) {
			x.Sleep(running)
			end := x.Begin(message(x), 1000)
			x.Cancel()
			x.Cancelled()
			rest(x)
			end()
		}
	}
	large := func(x *Scene) string { return x.result(strings.Repeat("water under the keel ", 10_000)) }
	all = append(all, over(Conduct{
		Name: "the first 1,000 bytes of a result before the cancel", Ways: everywhere, Want: crossed,
		Real: LongGrace, Play: begun(large, (*Scene).Late),
	}, bridges...)...)
	all = append(all,
		Conduct{
			Name: "the first 1,000 bytes before the cancel, the ID at the end", Ways: everywhere, Want: crossed, Real: LongGrace,
			Play: begun(func(x *Scene) string { return x.backwards(strings.Repeat("water under the keel ", 10_000)) }, (*Scene).Late),
		},
		Conduct{
			Name: "the first 1,000 bytes before the cancel, the rest after the grace", Ways: onStdio, Want: crossed,
			Play: begun(large, func(x *Scene) { x.Sleep(x.Grace + 3*time.Second) }),
		},
		Conduct{
			Name: "the first 1,000 bytes before the cancel, and no more within the grace", Ways: []Way{SSE, JSON},
			Want: cutOff,
			Play: begun(large, func(x *Scene) { x.Sleep(x.Grace + 3*time.Second) }),
		},
		Conduct{
			Name: `the first 1,000 bytes of an isError "context canceled" before the cancel`, Ways: everywhere, Want: crossed, Real: LongGrace,
			Play: begun(func(x *Scene) string { return x.toolError("context canceled" + strings.Repeat(" ", 2000)) }, (*Scene).Late),
		},
	)
	all = append(all, over(Conduct{
		Name: "12 MB under way when the cancel is written", Ways: everywhere, Want: crossed, Heavy: true, Real: LongGrace,
		Play: func(x *Scene) {
			x.Sleep(running)
			x.Trickle(x.result(strings.Repeat("x", 12_000_000)), 100_000, 20*time.Millisecond, x.Cancel)
		},
	}, bridges...)...)
	long := func(x *Scene) {
		x.Sleep(running)
		x.Trickle(x.result(strings.Repeat("x", 200_000)), 5_000, 150*time.Millisecond, x.Cancel)
	}
	return append(all,
		Conduct{Name: "200 kB that take longer than the grace", Ways: onStdio, Want: crossed, Play: long},
		Conduct{Name: "200 kB that take longer than the grace, on a stream of its own", Ways: []Way{SSE, JSON}, Want: cutOff, Play: long},
		Conduct{
			Name: "200 kB that take much longer than a very short grace", Ways: everywhere, Want: crossed, Fake: true,
			Grace: 200 * time.Millisecond, Play: long,
		},
	)
}
