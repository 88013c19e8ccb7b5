package conduct

import "time"

// delivery is about cancels that the server does not read, so that they cannot
// even be written.
func delivery() []Conduct {
	// deaf has the server read no more, and the user fill the pipe.
	deaf := func(x *Scene) {
		x.Sleep(running)
		x.Gate(false)
		for range 3 {
			x.Another()
			x.Sleep(50 * time.Millisecond) // the next one finds it there
		}
	}
	undelivered := Undelivered + 1500*time.Millisecond
	return []Conduct{
		{
			Name: "stdin is not read", Ways: []Way{Stdio}, Narrow: true, Ends: true, Want: Want{Verdict: []string{NotDelivered}},
			Play: func(x *Scene) {
				deaf(x)
				x.Cancel()
				x.Sleep(undelivered)
			},
		},
		{
			Name: "stdin is not read, and the call is answered all the same", Ways: []Way{Stdio}, Narrow: true, Ends: true,
			Want: Want{Verdict: []string{NotDelivered}},
			Play: func(x *Scene) {
				deaf(x)
				x.Cancel()
				x.Sleep(undelivered)
				x.Result("done")
				x.Sleep(running)
			},
		},
		{
			Name: "stdin is read after 6s, and then answered late", Ways: []Way{Stdio}, Narrow: true, Real: LongGrace,
			Want: Want{Verdict: []string{AnsweredLate}},
			Play: func(x *Scene) {
				deaf(x)
				x.Cancel()
				x.Sleep(undelivered)
				x.Gate(true)
				x.Cancelled()
				x.Late()
				x.Result("done")
			},
		},
		{
			Name: "stdin is read after 6s, and then it says cancelled", Ways: []Way{Stdio}, Narrow: true, Real: LongGrace,
			Want: Want{Verdict: []string{SaysCancelled}, Has: []string{`context canceled`}},
			Play: func(x *Scene) {
				deaf(x)
				x.Cancel()
				x.Sleep(undelivered)
				x.Gate(true)
				x.Cancelled()
				x.Error(-32603, "context canceled")
			},
		},
		{
			Name: "an answer before the cancel can be written", Ways: []Way{Stdio}, Narrow: true,
			Want: Want{Verdict: []string{Done}},
			Play: func(x *Scene) {
				deaf(x)
				x.Cancel()
				x.Sleep(time.Second)
				x.Result("done")
				x.Sleep(running)
				x.Gate(true)
			},
		},
		{
			Name: "progress while the cancel cannot be written", Ways: []Way{Stdio}, Narrow: true,
			Want: Want{Verdict: []string{Quiet}, Lacks: []string{afterTheCancel}},
			Play: func(x *Scene) {
				deaf(x)
				stop := x.Ticking(100 * time.Millisecond)
				x.Sleep(running)
				x.Cancel()
				x.Sleep(2 * time.Second)
				stop()
				x.Sleep(100 * time.Millisecond)
				x.Gate(true)
				x.Cancelled()
			},
		},
	}
}

// afterTheCancel is how a message is drawn that came after the cancel.
const afterTheCancel = `(?i)[0-9] (messages? )?after the cancel`
