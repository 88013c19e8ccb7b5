package cancel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
)

// The verdicts about a task, each with the events that lead to it. As in
// TestTheVerdicts, the cancel is wanted at 0 and written 1 ms later; the bound is
// 50 ms, the grace 5 s.
func TestTheVerdictsAboutATask(t *testing.T) {
	const bound = 50 * ms
	written := func(a *Attempt) { a.Written(at(ms)) }
	acknowledged := func(a *Attempt) { a.TaskAcknowledged(at(2 * ms)) }
	late := func(d time.Duration) func(*Attempt) { return func(a *Attempt) { a.TaskAcknowledged(at(d)) } }
	refused := func(a *Attempt) { a.TaskCancelRefused(at(2*ms), `error -32602: "it has ended"`) }
	// seen is a message that tells of the task; polled: it answers a poll that was
	// sent after the acknowledgement.
	seen := func(d time.Duration, fate TaskFate, by, said string, polled bool) func(*Attempt) {
		return func(a *Attempt) {
			a.TaskSeen(Sight{At: at(d), Began: at(d), Bound: bound, Fate: fate, By: by, Said: said, Polled: polled})
		}
	}
	polled := func(d time.Duration, fate TaskFate, said string) func(*Attempt) {
		return seen(d, fate, "tasks/get", said, true)
	}
	silent := func(a *Attempt) {
		a.TaskSilent(at(5001 * ms))
		a.GraceOver(at(5001*ms), Pace{}, Lost{})
	}
	probeLate := func(a *Attempt) {
		a.ProbeWanted(at(5001*ms), 2*time.Second)
		a.ProbeLate(at(7001*ms), time.Time{}, bound)
	}
	untold := func(a *Attempt) {
		a.TaskSeen(Sight{At: at(900 * ms), Fate: TaskIsUntold, Said: `it is about "other"`, Polled: true})
	}
	// ended is such a message that tells of a completed task, with what dates and other messages tell of when
	// it was completed.
	ended := func(d, earliest, latest, goneOn time.Duration) func(*Attempt) {
		on := func(d time.Duration) (moment time.Time) {
			if d != 0 {
				moment = at(d)
			}
			return moment
		}
		return func(a *Attempt) {
			a.TaskSeen(Sight{
				At: at(d), Began: at(d), Bound: bound, Fate: TaskIsCompleted, By: "tasks/get", Said: "completed", Polled: true,
				Earliest: on(earliest), Latest: on(latest), GoneOn: on(goneOn),
			})
		}
	}
	heard := func(a *Attempt) { a.Heard(at(60*ms), at(60*ms), bound, "progress 3/4") }
	done := seen(2*time.Second, TaskIsCompleted, "a notification", "completed", false)
	missed := func(a *Attempt) { a.TaskUnanswered(at(2*ms), "503") }
	died := func(a *Attempt) { a.Died(at(time.Second), "ended: exit status 3") }

	for _, tt := range []struct {
		name   string
		events []func(*Attempt)
		want   Verdict
		says   string // in the evidence
	}{
		{"not written", []func(*Attempt){func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }}, NotDelivered, "could not be written within 5s"},
		{"no ID yet, and the server died", []func(*Attempt){func(a *Attempt) { a.TaskHasNoID(at(0)) }, died}, ServerDied, "the task had no ID yet"},

		{"refused", []func(*Attempt){written, refused}, TaskRefused, "it has ended"},
		{"refused, and a poll finds it at work", []func(*Attempt){written, refused, polled(2*time.Second, TaskGoesOn, "working")}, TaskWorking, "tasks/get says that the task is working"},
		{"refused, and a poll from before that found it at work", []func(*Attempt){written, refused, seen(3*ms, TaskGoesOn, "tasks/get", "working", false)}, TaskRefused, "it has ended"},
		{"refused, and a poll from before that found it at work, and it had completed", []func(*Attempt){written, refused, seen(3*ms, TaskGoesOn, "tasks/get", "working", false), polled(time.Second, TaskIsCompleted, "completed")}, TaskRefused, "tasks/get says that the task is completed"},

		{"cancelled, by the answer to the cancel", []func(*Attempt){written, acknowledged, seen(2*ms, TaskIsCancelled, "tasks/cancel", "cancelled", false)}, TaskCancelled, "tasks/cancel says that the task is cancelled"},
		{"cancelled, by a poll", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskIsCancelled, "cancelled")}, TaskCancelled, "that alone is no proof"},
		{"cancelled, and then completed", []func(*Attempt){written, acknowledged, polled(time.Second, TaskIsCancelled, "cancelled"), polled(2*time.Second, TaskIsCompleted, "completed")}, TaskCancelled, "although the task had ended: the first word stays"},
		{"cancelled, and then at work, by a notification", []func(*Attempt){written, acknowledged, seen(2*ms, TaskIsCancelled, "tasks/cancel", "cancelled", false), seen(time.Second, TaskGoesOn, "a notification", "working", false)}, TaskCancelled, "a notification says that the task is working, although the task had ended: the first word stays"},
		{"cancelled, and then at work, by the poll", []func(*Attempt){written, acknowledged, seen(2*ms, TaskIsCancelled, "tasks/cancel", "cancelled", false), polled(time.Second, TaskGoesOn, "working")}, TaskCancelled, "tasks/get says that the task is working, although the task had ended: the first word stays"},
		{"cancelled, at work, and then completed", []func(*Attempt){written, acknowledged, seen(2*ms, TaskIsCancelled, "tasks/cancel", "cancelled", false), seen(time.Second, TaskGoesOn, "a notification", "working", false), polled(2*time.Second, TaskIsCompleted, "completed")}, TaskCancelled, "last told otherwise: tasks/get says that the task is completed"},
		{"refused, completed, and then at work", []func(*Attempt){written, refused, polled(time.Second, TaskIsCompleted, "completed"), seen(2*time.Second, TaskGoesOn, "a notification", "working", true)}, TaskRefused, "a notification says that the task is working, although the task had ended: the first word stays"},
		{"completed, and then cancelled by the answer to the cancel", []func(*Attempt){written, acknowledged, seen(2*ms, TaskIsCompleted, "tasks/get", "completed", false), seen(3*ms, TaskIsCancelled, "tasks/cancel", "cancelled", false)}, Crossed, "although the task had ended: the first word stays"},
		{"the same over HTTP, where one may have overtaken the other", []func(*Attempt){written, acknowledged, seen(2*ms, TaskIsCompleted, "tasks/get", "completed", false), func(a *Attempt) {
			a.TaskSeen(Sight{At: at(3 * ms), Began: at(3 * ms), Bound: bound, Fate: TaskIsCancelled, By: "tasks/cancel", Said: "cancelled", Apart: true})
		}}, TaskCancelled, "tasks/get says that the task is completed: over HTTP that may have been said after the answer to tasks/cancel, which counts"},
		{"cancelled, and then forgotten", []func(*Attempt){written, acknowledged, seen(2*ms, TaskIsCancelled, "tasks/cancel", "cancelled", false), polled(time.Second, TaskIsUnknown, "")}, TaskCancelled, "tasks/get does not find the task any more"},

		{"completed, as the server told before the cancel was written", []func(*Attempt){seen(0, TaskIsCompleted, "tasks/get", "completed", false), written, acknowledged}, Crossed, "the server told that before the cancel was written"},
		{"completed at once", []func(*Attempt){written, acknowledged, polled(51*ms, TaskIsCompleted, "completed")}, Crossed, "tasks/get says that the task is completed"},
		{"completed, and nothing tells when", []func(*Attempt){written, acknowledged, polled(52*ms, TaskIsCompleted, "completed")}, Crossed, "whether the task had ended before the server read the cancel is not known"},
		{"completed, and it went on a second before", []func(*Attempt){written, acknowledged, ended(2*time.Second, 0, 0, -999*ms)}, Crossed, "is not known: it was last told to go on 1.00 s before that was written"},
		{"completed before the cancel, by the dates", []func(*Attempt){written, acknowledged, ended(2*time.Second, -700*ms, -399*ms, -999*ms)}, Crossed, "by the server's dates the task had ended 400 ms before the cancel was written, at the latest"},
		{"completed about the cancel, by the dates", []func(*Attempt){written, acknowledged, ended(2*time.Second, -1*ms, 100*ms, -999*ms)}, Crossed, "is not known: it was last told to go on 1.00 s before"},
		{"completed within the bound, by the dates", []func(*Attempt){written, acknowledged, ended(2*time.Second, 51*ms, 100*ms, -999*ms)}, Crossed, "is not known"},
		{"completed all the same, by the dates", []func(*Attempt){written, acknowledged, ended(2*time.Second, 401*ms, 500*ms, -999*ms)}, TaskCompleted, "by the server's dates the task ended 400 ms after the cancel, at the earliest"},
		{"completed all the same, after progress that came too late to have been on its way", []func(*Attempt){written, acknowledged, heard, polled(2*time.Second, TaskIsCompleted, "completed")}, TaskCompleted, "tasks/get says that the task is completed"},
		{"completed all the same, after a notification that came too late to have been on its way", []func(*Attempt){written, acknowledged, seen(52*ms, TaskGoesOn, "a notification", "working", false), polled(2*time.Second, TaskIsCompleted, "completed")}, TaskCompleted, "a notification says that the task is working"},
		{"completed, after a notification that may have been on its way", []func(*Attempt){written, acknowledged, seen(51*ms, TaskGoesOn, "a notification", "working", false), polled(2*time.Second, TaskIsCompleted, "completed")}, Crossed, "is not known"},
		{"completed, and it went on shortly before the server answered the cancel, which took its time", []func(*Attempt){written, seen(237*ms, TaskGoesOn, "tasks/get", "working", false), late(237 * ms), polled(667*ms, TaskIsCompleted, "completed")}, Crossed, "is not known"},
		{"… and behind that answer", []func(*Attempt){written, late(237 * ms), seen(238*ms, TaskGoesOn, "a notification", "working", false), polled(667*ms, TaskIsCompleted, "completed")}, TaskCompleted, "a notification says that the task is working"},
		{"… which took longer than any round trip may", []func(*Attempt){written, seen(2002*ms, TaskGoesOn, "tasks/get", "working", false), late(2002 * ms), polled(3*time.Second, TaskIsCompleted, "completed")}, TaskCompleted, "tasks/get says that the task is working"},
		{"completed all the same, and the answer to the cancel says that it went on", []func(*Attempt){written, acknowledged, func(a *Attempt) {
			a.TaskSeen(Sight{At: at(2 * ms), Began: at(2 * ms), Bound: bound, Fate: TaskGoesOn, By: "tasks/cancel", Said: "working", Answers: true})
		}, polled(2*time.Second, TaskIsCompleted, "completed")}, TaskCompleted, "tasks/cancel says that the task is working"},
		{"completed, and the cancel not answered yet", []func(*Attempt){written, done}, TaskUnacknowledged, "a notification says that the task is completed"},
		{"completed, and the cancel never answered", []func(*Attempt){written, done, silent}, TaskUnacknowledged, "was not answered while the grace lasted"},
		{"completed, and no answer to the cancel that belay can take", []func(*Attempt){written, missed, done}, TaskUnacknowledged, "tasks/cancel brought no answer: 503"},
		{"failed, and the cancel never answered", []func(*Attempt){written, silent, polled(9*time.Second, TaskHasFailed, "failed")}, TaskUnacknowledged, "tasks/get says that the task is failed"},
		{"completed, and the cancel acknowledged later", []func(*Attempt){written, ended(2*time.Second, 401*ms, 0, 0), silent, acknowledged}, TaskCompleted, "tasks/get says that the task is completed"},
		{"completed, and a malformed answer to the cancel", []func(*Attempt){written, func(a *Attempt) { a.TaskOdd(at(2*ms), "no object") }, done}, TaskUnacknowledged, "a notification says that the task is completed"},
		{"completed at once, and the cancel never answered", []func(*Attempt){written, polled(51*ms, TaskIsCompleted, "completed"), silent}, Crossed, "was not answered while the grace lasted"},
		{"cancelled, and the cancel never answered", []func(*Attempt){written, polled(time.Second, TaskIsCancelled, "cancelled"), silent}, TaskCancelled, "was not answered while the grace lasted"},
		{"refused, found at work, and completed", []func(*Attempt){written, refused, polled(2*time.Second, TaskGoesOn, "working"), polled(3*time.Second, TaskIsCompleted, "completed")}, TaskCompleted, "the server refused tasks/cancel"},
		{"completed, the cancel not answered, and the server died", []func(*Attempt){written, seen(900*ms, TaskIsCompleted, "a notification", "completed", false), died}, TaskUnacknowledged, "a notification says that the task is completed"},
		{"failed, and nothing tells when", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskHasFailed, "failed")}, Crossed, "is not known"},
		{"at work, and failed later", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskGoesOn, "working"), polled(time.Minute, TaskHasFailed, "failed")}, TaskFailed, "tasks/get says that the task is failed"},

		{"at work, by a poll after the acknowledgement", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskGoesOn, "working")}, TaskWorking, "tasks/get says that the task is working"},
		{"at work, and completed later", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskGoesOn, "working"), polled(time.Minute, TaskIsCompleted, "completed")}, TaskCompleted, "tasks/get says that the task is completed"},

		{"acknowledged, and a poll tells of another task", []func(*Attempt){written, acknowledged, untold}, TaskUnseen, `that tells nothing of the task: it is about "other"`},
		{"at work, and then forgotten, as when its time is over", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskGoesOn, "working"), polled(3*time.Second, TaskIsUnknown, "")}, TaskWorking, "tasks/get does not find the task any more"},
		{"a poll tells of another task, and a later one finds it at work", []func(*Attempt){written, acknowledged, untold, polled(2*time.Second, TaskGoesOn, "working")}, TaskWorking, "tells nothing of the task"},
		{"refused, and a poll tells of another task", []func(*Attempt){written, refused, untold}, TaskRefused, "tells nothing of the task"},
		{"acknowledged, a poll tells of another task, and the server died", []func(*Attempt){written, acknowledged, untold, died}, ServerDied, "tells nothing of the task"},
		{"acknowledged, and a poll in vain", []func(*Attempt){written, acknowledged, func(a *Attempt) { a.TaskVain(at(time.Second), "HTTP 429") }}, TaskUnseen, "a poll that was sent after that brought nothing: HTTP 429"},
		{"acknowledged, and no poll", []func(*Attempt){written, acknowledged, func(a *Attempt) {
			a.TaskSeen(Sight{At: at(time.Second), Fate: TaskIsUnpolled, Said: "its time is over"})
		}}, TaskUnseen, "nothing more is polled: its time is over"},
		{"acknowledged, and nothing more", []func(*Attempt){written, acknowledged, func(a *Attempt) { a.TaskLost(at(time.Minute)) }}, TaskUnseen, "was answered within 1m0s"},
		{"at work, by a poll before the acknowledgement", []func(*Attempt){written, acknowledged, seen(2*ms, TaskGoesOn, "tasks/get", "working", false)}, TaskUnseen, "tasks/get says that the task is working"},
		{"acknowledged, and then the server died", []func(*Attempt){written, acknowledged, died}, ServerDied, "that alone is no proof"},
		{"no answer to the cancel, and the server died", []func(*Attempt){written, silent, died}, ServerDied, "was not answered while the grace lasted"},
		{"at work, and then the server died", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskGoesOn, "working"), died}, TaskWorking, "tasks/get says that the task is working"},
		{"not found, and then the server died", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskIsUnknown, ""), died}, TaskUnseen, "tasks/get does not find the task any more"},
		{"acknowledged, and not found", []func(*Attempt){written, acknowledged, polled(2*time.Second, TaskIsUnknown, "")}, TaskUnseen, "tasks/get does not find the task any more"},

		{"no answer to the cancel", []func(*Attempt){written, silent, func(a *Attempt) { a.ProbeAnswered(at(5010*ms), "") }}, TaskUnacknowledged, "was not answered while the grace lasted"},
		{"no ID came", []func(*Attempt){func(a *Attempt) { a.TaskHasNoID(at(0)) }, func(a *Attempt) { a.GiveUp(at(5*time.Second), "") }}, NotDelivered, "if its ID still comes, tasks/cancel is sent"},
		{"no answer that belay can take", []func(*Attempt){written, func(a *Attempt) { a.TaskUnanswered(at(time.Second), "an HTTP error") }}, TaskUnacknowledged, "an HTTP error"},
		{"a malformed answer", []func(*Attempt){written, func(a *Attempt) { a.TaskOdd(at(2*ms), "a malformed response") }}, TaskUnacknowledged, "acknowledges nothing"},
		{"no answer to the cancel, nor to the probe", []func(*Attempt){written, silent, probeLate}, ServerUnresponsive, "not answered within 2s"},
		{"over HTTP, no answer to the cancel, and one to the probe", []func(*Attempt){func(a *Attempt) { a.Apart = true }, written, silent, func(a *Attempt) { a.ProbeAnswered(at(5010*ms), "") }}, TaskUnacknowledged, "whether it has read the cancel is not known"},
		{"over HTTP, written too late, and something later answered", []func(*Attempt){func(a *Attempt) {
			a.Apart = true
			a.GiveUp(at(5*time.Second), "")
			a.Written(at(8 * time.Second))
			a.Read(at(9 * time.Second))
		}}, NotDelivered, "whether it has read the cancel is not known"},
		{"no answer to the cancel, and one to something later, long after the probe", []func(*Attempt){written, silent, probeLate, func(a *Attempt) { a.Read(at(20 * time.Second)) }}, TaskUnacknowledged, "it had read it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := New(at(0), Spec{By: ByUser, Reason: "wrong branch", Signal: CancelTask, Grace: 5 * time.Second})
			for _, event := range tt.events {
				event(&a)
			}
			wantVerdict(t, &a, tt.want, tt.says)
		})
	}
}

