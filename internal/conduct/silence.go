package conduct

import (
	"strings"
	"time"
)

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
		Conduct{
			Name: "bytes of a message come after the cancel, and its end never does", Ways: onStdio, Alone: true, Ends: true, Fake: true,
			Want: Want{Verdict: []string{NothingHeard}, Has: []string{`bytes of a message came`}, Lacks: []string{`(?i)silence`}},
			Play: func(x *Scene) {
				heed(x)
				x.Late()
				next, end := x.pieces(x.result(strings.Repeat("x", 10_000)))
				go x.atEnd(end)
				for range 12 {
					next(250)
					x.Sleep(500 * time.Millisecond)
				}
			},
		},
		Conduct{
			Name: "the beginning of a message comes before the cancel, and its end never does", Ways: onStdio, Alone: true, Ends: true,
			Want: Want{Verdict: []string{Unresponsive}, Has: []string{`of a message had come`}, Lacks: []string{`(?i)silence`}},
			Play: func(x *Scene) {
				next, end := x.pieces(x.result(strings.Repeat("x", 10_000)))
				go x.atEnd(end)
				next(1000)
				heed(x)
				x.Sleep(x.Grace + 10*time.Second)
			},
		},
		Conduct{Name: "the exchange is closed", Ways: []Way{HTTPModern}, Want: Want{Verdict: []string{StreamClosed}}, Play: heed},
	)
}
