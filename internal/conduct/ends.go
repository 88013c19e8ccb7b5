package conduct

import "time"

// ends are servers that end in the middle.
func ends() []Conduct {
	return []Conduct{
		{
			Name: "dies before it answers", Ways: onStdio, Ends: true,
			Want: Want{Verdict: []string{ServerDied}, Has: []string{`exit status 3`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Sleep(200 * time.Millisecond)
				x.Exit(3)
			},
		},
		{
			Name: "dies in the middle of its answer", Ways: onStdio, Ends: true,
			Want: Want{Verdict: []string{ServerDied}, Has: []string{`exit status 3`, `bytes of a message came`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Sleep(200 * time.Millisecond)
				x.Begin(x.result("done"), 30)
				x.Sleep(100 * time.Millisecond)
				x.Exit(3)
			},
		},
		{
			Name: "closes its output and lives on", Ways: onStdio, Ends: true,
			Want: Want{Verdict: []string{ServerDied}, Has: []string{`closed its output`}, Lacks: []string{`(?i)the server (has )?ended`, `(?i)exited`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Sleep(200 * time.Millisecond)
				x.CloseOutput()
			},
		},
		{
			Name: "dies after the grace", Ways: onStdio, Ends: true, Want: Want{Verdict: []string{Quiet}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Sleep(x.Grace + time.Second)
				x.Exit(3)
			},
		},
	}
}
