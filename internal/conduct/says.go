package conduct

import (
	"fmt"
	"regexp"
)

// said is an error of a code, or a result with isError.
type said struct {
	text string
	code int // 1: isError
}

func (s said) how() string {
	if s.code == 1 {
		return fmt.Sprintf("isError %q", s.text)
	}
	return fmt.Sprintf("error %d %q", s.code, s.text)
}

func (s said) send(x *Scene) {
	if s.code == 1 {
		x.ToolError(s.text)
	} else {
		x.Error(s.code, s.text)
	}
}

// words are answers that report a cancelled call, and answers that only talk of
// cancelling.
func words() (all []Conduct) {
	reply := func(name string, ways []Way, want Want, pause func(*Scene), answer func(*Scene)) {
		all = append(all, Conduct{Name: name, Ways: ways, Real: LongGrace, Want: want, Play: func(x *Scene) {
			x.Sleep(running)
			x.Cancel()
			x.Cancelled()
			pause(x)
			answer(x)
		}})
	}
	moments := []struct {
		when  string
		pause func(*Scene)
	}{{"at once", func(*Scene) {}}, {"late", (*Scene).Late}}
	for _, s := range []said{
		{"context canceled", 1},
		{"Error: context canceled", 1},
		{"The operation was aborted", 1},
		{"context canceled", -32603},
		{"Request cancelled", 0},
		{"MCP error -32001: AbortError: This operation was aborted", -32603},
		{"Stopped", -32800},
	} {
		for _, m := range moments {
			ways := everywhere
			if s.text != "context canceled" {
				ways = []Way{Stdio, SSE}
			}
			reply(fmt.Sprintf("%s, %s", s.how(), m.when), ways,
				Want{Verdict: []string{SaysCancelled}, Has: []string{regexp.QuoteMeta(s.text)}, Lacks: []string{`(?i)finished anyway`}}, m.pause, s.send)
		}
	}
	for _, text := range []string{
		"the order was cancelled",
		"Error: the flight you asked for was cancelled by the airline",
		"cannot cancel the subscription",
		"the build was aborted by a failing test",
		"Request cancelled orders first",
		"no request was cancelled",
		"context canceled is no reason that I know",
		"aborted landings: 3",
		"your cancelled check was returned",
		"operation cancelled by policy 7: disk full, 3 files written",
	} {
		s := said{text, 1}
		reply(s.how()+", late", []Way{Stdio, SSE},
			Want{Verdict: []string{AnsweredError}, Has: []string{regexp.QuoteMeta(text)}}, (*Scene).Late, s.send)
	}
	s := said{"the order was cancelled", -32603}
	reply(s.how()+", late", []Way{Stdio, SSE}, Want{Verdict: []string{AnsweredError}, Has: []string{regexp.QuoteMeta(s.text)}}, (*Scene).Late, s.send)
	reply(`a result that is "context canceled", late`, []Way{Stdio, SSE},
		Want{Verdict: []string{AnsweredLate}, Has: []string{`in words that the call was cancelled: "context canceled"`}, Lacks: []string{`(?i)finished anyway`}}, (*Scene).Late,
		func(x *Scene) { x.Result("context canceled") })
	return all
}
