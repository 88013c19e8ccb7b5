package cancel

import (
	"strings"
	"testing"
	"time"

	"belay/session/witness"
)

// account is what was seen of a server that is idle for a second, begins a process in a call,
// and whose cancel is written at 1 ms.
func account(t *testing.T, found witness.Finding) *witness.Account {
	t.Helper()
	var m witness.Machine
	m.Connected()
	m.Ready(at(-4 * time.Second))
	server := witness.Process{PID: 10, Age: time.Hour}
	child := witness.Process{PID: 11, Parent: 10, Name: "sleep", Command: "sleep 14"}
	sample := func(d time.Duration, all ...witness.Process) { m.Sampled(at(d), witness.Sample{Processes: all}) }
	sample(-3*time.Second, server)
	m.Begun(1, at(-2*time.Second))
	sample(-2*time.Second, server)
	sample(-time.Second, server, child)
	a := m.Cancelled(1, at(ms), 50*ms)
	child.Age = 2 * time.Second
	sample(100*ms, server, child)
	child.Age = 5 * time.Second
	sample(3*time.Second, server, child)
	m.GraceOver(1, at(5001*ms))
	child.Age = 7 * time.Second
	switch found {
	case witness.Working:
		server.CPU = time.Second
		sample(5002*ms, server, child)
	case witness.Left:
		sample(5002*ms, server, child)
	case witness.Ended, witness.Nothing:
		sample(5002*ms, server)
	}
	if got := a.Finding(); got != found {
		t.Fatalf("the finding is %d, want %d", got, found)
	}
	return a
}

// What processes did counts where nothing else was heard.
func TestProcessesAmongTheEvidence(t *testing.T) {
	quiet := func(a *Attempt) {
		a.Written(at(ms))
		a.GraceOver(at(5001*ms), Pace{}, Lost{})
		a.ProbeAnswered(at(5010*ms), "")
	}
	mute := func(a *Attempt) {
		a.Written(at(ms))
		a.GraceOver(at(5001*ms), Pace{}, Lost{})
		a.ProbeWanted(at(5001*ms), 2*time.Second)
		a.ProbeLate(at(7001*ms), time.Time{}, 50*ms)
	}
	late := func(a *Attempt) {
		quiet(a)
		a.Answered(Answer{At: at(9 * time.Second), Began: at(9 * time.Second), Bound: 50 * ms})
	}
	noProbe := func(a *Attempt) {
		a.Written(at(ms))
		a.GraceOver(at(5001*ms), Pace{}, Lost{})
	}
	stray := func(a *Attempt) {
		a.Written(at(ms))
		a.Strayed(at(2*time.Second), at(2*time.Second), Stray{What: "something that is not JSON", Detail: `"{{"`})
		a.GraceOver(at(5001*ms), Pace{}, Lost{})
		a.ProbeAnswered(at(5010*ms), "")
	}
	died := func(a *Attempt) {
		quiet(a)
		a.Died(at(5011*ms), "ended: exit status 3")
	}
	for _, tt := range []struct {
		name  string
		found witness.Finding
		play  func(*Attempt)
		want  Verdict
		says  string
	}{
		{"work, and silence", witness.Working, quiet, StillWorking, "its processes used 1 s of CPU in 4.90 s"},
		{"work, and no answer to the probe", witness.Working, mute, StillWorking, "used 1 s"},
		{"work, and a late answer", witness.Working, late, AnsweredLate, ""},
		{"work, and a stray", witness.Working, stray, StillWorking, "used 1 s"},
		{"a process, and silence", witness.Left, quiet, LeftProcess, `still running 5 s after the cancel: "sleep 14" (pid 11), started during this call`},
		{"a process, and no answer to the probe", witness.Left, mute, LeftProcess, "meant to stay"},
		{"a process, and no way to ask", witness.Left, noProbe, LeftProcess, "meant to stay"},
		{"a process, and a stray", witness.Left, stray, NothingHeard, "still running"},
		{"a process, and a late answer", witness.Left, late, AnsweredLate, ""},
		{"a process, and the end of the server", witness.Left, died, ServerDied, ""},
		{"none any more, and silence", witness.Ended, quiet, EndedAfter, `"sleep 14" (pid 11), started during this call, had ended 5 s after the cancel`},
		{"none any more, and no answer to the probe", witness.Ended, mute, ServerUnresponsive, "finished by themselves"},
		{"none any more, and no way to ask", witness.Ended, noProbe, EndedAfter, "finished by themselves"},
	} {
		a := New(at(0), Spec{Signal: Notify, Grace: 5 * time.Second})
		a.Processes = account(t, tt.found)
		tt.play(&a)
		if got := a.Verdict(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		var all []string
		for _, e := range a.Evidence() {
			all = append(all, e.Text)
		}
		text := strings.Join(all, "\n")
		if !strings.Contains(text, tt.says) || tt.want == AnsweredLate && strings.Contains(text, "sleep 14") {
			t.Errorf("%s: the evidence is\n%s", tt.name, text)
		}
	}
}
