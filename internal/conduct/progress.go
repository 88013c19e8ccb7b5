package conduct

import "time"

// progress is what comes for a call before its answer.
func progress() (all []Conduct) {
	all = over(Conduct{
		Name: "progress until the cancel is read", Ways: streams,
		Want: Want{Verdict: []string{Quiet}, OnItsWay: true},
		Play: func(x *Scene) {
			stop := x.Ticking(50 * time.Millisecond)
			x.Sleep(running)
			x.Cancel()
			x.Before(0)
			stop()
		},
	}, bridges...)
	all = append(all, over(Conduct{
		Name: "a progress 1ms before the cancel can be read", Ways: streams,
		Want: Want{Verdict: []string{Quiet}, OnItsWay: true},
		Play: func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Before(time.Millisecond)
			x.Progress(1, 2)
		},
	}, 50*time.Millisecond, 100*time.Millisecond, 300*time.Millisecond)...)
	all = append(all, over(Conduct{
		Name: "progress that goes on", Ways: streams, Real: Grace, Want: Want{Verdict: []string{StillWorking}},
		Play: func(x *Scene) {
			stop := x.Ticking(100 * time.Millisecond)
			x.Sleep(running)
			x.Cancel()
			x.Cancelled()
			x.Noted() // from when on the client counts its grace
			x.Sleep(x.Grace + 4*x.srv.lag + time.Second)
			stop() // the screen has other things to draw then
		},
	}, bridges...)...)
	return append(all,
		Conduct{
			Name: "progress to 8/8 after the cancel, and then silence", Ways: streams, Real: Grace,
			Want: Want{Verdict: []string{Quiet}, Has: []string{`8/8`}, Drawn: []string{`8/8`}},
			Play: func(x *Scene) {
				for n := 1; n <= 8; n++ {
					x.Progress(n, 8)
					if n == 3 {
						x.Cancel()
						x.Cancelled()
					}
					x.Sleep(200 * time.Millisecond)
				}
				x.Sleep(x.Grace)
			},
		},
		Conduct{
			Name: "one more progress a second after the cancel", Ways: streams, Fake: true,
			Want: Want{Verdict: []string{Quiet}},
			Play: func(x *Scene) { x.oneMore(time.Second) },
		},
		Conduct{
			Name: "one more progress early in a short grace", Ways: streams, Fake: true, Grace: ShortGrace,
			Want: Want{Verdict: []string{Quiet}},
			Play: func(x *Scene) { x.oneMore(x.Grace * 3 / 10) },
		},
		Conduct{
			Name: "one more progress late in a short grace", Ways: streams, Fake: true, Grace: ShortGrace,
			Want: Want{Verdict: []string{StillWorking}},
			Play: func(x *Scene) { x.oneMore(x.Grace * 7 / 10) },
		},
		Conduct{
			Name: "progress with pauses of three seconds, the last two before the grace ends", Ways: streams, Fake: true,
			Want: Want{Verdict: []string{StillWorking}},
			Play: func(x *Scene) {
				for n := range 4 {
					x.Progress(n+1, 10)
					x.Sleep(3 * time.Second)
				}
				x.Cancel()
				x.Cancelled()
				x.Sleep(x.Grace - 2*time.Second)
				x.Progress(5, 10)
				x.Sleep(2 * time.Second)
			},
		},
		Conduct{
			Name: "a late result after progress that went on", Ways: streams, Real: LongGrace, Want: Want{Verdict: []string{AnsweredLate}},
			Play: func(x *Scene) {
				stop := x.Ticking(100 * time.Millisecond)
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				stop()
				x.Result("done")
			},
		},
	)
}

// oneMore sends progress until the cancel, and once more so long after it.
func (x *Scene) oneMore(after time.Duration) {
	stop := x.Ticking(100 * time.Millisecond)
	x.Sleep(time.Second)
	x.Cancel()
	x.Cancelled()
	stop()
	x.Sleep(after)
	x.Progress(999, 1000)
}
