package row

import (
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/task"
	"belay/ui/theme"
)

// The last minute before a timeout is a countdown, unless the clock is paused or
// the call has only begun.
func TestTimeCountsDownBeforeATimeout(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	w := Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Now: now}
	r := session.Row{State: session.Running, Created: now.Add(-90 * time.Second), Deadline: now.Add(30 * time.Second)}
	if got := w.Time(r); got != "30s left" {
		t.Errorf("the time is %q", got)
	}
	for _, over := range []time.Duration{0, time.Minute} { // in a recording that goes on no more
		late := r
		late.Deadline = now.Add(-over)
		if got := w.Time(late); got != "1m30s" {
			t.Errorf("the time %v behind the timeout is %q", over, got)
		}
	}
	r.Paused = true
	if got := w.Time(r); got != "1m30s" {
		t.Errorf("the time of a paused call is %q", got)
	}
	w.Slow, r.Created = true, now.Add(-2500*time.Millisecond)
	if got := w.Time(r); got != "2s" {
		t.Errorf("without motion the time is %q", got)
	}
}

// A poll whose time has come is due, for long in a recording that goes on no more.
func TestAPollIsDue(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	w := Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Now: now}
	for left, want := range map[time.Duration]safe.Text{time.Millisecond: "next poll in 1 s", 0: "next poll is due", -time.Minute: "next poll is due"} {
		r := session.Row{State: session.Running, Task: &session.TaskView{GoesOn: true, View: task.View{Pause: 4 * time.Second, NextPoll: now.Add(left)}}}
		if got := w.NextPoll(r); got != want {
			t.Errorf("%v before it: %q, want %q", left, got, want)
		}
	}
}

// What a key would do is said on no screen of a recording.
func TestTheWordsOfARecording(t *testing.T) {
	r := session.Row{State: session.Running, Note: "it failed", Remedy: session.Remedy{Kind: session.RemedyRepeat}}
	r.Round.AwaitsRetry = true
	for recorded, want := range map[bool][3]safe.Text{
		false: {"held, r goes on", "it failed; r makes the call again", "· it failed; r makes the call again"},
		true:  {"held", "it failed", "· it failed"},
	} {
		w := Words{Looks: theme.Looks{Glyphs: theme.Unicode, Recorded: recorded}}
		if got := [3]safe.Text{w.State(r).Wide, w.Note(r), w.TrailingNote(r)}; got != want {
			t.Errorf("recorded %v: %q, want %q", recorded, got, want)
		}
	}
}
