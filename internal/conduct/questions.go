package conduct

import "time"

// questions are what a call asks of the user about the time of its cancel.
func questions() []Conduct {
	return []Conduct{
		{
			Name: "a form after the cancel", Ways: []Way{Stdio, SSE}, Fake: true,
			Want: Want{Verdict: []string{Quiet, StillWorking}, Has: []string{`(?i)elicitation/create|asked`}, Lacks: []string{`(?i)said nothing more`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.Form()
				x.Sleep(x.Grace)
			},
		},
		{
			Name: "a form that is withdrawn after the cancel", Ways: []Way{Stdio, SSE}, Fake: true,
			Want: Want{Verdict: []string{Quiet}, Has: []string{`the withdrawal of elicitation/create came after the cancel`}, Lacks: []string{`(?i)quiet at once|said nothing more`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Form()
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.Withdraw()
				x.Sleep(x.Grace)
			},
		},
		{
			Name: "a form that is withdrawn after it was answered", Ways: []Way{Stdio, SSE}, Fake: true,
			Want: Want{Verdict: []string{Quiet}, Core: []string{`(?i)(withdr|took|taken back|cancelled).*after|after.*(withdr|took it back|taken back)`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Form()
				x.Sleep(running)
				x.Answer()
				x.Withdraw()
				x.Sleep(time.Second)
				x.Cancel()
				x.Cancelled()
			},
		},
	}
}
