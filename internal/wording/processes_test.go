package wording

import (
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
		if got := string(BeforeCall(age)); got != want {
			t.Errorf("%v: %q, want %q", age, got, want)
		}
	}
}
