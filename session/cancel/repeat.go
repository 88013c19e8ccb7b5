package cancel

// Repeat is the state of a second tasks/cancel for a task whose row has ended as cancelled. The user
// has it sent, and nobody else.
type Repeat uint8

// The states of a repeat.
const (
	RepeatNone     Repeat = iota // none may be sent: the task is over, or the server has read the cancel, or will
	RepeatEarly                  // the cancel of before is still to be written, or may be answered in time
	RepeatPossible               // the task goes on, and nothing shows that the server has read its cancel
	RepeatOut                    // it was sent once more, and its answer is awaited
	RepeatUnknown                // its answer is awaited no more, and nothing tells yet what it did
	RepeatExpired                // … and the time of the task is over, so that one more may be sent
)

// IsPossible reports whether tasks/cancel may be sent once more.
func (r Repeat) IsPossible() bool { return r == RepeatPossible || r == RepeatExpired }

// IsAnswerAwaited reports whether tasks/cancel is still to be written, or is out and may be answered in
// time, be it the first or the second.
func (r Repeat) IsAnswerAwaited() bool { return r == RepeatEarly || r == RepeatOut }

// IsOpen reports whether tasks/cancel was sent once more, and nothing tells yet what became of it.
func (r Repeat) IsOpen() bool { return r == RepeatOut || r == RepeatUnknown || r == RepeatExpired }

// TaskNow is what is known of a task besides its cancel, for [Attempt.RepeatState].
type TaskNow struct {
	GoesOn   bool // it is followed, and has not ended as far as is known
	Expired  bool // its time is over, and nobody told its end
	Made     bool // tasks/cancel was made for it
	Answered bool // … and the server has answered one
	Awaited  bool // … and one is still to be written, or may be answered in time
}

// RepeatState is the state of the repeat of this cancel, the last one of a call that has ended as
// cancelled. On stdio what was written stays in the pipe: the server reads it before anything that
// is written later, and gets no second one.
func (a *Attempt) RepeatState(of TaskNow) Repeat {
	toTask := a.Signal == CancelTask && !a.Apart
	inPipe := toTask && !a.IsTaskMissed()
	possible := (of.GoesOn || of.Expired) && of.Made && !of.Answered && !inPipe && !(toTask && a.IsRead())
	awaited := of.GoesOn && !of.Answered
	switch open := a.isRepeatOpen(); {
	case open && awaited:
		return RepeatOut
	case open && possible:
		return RepeatExpired
	case open:
		return RepeatUnknown
	case awaited && of.Awaited:
		return RepeatEarly
	case possible:
		return RepeatPossible
	}
	return RepeatNone
}