// A server may have answered tasks/cancel before it is told that the cancel was written: the
// polls have their time all the same, and not the grace.
func TestTheAnswerToTasksCancelBeforeItsWriting(t *testing.T) {
	for name, answer := range map[string]func(*Attempt){
		"acknowledged": func(a *Attempt) { a.TaskAcknowledged(at(2 * ms)) },
		"refused":      func(a *Attempt) { a.TaskCancelRefused(at(2*ms), "error -32602") },
		"malformed":    func(a *Attempt) { a.TaskOdd(at(2*ms), "it is neither a result nor an error") },
	} {
		a := New(at(0), Spec{By: ByUser, Signal: CancelTask, Grace: 5 * time.Second})
		answer(&a)
		a.Written(at(ms))
		if want := at(2 * ms).Add(taskPolledWithin); !a.Due().Equal(want) || !a.WrittenAt().Equal(at(ms)) {
			t.Errorf("%s: due at %v, not %v", name, a.Due(), want)
		}
	}
	a := New(at(0), Spec{By: ByUser, Signal: CancelTask, Grace: 5 * time.Second})
	if a.Written(at(ms)); !a.Due().Equal(at(ms).Add(5 * time.Second)) {
		t.Errorf("without an answer it is due at %v", a.Due())
	}
}

