package conduct

import (
	"fmt"
	"time"
)

// lateAnswers are begun when the server has read the cancel, longer ago than
// anything can have been on its way.
func lateAnswers() (all []Conduct) {
	all = over(Conduct{
		Name: "a result long after the cancel was read", Ways: everywhere, Want: Want{Verdict: []string{AnsweredLate}}, Real: LongGrace,
		Play: func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Cancelled()
			x.Late()
			x.Result("done")
		},
	}, bridges...)
	return append(all,
		Conduct{Name: "a result after the grace", Ways: onStdio, Want: Want{Verdict: []string{AnsweredLate}}, Play: afterGrace},
		Conduct{ // for which the exchange is closed by then
			Name: "a result after the grace, which nobody awaits", Ways: []Way{SSE, JSON}, Want: Want{Verdict: []string{Quiet}}, Play: afterGrace,
		},
		Conduct{
			Name: "a late result, another call answered before", Ways: onStdio, Real: LongGrace,
			Want: Want{Verdict: []string{AnsweredLate}, Lacks: []string{notKnownToHaveRead}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Another()
				x.Late()
				x.Result("done")
			},
		},
		Conduct{
			Name: "another isError, late", Ways: everywhere, Real: LongGrace,
			Want: Want{Verdict: []string{AnsweredError}, Has: []string{`no such wreck`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.ToolError("no such wreck")
			},
		},
		Conduct{
			Name: "another error, late", Ways: everywhere, Real: LongGrace,
			Want: Want{Verdict: []string{AnsweredError}, Has: []string{`-32603`, `the disk is full`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.Error(-32603, "the disk is full")
			},
		},
	)
}

// malformedAnswers are answers by their ID, and neither a result nor an error.
func malformedAnswers() (all []Conduct) {
	for name, a := range map[string]struct{ members, has string }{
		"without a result and an error":   {"", `neither a result nor an error`},
		"with both a result and an error": {`,"result":{"content":[]},"error":{"code":1,"message":"no"}`, `both a result and an error`},
	} {
		all = append(all, Conduct{
			Name: "an answer " + name + ", late", Ways: everywhere, Real: LongGrace,
			Want: Want{Verdict: []string{AnsweredLate}, Has: []string{a.has}, Lacks: []string{`answered with (a result|error)`}, Drawn: []string{`malformed answer`}},
			Play: func(x *Scene) {
				x.Sleep(running)
				x.Cancel()
				x.Cancelled()
				x.Late()
				x.whole(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s%s}`, x.ID, a.members))
			},
		})
	}
	return all
}

// notKnownToHaveRead is said of a server that may have answered before it read.
const notKnownToHaveRead = `(?i)(may not have|whether the server had) read the cancel`

func afterGrace(x *Scene) {
	x.Sleep(running)
	x.Cancel()
	x.Cancelled()
	x.Sleep(x.Grace + 3*time.Second)
	x.Result("done")
}

// busyServers answer when the cancel can be read, and read it later. What they
// said was no crossing; that they had read it cannot be known.
func busyServers() []Conduct {
	busy := func(before, after time.Duration) func(*Scene) {
		return func(x *Scene) {
			x.Sleep(running)
			x.Gate(false)
			x.Cancel()
			x.Before(0)
			if before == 0 {
				x.Late()
			}
			x.Sleep(before)
			x.Result("done")
			x.Sleep(after)
			x.Gate(true)
			x.Cancelled()
		}
	}
	all := []Conduct{
		{
			Name: "a busy server that answers before it reads", Ways: onStdio, Real: LongGrace, Play: busy(0, 30*time.Millisecond),
			Want: Want{Verdict: []string{AnsweredLate}, Has: []string{notKnownToHaveRead}},
		},
		{
			Name: "a busy server that answers before it takes the cancel", Ways: []Way{SSE, JSON}, Real: LongGrace, Play: busy(0, 30*time.Millisecond),
			Want: Want{Verdict: []string{AnsweredLate}, Has: []string{notKnownToHaveRead}},
		},
	}
	for _, after := range []time.Duration{100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond, 76 * time.Millisecond} {
		all = append(all, Conduct{
			Name: "a result " + after.String() + " before a busy server reads", Ways: everywhere, Real: LongGrace, Play: busy(time.Millisecond, after),
			Want: Want{Verdict: []string{Crossed}, Near: true},
		})
	}
	return all
}
