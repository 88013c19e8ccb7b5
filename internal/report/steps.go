package report

import (
	"belay/internal/wording"
	"belay/session"
)

// edgeMost bounds the steps that are told at the beginning and at the end, besides
// the turns that a call took.
const edgeMost = 20

// steps tell the timeline of a call: all turns that it took, and of what comes again and
// again the first and the last.
func steps(d *session.Detail) []Step {
	told := wording.Told(d.Timeline)
	thin(d.Timeline, told)
	var out []Step
	for _, l := range wording.Sequence(d, told) {
		mo := &d.Timeline[l.Moment]
		step := Step{At: mo.At.Sub(d.Created), Kind: Remark, Text: l.Text, Folded: l.Folded}
		if l.Folded == 0 {
			step.Way, step.Kind = wayOf(mo.Dir), kindOf(d, mo.Kind)
		}
		out = append(out, step)
	}
	return out
}

// thin bounds the steps that are told and are no turn.
func thin(all []session.MomentView, told []bool) {
	var others []int
	for i := range all {
		if told[i] && !turns(all[i].Kind) {
			others = append(others, i)
		}
	}
	if len(others) <= 2*edgeMost {
		return
	}
	for _, i := range others[edgeMost : len(others)-edgeMost] {
		told[i] = false
	}
}

// turns reports whether a moment is one that the call is explained by.
func turns(k session.MomentKind) bool {
	switch k {
	case session.MomCreated, session.MomSent, session.MomResult, session.MomError, session.MomLate, session.MomGrace,
		session.MomProbe, session.MomProbeAnswer, session.MomProbeLate, session.MomEnded, session.MomEnd, session.MomWrong:
		return true
	default:
		return wording.Stops(k)
	}
}

func wayOf(d session.Direction) Way {
	switch d {
	case session.Out:
		return Out
	case session.In:
		return In
	case session.Local:
	}
	return Here
}

func kindOf(d *session.Detail, k session.MomentKind) Kind {
	switch k {
	case session.MomProgress, session.MomUpdate, session.MomTask, session.MomLog:
		return Progress
	case session.MomLate, session.MomAfter:
		return After
	case session.MomError, session.MomProbeLate, session.MomEnd:
		return Failure
	case session.MomResult:
		if d.ToolError {
			return Failure
		}
		return Success
	case session.MomAgreed:
		return Success
	case session.MomNote, session.MomEnded, session.MomGrace, session.MomWrong:
		return Remark
	default:
		if wording.Stops(k) {
			return Stop
		}
		return Plain
	}
}
