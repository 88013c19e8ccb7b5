package wording

import (
	"slices"
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session/cancel"
	"belay/session/witness"
)

// What a verdict means that stands on processes, names them, and never says that work ended
// because of the cancel.
func TestWhatAVerdictByProcessesMeans(t *testing.T) {
	lives := witness.ProcessView{PID: 11, Name: "sleep\x1b 14", Lives: true}
	ended := witness.ProcessView{PID: 12, Name: "make", Age: time.Second, Ended: 300 * time.Millisecond}
	unseen := witness.ProcessView{PID: 14, Name: "make", Age: time.Second, Seen: 200 * time.Millisecond, Ended: 3300 * time.Millisecond, Unseen: true}
	before := witness.ProcessView{PID: 13, Name: "ls", Age: time.Second, Ended: -time.Second}
	for _, tt := range []struct {
		verdict cancel.Verdict
		view    *witness.View
		want    safe.Text
	}{
		{cancel.StillWorking, &witness.View{Finding: witness.Working}, "the processes of the server worked on: a server may ignore a cancel"},
		{cancel.StillWorking, &witness.View{}, Meaning(cancel.StillWorking)},
		{cancel.StillWorking, nil, Meaning(cancel.StillWorking)},
		{cancel.LeftProcess, &witness.View{Follows: true, Processes: []witness.ProcessView{before, lives}}, `a process that began after the call was sent still runs, "sleep⟨ESC⟩ 14" (pid 11): it may be meant to stay`},
		{cancel.LeftProcess, &witness.View{Since: 10100 * time.Millisecond, Processes: []witness.ProcessView{lives, lives, lives}}, `a process that began after the call was sent was still running 10.10s after the cancel, "sleep⟨ESC⟩ 14" (pid 11), and 2 more: it may be meant to stay`},
		{cancel.LeftProcess, &witness.View{Follows: true, Blind: true, Processes: []witness.ProcessView{lives, lives}}, `a process that began after the call was sent still runs, "sleep⟨ESC⟩ 14" (pid 11), and at least 1 more: it may be meant to stay`},
		{cancel.LeftProcess, &witness.View{Processes: []witness.ProcessView{ended}}, "a process that began after the call was sent was still running, and has ended since"},
		{cancel.LeftProcess, nil, Meaning(cancel.LeftProcess)},
		{cancel.EndedAfter, &witness.View{Processes: []witness.ProcessView{before, ended}, Since: 9 * time.Second}, "no process that was seen to begin during the call still runs, since 300ms after the cancel: they may have finished by themselves"},
		{cancel.EndedAfter, &witness.View{Processes: []witness.ProcessView{unseen, ended}}, "no process that was seen to begin during the call still runs, since 3.30s after the cancel at the latest: they may have finished by themselves"},
		{cancel.EndedAfter, &witness.View{Processes: []witness.ProcessView{ended, lives}}, "no process that was seen to begin during the call still runs, since 300ms after the cancel: they may have finished by themselves; after the grace another process began"},
		{cancel.EndedAfter, &witness.View{Processes: []witness.ProcessView{ended, lives, lives}}, "no process that was seen to begin during the call still runs, since 300ms after the cancel: they may have finished by themselves; after the grace 2 more processes began"},
		{cancel.EndedAfter, &witness.View{Processes: []witness.ProcessView{ended, {PID: 15, Name: "ls", Ended: 8 * time.Second, Later: true}}}, "no process that was seen to begin during the call still runs, since 300ms after the cancel: they may have finished by themselves; after the grace another process began"},
		{cancel.EndedAfter, nil, Meaning(cancel.EndedAfter)},
		{cancel.SaysCancelled, &witness.View{Since: 10100 * time.Millisecond, Processes: []witness.ProcessView{ended, lives, lives}}, Meaning(cancel.SaysCancelled) + `; a process that began after the call was sent was still running 10.10s after the cancel, "sleep⟨ESC⟩ 14" (pid 11), and 1 more: it may be meant to stay`},
		{cancel.AnsweredLate, &witness.View{Follows: true, Processes: []witness.ProcessView{lives}}, Meaning(cancel.AnsweredLate) + `; a process that began after the call was sent still runs, "sleep⟨ESC⟩ 14" (pid 11): it may be meant to stay`},
		{cancel.AnsweredError, &witness.View{Follows: true, Processes: []witness.ProcessView{lives}}, Meaning(cancel.AnsweredError) + `; a process that began after the call was sent still runs, "sleep⟨ESC⟩ 14" (pid 11): it may be meant to stay`},
		{cancel.AnsweredLate, &witness.View{Shared: true, Processes: []witness.ProcessView{lives}}, Meaning(cancel.AnsweredLate)},
		{cancel.AnsweredLate, &witness.View{Processes: []witness.ProcessView{before, ended}}, Meaning(cancel.AnsweredLate)},
		{cancel.Crossed, &witness.View{Processes: []witness.ProcessView{lives}}, Meaning(cancel.Crossed)},
		{cancel.Quiet, &witness.View{Processes: []witness.ProcessView{ended}}, "quiet at once: the server read the cancel and said nothing more of the call"},
	} {
		c := cancelled(tt.verdict)
		c.Processes = tt.view
		if got := Verdict(c); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.verdict, got, tt.want)
		}
	}
}

