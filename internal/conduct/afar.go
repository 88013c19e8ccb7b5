package conduct

import "time"

// afar are conducts behind a satellite, or a worker in some cloud: a way there and back
// takes longer than a client would otherwise wait, and a grace may be over before.
func afar() (all []Conduct) {
	add := func(c Conduct) {
		c.Fake = true
		all = append(all, over(c, 1500*time.Millisecond, 3*time.Second)...)
	}
	crossed := Want{Verdict: []string{Crossed}, Crossing: true, Lacks: []string{`(?i)finished anyway`, EndNotSeen}}
	quiet := Want{Verdict: []string{Quiet}, OnItsWay: true, Lacks: []string{`not (answered|accept)`}}
	heed := func(x *Scene) {
		x.Sleep(running)
		x.Cancel()
		x.Cancelled()
	}
	add(Conduct{
		Name: "a result 10ms before the cancel can be read, far away", Ways: everywhere, Want: crossed,
		Play: func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Before(10 * time.Millisecond)
			x.Result("done")
		},
	})
	add(Conduct{
		Name: "an error as the cancel leaves, far away", Ways: everywhere, Want: crossed,
		Play: func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Error(-32603, "the disk is full")
		},
	})
	add(Conduct{
		Name: "a progress 1ms before the cancel can be read, far away", Ways: streams, Want: quiet,
		Play: func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Before(time.Millisecond)
			x.Progress(1, 2)
		},
	})
	add(Conduct{Name: "silence, far away", Ways: everywhere, Want: quiet, Play: heed})
	add(Conduct{Name: "silence and a short grace, far away", Ways: everywhere, Want: quiet, Grace: ShortGrace, Play: heed})
	add(Conduct{
		Name: "silence, and no answer to the ping, far away", Ways: onStdio, Alone: true, Want: Want{Verdict: []string{Unresponsive}},
		Play: func(x *Scene) {
			x.Mute(true)
			heed(x)
			x.Sleep(x.Grace + 6*x.srv.lag)
			x.Mute(false)
		},
	})
	add(Conduct{
		Name: "a result long after the cancel was read, far away", Ways: onStdio, Want: Want{Verdict: []string{AnsweredLate}},
		Play: func(x *Scene) {
			heed(x)
			x.Late()
			x.Result("done")
		},
	})
	// The server is next door, but its first answer took as long as its start.
	all = append(all, Conduct{
		Name: "a result long after the cancel was read, of a server that started for 20s", Ways: onStdio, Fake: true,
		Start: 20 * time.Second, Want: Want{Verdict: []string{AnsweredLate}, Has: []string{`for (20|2[1-9]|[3-9][0-9]) ms at most`}},
		Play: func(x *Scene) {
			heed(x)
			x.Late()
			x.Result("done")
		},
	})
	return all
}
