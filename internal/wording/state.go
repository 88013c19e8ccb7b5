package wording

import (
	"math"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
)

// State is the state of a row in words, and in a shorter form for where there is little
// room.
type State struct {
	Sign         Sign
	Wide, Narrow safe.Text
	Passing      safe.Text // ends both forms for a moment
	Brief        safe.Text // … where that leaves too little room to a name; empty: the same
	UpTo         safe.Text // the widest that both forms grow to from here, when that is wider
}

// Sign is what a state has beside its words: a glyph and a colour, for a face that has
// them.
type Sign uint8

// The signs of states.
const (
	SignOther Sign = iota // nothing to mind
	SignQueued
	SignRunning
	SignAsks      // it waits for the user
	SignLive      // a subscription stands,
	SignLiveOddly // not as it should,
	SignBroke     // has broken off, or was ended by the server
	SignCancelling
	SignCancelled
	SignServerCancelled // as the server wanted
	SignDone
	SignEnded // what is no success, and none is missing
	SignFailed
	SignDropped
	SignLost
)

// StateOf says in which state a row is. Dots are how the face writes that something
// goes on: "…".
func StateOf(r session.Row, dots safe.Text) State {
	switch r.Shown() {
	case session.Queued:
		return oneForm(SignQueued, "queued")
	case session.Running:
		return runningState(r, dots)
	case session.Cancelling:
		return cancellingState(r, dots)
	case session.Cancelled:
		return cancelledState(r)
	case session.Done:
		if r.Sub.Is {
			return endedState(r.Sub)
		}
		return oneForm(SignDone, "done")
	case session.Failed:
		if t, ok := taskEndState(r); ok {
			return t
		}
		switch { // no fault of the server's
		case r.FellBack && r.Method == "initialize":
			return oneForm(SignOther, "not needed")
		case r.FellBack:
			return oneForm(SignOther, "fallback")
		}
		return oneForm(SignFailed, "failed")
	case session.Dropped:
		return oneForm(SignDropped, "dropped")
	case session.Lost:
		if t, ok := taskEndState(r); ok {
			return t
		}
		return oneForm(SignLost, "lost")
	}
	return oneForm(SignOther, safe.Text(r.State.String()))
}

// oneForm is a state whose words are short.
func oneForm(sign Sign, words safe.Text) State { return State{Sign: sign, Wide: words, Narrow: words} }

func runningState(r session.Row, dots safe.Text) State {
	switch {
	case IsReadyToRetry(r):
		return oneForm(SignAsks, "held")
	case r.AsksYou:
		return oneForm(SignAsks, "asks you")
	case r.Login:
		return State{Sign: SignAsks, Wide: "waiting for login", Narrow: "wants login"}
	case r.AwaitsLoginToResume:
		return State{Sign: SignAsks, Wide: "running · wants login", Narrow: "wants login"}
	case r.IsStanding():
		return standingState(r, dots)
	case r.Task != nil:
		return taskState(r)
	}
	return progressing("running", r.Progress)
}

// progressing is the state of a call that goes on, with what its progress says.
func progressing(word safe.Text, p session.ProgressView) State {
	t := oneForm(SignRunning, Join(word, Progress(p)))
	if _, ok := p.Fraction(); ok && p.Count > 0 {
		t.UpTo = word + " 100%"
	}
	return t
}

// IsReadyToRetry reports whether nothing but a word of the user is missing for a call to go on.
func IsReadyToRetry(r session.Row) bool { return r.Round.AwaitsRetry && r.Round.Open == 0 }

// cancellingState never claims that the cancel left before it did.
func cancellingState(r session.Row, dots safe.Text) State {
	t := oneForm(SignCancelling, "cancelling"+dots)
	if r.Initiator == cancel.ByTimeout {
		t.Wide = "timed out · " + t.Wide
	}
	switch {
	case r.Task != nil && r.Task.CancelRefused:
		t.Wide, t.Narrow = "cancel refused · polling"+dots, "cancel refused"
	case r.CancelRejected:
		t.Passing = " (not accepted)"
	case r.AwaitsLook:
		t.Passing, t.Brief = " (waiting for tasks/get)", " (not sent yet)"
	case r.AwaitsID:
		t.Passing, t.Brief = " (waiting for the task ID)", " (no ID yet)"
	case !r.Unsent:
	case r.Task != nil && r.Task.Status.IsTerminal(): // nothing is sent any more
		t.Passing, t.Brief = " (waiting for the outcome)", " (has ended)"
	default:
		t.Passing = " (not sent yet)"
	}
	return t
}