// Figures are said to be of the cancel only where they were sampled just then.
func TestWhenTheFiguresAtACancelWereSampled(t *testing.T) {
	for since, want := range map[time.Duration]string{
		-10 * time.Millisecond: "10ms before the cancel", -1500 * time.Millisecond: "1.50s before the cancel", -9 * time.Millisecond: "at the cancel",
		0: "at the cancel", 9 * time.Millisecond: "at the cancel", 10 * time.Millisecond: "10ms after the cancel", 1500 * time.Millisecond: "1.50s after the cancel",
	} {
		if got := string(AtCancel(since)); got != want {
			t.Errorf("%v: %q, want %q", since, got, want)
		}
	}
}

// Figures are said to be of before a call without more only where they were sampled just then.
func TestWhenTheFiguresBeforeACallWereSampled(t *testing.T) {
	for age, want := range map[time.Duration]string{0: "before", 999 * time.Millisecond: "before", time.Second: "1.00s before", 4 * time.Minute: "240.00s before"} {
		if got := string(beforeCall(age)); got != want {
			t.Errorf("%v: %q, want %q", age, got, want)
		}
	}
}

// What was counted earlier than the rest is not said to be of the same moments, and what reads the same
// is said once.
func TestFiguresOfOtherMoments(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	totals := func(counted bool, ago time.Duration) *witness.Totals {
		return &witness.Totals{At: now, Counted: counted, CountedAt: now.Add(-ago)}
	}
	const ms = time.Millisecond
	first := Figure{Before: "before", At: "90ms before the cancel", After: "10.02s after"}
	for _, c := range []struct {
		name                     string
		before, at, after        *witness.Totals
		ageBefore, sinceA, since time.Duration
		want                     []Figure
	}{
		{"all at once", totals(true, 0), totals(true, 0), totals(true, 0), 2 * ms, -90 * ms, 10020 * ms, []Figure{first}},
		{"they were not counted", totals(false, time.Hour), totals(false, time.Hour), totals(false, time.Hour), 2 * ms, -90 * ms, 10020 * ms, []Figure{first}},
		{"the cancel's", totals(true, 300*ms), totals(true, 820*ms), totals(true, 0), 2 * ms, -90 * ms, 10020 * ms, []Figure{first, {Before: "before", At: "910ms before the cancel", After: "10.02s after"}}},
		{"those before, and of the end", totals(true, time.Second), totals(true, 0), totals(true, 900*ms), 2 * ms, -90 * ms, 10020 * ms, []Figure{first, {Before: "1.00s before", At: "90ms before the cancel", After: "9.12s after"}}},
		{"none since the cancel", nil, totals(true, 0), totals(true, 400*ms), 0, 30 * ms, 30 * ms, []Figure{
			{Before: "before", At: "30ms after the cancel", After: "30ms after"}, {Before: "before", At: "30ms after the cancel", After: "370ms before the cancel"},
		}},
	} {
		groups := ProcessFigures(&witness.View{Before: c.before, At: c.at, After: c.after, BeforeAge: c.ageBefore, AtSince: c.sinceA, Since: c.since})
		var got []Figure
		figures := 0
		for i := range groups {
			got, figures = append(got, groups[i].Words()), figures+len(groups[i].Figures)
		}
		if !slices.Equal(got, c.want) || figures != 6 {
			t.Errorf("%s: %q, with %d figures; want %q", c.name, got, figures, c.want)
		}
	}
	if got, want := (Moments{Before: time.Second, At: 0, After: time.Second}).Heads(), (Figure{Before: "1.00s before the call", At: "at the cancel", After: "1.00s after it"}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (Moments{After: -time.Second}).Heads(), (Figure{Before: "before the call", At: "at the cancel", After: "1.00s before the cancel"}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
