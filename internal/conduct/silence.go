package conduct

import "time"

// silence is what most servers say to a cancel.
func silence() []Conduct {
	heed := func(x *Scene) {
		x.Sleep(running)
		x.Cancel()
		x.Cancelled()
	}
	all := over(Conduct{Name: "silence", Ways: everywhere, Want: Want{Verdict: []string{Quiet}}, Play: heed}, bridges...)
	return append(all,
		Conduct{
			Name: "silence, and no answer to the ping", Ways: []Way{Stdio, StdioModern, SSE}, Alone: true, Want: Want{Verdict: []string{Unresponsive}},
			Play: func(x *Scene) {
				x.Mute(true)
				heed(x)
				x.Sleep(x.Grace + 3*time.Second)
				x.Mute(false)
			},
		},
		Conduct{
			Name: "silence, and a ping that is answered too late", Ways: []Way{Stdio, StdioModern, SSE}, Want: Want{Verdict: []string{Quiet}},
			Play: func(x *Scene) {
				x.Mute(true)
				heed(x)
				x.Sleep(x.Grace + 3*time.Second)
				x.Mute(false)
				x.Another()
				x.Sleep(time.Second)
			},
		},
		Conduct{
			Name: "silence, and nobody may ask", Ways: []Way{Stdio, StdioModern}, NoProbe: true, Alone: true, Want: Want{Verdict: []string{NothingHeard}},
			Play: heed,
		},
		Conduct{Name: "the exchange is closed", Ways: []Way{HTTPModern}, Want: Want{Verdict: []string{StreamClosed}}, Play: heed},
	)
}