// VerdictWord is the word of the verdict on a cancelled call. Where belay had left the task of the call
// before a poll told the effect of the cancel, the word says how belay left the task.
func VerdictWord(r session.Row) safe.Text {
	switch {
	case r.Task == nil:
	case r.Task.LeftCancelling:
		return "stopped waiting"
	case r.Task.CutByUs:
		return "belay left"
	case r.Task.CutOff:
		return "connection ended"
	}
	return safe.Text(r.Verdict.String())
}

// cancelledState says what the server did. A timeout says that it was one, and never looks like an
// error of the server's (TMO-10, ERR-22; basic/patterns/cancellation).
func cancelledState(r session.Row) State {
	verdict := VerdictWord(r)
	t := State{Sign: SignCancelled, Wide: Join("cancelled ·", verdict), Narrow: verdict}
	if verdict == "" {
		t.Wide, t.Narrow = "cancelled", "cancelled"
	}
	if r.Initiator == cancel.ByTimeout {
		t.Wide, t.Narrow = Join("timed out ·", verdict), "timed out"
	}
	switch r.Sub.Residual {
	case session.ResidualNone:
	case session.ResidualPossible:
		t.Wide, t.Narrow = "may be subscribed", "may be subscribed"
	case session.ResidualStands:
		t.Wide, t.Narrow = "still subscribed", "still subscribed"
	}
	return t
}

// standingState is the state of a subscription: it does not spin, as nothing is
// awaited, and counts what came.
func standingState(r session.Row, dots safe.Text) State {
	t := State{Sign: SignLive, Wide: "subscribing" + dots, Narrow: "subscribing"}
	switch u := r.Sub; {
	case !u.AgainAt.IsZero():
		return State{Sign: SignBroke, Wide: "broke off · begins again" + dots, Narrow: "broke off"}
	case u.StreamAway:
		t.Sign, t.Wide, t.Narrow = SignLiveOddly, "subscribed · its stream is away", "stream away"
	case u.Unreadable:
		t.Sign, t.Wide, t.Narrow = SignLiveOddly, "acknowledgement unreadable", "ack unreadable"
	case !u.Active:
	case u.Agreed == 0:
		t = oneForm(SignLiveOddly, "subscribed to nothing")
	case u.Agreed < u.Asked:
		t = oneForm(SignLive, "subscribed in part")
	default:
		t = oneForm(SignLive, "subscribed")
	}
	if r.Sub.Updates > 0 {
		t.Wide = Join(t.Wide, "· "+Count(r.Sub.Updates, "update"))
		t.Narrow = Join(t.Narrow, Thousands(r.Sub.Updates))
	}
	return t
}

// endedState is the state of a subscription that ended otherwise than by a
// cancel: the server ended it, at once where it agreed to nothing of it, or the
// user left.
func endedState(u session.SubscriptionView) State {
	switch {
	case !u.ByServer:
		return oneForm(SignEnded, "ended")
	case u.Active && u.Agreed == 0:
		return State{Sign: SignBroke, Wide: "ended · agreed to nothing", Narrow: "agreed to nothing"}
	}
	return State{Sign: SignBroke, Wide: "ended by the server", Narrow: "ended"}
}

// Progress is a whole percentage where there is a total, 100 % only when all is done, and the bare number
// where there is none (PRG-06, PRG-07; basic/utilities/progress). Beyond the total it is 100 % with the
// numbers behind it (PRG-21).
func Progress(p session.ProgressView) safe.Text {
	if p.Count == 0 {
		return ""
	}
	f, ok := p.Fraction()
	switch {
	case !ok:
		return Number(p.Value)
	case p.Value > p.Total:
		return "100% (" + Number(p.Value) + "/" + Number(p.Total) + ")"
	}
	const hair = 1e-9 // 0.29 × 100 is a hair less than 29
	return Number(math.Floor(f*100+hair)) + "%"
}