// Where nothing can answer tasks/cancel any more, it is told once that it has no answer.
func TestATasksCancelThatIsNotAnsweredIsToldOnce(t *testing.T) {
	requirements.Rows(t, "CXL-32")
	const never, inTime = "tasks/cancel brought no answer: ", "tasks/cancel was not answered while the grace lasted"
	for name, tt := range map[string]struct {
		missed time.Duration // 0: it is still open
		want   []string
	}{
		"HTTP 503 at once":           {2 * ms, []string{never + "HTTP 503"}},
		"still open":                 {0, []string{inTime}},
		"HTTP 503 after the grace":   {7 * time.Second, []string{inTime, never + "HTTP 503"}},
		"HTTP 503 as the grace ends": {5001 * ms, []string{never + "HTTP 503"}},
	} {
		a := New(at(0), Spec{By: ByUser, Signal: CancelTask, Grace: 5 * time.Second})
		a.Written(at(ms))
		if tt.missed != 0 {
			a.TaskUnanswered(at(tt.missed), "HTTP 503")
		}
		a.TaskSilent(at(5001 * ms))
		a.GraceOver(at(5001*ms), Pace{}, Lost{})
		var got []string
		for _, e := range a.Evidence() {
			if strings.HasPrefix(e.Text, never) || e.Text == inTime {
				got = append(got, e.Text)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
