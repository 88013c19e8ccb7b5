package cancel

import (
	"slices"
	"testing"
	"time"
)

var repeatNames = [...]string{
	RepeatNone: "none", RepeatEarly: "early", RepeatPossible: "possible", RepeatOut: "out", RepeatUnknown: "unknown", RepeatExpired: "expired",
}

// The states of a repeated tasks/cancel, each with what leads to it from the one before. No other
// edge is taken, and each that may be is.
func TestTheEdgesOfARepeatedTaskCancel(t *testing.T) {
	edges := [...][]Repeat{
		RepeatNone:     {RepeatEarly, RepeatPossible},
		RepeatEarly:    {RepeatNone, RepeatPossible},
		RepeatPossible: {RepeatNone, RepeatEarly, RepeatOut, RepeatUnknown},
		RepeatOut:      {RepeatNone, RepeatPossible, RepeatUnknown, RepeatExpired},
		RepeatUnknown:  {RepeatNone, RepeatPossible, RepeatOut},
		RepeatExpired:  {RepeatNone, RepeatPossible, RepeatOut, RepeatUnknown},
	}
	type bench struct {
		*Attempt
		now TaskNow
	}
	type step struct {
		name string
		do   func(*bench)
		want Repeat
	}
	var (
		lasts    = func(b *bench) { b.now.GoesOn, b.now.Expired = true, false }
		over     = func(b *bench) { b.now.GoesOn, b.now.Expired = false, false }
		expires  = func(b *bench) { b.now.GoesOn, b.now.Expired = false, true }
		made     = func(b *bench) { b.now.Made = true }
		answered = func(b *bench) { b.now.Answered = true }
		acked    = func(b *bench) { b.TaskAcknowledged(at(20 * time.Second)); b.now.Answered = true }
		missed   = func(b *bench) { b.TaskUnanswered(at(20*time.Second), "503") }
		silent   = func(b *bench) { b.TaskSilent(at(20 * time.Second)) }
		repeated = func(b *bench) {
			again := b.BeginAgain(at(10*time.Second), ByUser, "", true)
			again.Written(at(10*time.Second + ms))
			b.Attempt = &again
			lasts(b) // belay follows it again
		}
		gone = func(b *bench) {
			b.TaskSeen(Sight{At: at(30 * time.Second), Began: at(30 * time.Second), Fate: TaskIsCancelled, By: "tasks/get", Said: "cancelled", Polled: true})
			over(b)
		}
		early  = func(b *bench) { b.now.Awaited = true }
		late   = func(b *bench) { b.now.Awaited = false }
		isRead = func(b *bench) { b.Read(at(25 * time.Second)) }
	)
	http, stdio, note := Spec{Signal: CancelTask, Apart: true}, Spec{Signal: CancelTask}, Spec{Signal: Notify, Apart: true}
	var taken [len(edges)][]Repeat
	for _, tt := range []struct {
		name  string
		spec  Spec
		steps []step
	}{
		{"answered, and a poll tells its end", http, []step{
			{"the task goes on", lasts, RepeatNone}, // no tasks/cancel was made for it
			{"tasks/cancel was made", made, RepeatPossible},
			{"x", repeated, RepeatOut},
			{"nothing answers", silent, RepeatPossible},
			{"x", repeated, RepeatOut},
			{"the server answers", acked, RepeatUnknown},
			{"a poll tells the end", gone, RepeatNone},
		}},
		{"its time is over", http, []step{
			{"made", made, RepeatNone},
			{"the task goes on", lasts, RepeatPossible},
			{"its time is over", expires, RepeatPossible},
			{"x", repeated, RepeatOut},
			{"its time is over", expires, RepeatExpired},
			{"it is polled on", lasts, RepeatOut},
			{"its time is over", expires, RepeatExpired},
			{"it brought no answer", missed, RepeatPossible},
			{"x", repeated, RepeatOut},
			{"its time is over", expires, RepeatExpired},
			{"x", repeated, RepeatOut},
			{"its time is over", expires, RepeatExpired},
			{"the server answers", acked, RepeatUnknown},
			{"a poll tells the end", gone, RepeatNone},
		}},
		{"its end is told while its time is over", http, []step{
			{"made", made, RepeatNone},
			{"the task goes on", lasts, RepeatPossible},
			{"x", repeated, RepeatOut},
			{"its time is over", expires, RepeatExpired},
			{"a poll tells the end", gone, RepeatNone},
		}},
		{"its end is told while the answer is awaited", http, []step{
			{"made", made, RepeatNone}, {"the task goes on", lasts, RepeatPossible}, {"x", repeated, RepeatOut}, {"a notification tells the end", gone, RepeatNone},
		}},
		{"answered after the grace", http, []step{
			{"made", made, RepeatNone},
			{"the task goes on", lasts, RepeatPossible},
			{"x", repeated, RepeatOut},
			{"nothing answers", silent, RepeatPossible},
			{"the server answers", acked, RepeatUnknown},
		}},
		{"in the pipe", stdio, []step{
			{"made", made, RepeatNone},
			{"the task goes on", lasts, RepeatNone},
			{"it brought no answer", missed, RepeatPossible},
			{"x", repeated, RepeatOut},
			{"its time is over", expires, RepeatUnknown},
			{"it is polled on", lasts, RepeatOut},
			{"its time is over", expires, RepeatUnknown},
			{"it brought no answer", missed, RepeatPossible},
			{"something written later is answered", isRead, RepeatNone},
		}},
		{"the handle came after the cancel", note, []step{
			{"made", made, RepeatNone},
			{"the task goes on", lasts, RepeatPossible},
			{"it may be answered in time", early, RepeatEarly},
			{"the server answers", answered, RepeatNone},
		}},
		{"… and nothing answers", note, []step{
			{"made", made, RepeatNone},
			{"it may be answered in time", early, RepeatNone},
			{"the task goes on", lasts, RepeatEarly},
			{"the grace is over", late, RepeatPossible},
			{"the server answers", answered, RepeatNone},
		}},
	} {
		a := New(at(0), tt.spec)
		a.Written(at(ms))
		b, was := &bench{Attempt: &a}, RepeatNone
		for i, s := range tt.steps {
			s.do(b)
			got := b.RepeatState(b.now)
			if got != s.want {
				t.Fatalf("%s, %d, %s: from %s to %s, want %s", tt.name, i, s.name, repeatNames[was], repeatNames[got], repeatNames[s.want])
			}
			if got != was && !slices.Contains(edges[was], got) {
				t.Errorf("%s, %d, %s: from %s to %s, which is no edge", tt.name, i, s.name, repeatNames[was], repeatNames[got])
			}
			taken[was], was = append(taken[was], got), got
			if got.IsOpen() != b.isRepeatOpen() {
				t.Errorf("%s, %d, %s: open: %v", tt.name, i, s.name, got.IsOpen())
			}
		}
	}
	for from, to := range edges {
		for _, r := range to {
			if !slices.Contains(taken[from], r) {
				t.Errorf("from %s to %s: nothing leads there", repeatNames[from], repeatNames[r])
			}
		}
	}
}

// Where tasks/cancel may be sent, none is out, but for a task whose time is over.
func TestARepeatIsPossibleOrAwaited(t *testing.T) {
	for r := RepeatNone; r <= RepeatExpired; r++ {
		if r.IsPossible() && r.IsAnswerAwaited() {
			t.Errorf("%s: possible, and its answer awaited", repeatNames[r])
		}
	}
	if !RepeatPossible.IsPossible() || !RepeatExpired.IsPossible() || RepeatUnknown.IsPossible() || !RepeatEarly.IsAnswerAwaited() || !RepeatOut.IsAnswerAwaited() || RepeatEarly.IsOpen() {
		t.Error("the predicates read the states otherwise")
	}
}
