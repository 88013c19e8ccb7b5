package battery

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/audit"
	"belay/mcpclient"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
	"belay/session/witness"
)

// When a process began is told as of the cancel, be it alive or not.
func TestAProcessBeganBeforeOrAfterTheCancel(t *testing.T) {
	const second = time.Second
	all := processes(&session.Detail{Processes: &witness.View{
		Start: &witness.Totals{}, At: &witness.Totals{}, After: &witness.Totals{}, Since: 4 * second,
		Processes: []witness.ProcessView{
			{Name: "ended", Age: 3 * second, Ended: second},
			{Name: "ended before", Age: second, Ended: -second},
			{Name: "late", Age: second, Ended: 2 * second},
			{Name: "ended unseen", Age: 3 * second, Seen: second, Ended: 9 * second, Unseen: true},
			{Name: "lives", Age: 5 * second, Lives: true},
		},
	}})
	want := []time.Duration{-2 * second, -2 * second, second, -2 * second, -second}
	for i, p := range all.Began {
		if p.Began != want[i] {
			t.Errorf("%s began %v from the cancel, not %v", p.Name, p.Began, want[i])
		}
	}
	if all.Looked != 4*second {
		t.Errorf("the first look came %v after the cancel", all.Looked)
	}
	if len(all.Began) != len(want) {
		t.Errorf("there are %d", len(all.Began))
	}
}

// What lives on after calls that were left alone is known where all processes were looked at, long enough
// after these calls.
func TestWhatCallsLeaveWithoutACancel(t *testing.T) {
	const second = time.Second
	first := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	over := first.Add(5 * second)
	living := []witness.Living{
		{Name: "server", Began: first.Add(-9 * second)},
		{Name: "there before", Began: first.Add(-second)},
		{Name: "begun at once", Began: first.Add(-second / 100)},
		{Name: "begun by the second", Began: first.Add(4 * second)},
		{Name: "begun since", Began: over.Add(second)},
	}
	want := []audit.Kept{{Name: "there before"}, {Name: "begun at once", InCall: true}, {Name: "begun by the second", InCall: true}}
	if got := keeps(witness.Census{At: over.Add(2 * second), All: true, Living: living}, first, over); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := keeps(witness.Census{At: over.Add(2 * second), All: true, Living: living[:1]}, first, over); got == nil || len(got) > 0 {
		t.Errorf("of a server that keeps none: %+v", got)
	}
	for _, c := range []witness.Census{{}, {At: over.Add(second / 2), All: true, Living: living}, {At: over.Add(2 * second), Living: living}} {
		if got := keeps(c, first, over); got != nil {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// The idle time of processors is known where it was known before and after, for as many of them.
func TestIdleTimeIsKnownForTheSameProcessors(t *testing.T) {
	for _, x := range []struct {
		at, after witness.Totals
		want      audit.Processes
	}{
		{witness.Totals{Processors: 2, Idle: 3}, witness.Totals{Processors: 2, Idle: 7}, audit.Processes{Processors: 2, Idle: 4}},
		{witness.Totals{Processors: 2, Idle: 3}, witness.Totals{Processors: 3, Idle: 7}, audit.Processes{}},
		{witness.Totals{Processors: 2, Idle: 7}, witness.Totals{Processors: 2, Idle: 3}, audit.Processes{}},
		{witness.Totals{Processors: 2, Idle: 7}, witness.Totals{}, audit.Processes{}},
		{witness.Totals{}, witness.Totals{}, audit.Processes{}},
	} {
		got := processes(&session.Detail{Processes: &witness.View{Start: &witness.Totals{}, At: &x.at, After: &x.after}})
		if got.Processors != x.want.Processors || got.Idle != x.want.Idle {
			t.Errorf("%+v, then %+v: %d processors, idle for %v", x.at, x.after, got.Processors, got.Idle)
		}
	}
}

// A call whose exchange broke has no result, and no two of them have the same.
func TestACallThatBrokeHasNoResult(t *testing.T) {
	at := time.Now()
	for state, want := range map[session.State]audit.Answer{session.Failed: audit.Broken, session.Done: audit.Result, session.Lost: audit.NoAnswer} {
		d := &session.Detail{Row: session.Row{State: state, Note: "connection refused", Created: at, Sent: at, Ended: at}}
		for what, c := range map[string]audit.Call{"left alone": uncancelled(d, at), "ended before its cancel": observe(d, 0, 0)} {
			if c.Answer != want || want == audit.Broken && (c.Digest != "" || c.Said != "connection refused") {
				t.Errorf("%v, %s: %+v", state, what, c)
			}
		}
	}
}

// A call whose cancel was followed by the handle of a task is judged by the task: the outcome that
// a poll brought is no answer to the call.
func TestACallThatBecameATaskAfterItsCancelIsJudgedByTheTask(t *testing.T) {
	at := time.Now()
	for _, its := range []session.MomentKind{session.MomCancelSent, session.MomClosing} {
		d := &session.Detail{
			Row: session.Row{State: session.Cancelled, Verdict: cancel.TaskCompleted, Sent: at},
			Timeline: []session.MomentView{
				{At: at.Add(time.Second / 4), Kind: its},
				{At: at.Add(time.Second / 2), Kind: session.MomTaskCancel},
			},
			Late: &session.LateAnswer{After: time.Second, Result: []byte(`{"content":[]}`)},
		}
		c := observe(d, time.Second, 0)
		if c.Task == nil || c.Task.Fate != audit.FateCompleted || c.Sent || c.Answer != audit.NoAnswer || c.Ran != time.Second/2 {
			t.Errorf("%v: %+v, its task %+v", its, c, c.Task)
		}
	}
}

// The request right behind a cancel was answered, also by an error, when the server had read the cancel: an
// answer to the call that began before that may be of a server that had not.
func TestWhatTheRequestBehindACancelTells(t *testing.T) {
	at := time.Now()
	for name, tt := range map[string]struct {
		behind session.Detail
		answer audit.Answer
		unread bool
		within time.Duration
	}{
		"answered before the call":          {session.Detail{Row: session.Row{State: session.Done, Ended: at.Add(time.Second / 2)}}, audit.Result, false, time.Second / 2},
		"answered by an error":              {session.Detail{Row: session.Row{State: session.Failed, Ended: at.Add(time.Second / 2)}, Err: &mcp.RPCError{Code: -32601}}, audit.Result, false, time.Second / 2},
		"answered, and the call was not":    {session.Detail{Row: session.Row{State: session.Done, Ended: at.Add(2 * time.Second)}}, audit.NoAnswer, false, 2 * time.Second},
		"answered after the call":           {session.Detail{Row: session.Row{State: session.Done, Ended: at.Add(2 * time.Second)}}, audit.Result, true, 2 * time.Second},
		"answered with the call":            {session.Detail{Row: session.Row{State: session.Done, Ended: at.Add(time.Second)}}, audit.Result, true, time.Second},
		"not answered":                      {session.Detail{Row: session.Row{State: session.Running}}, audit.Result, true, 0},
		"broken off":                        {session.Detail{Row: session.Row{State: session.Failed, Ended: at.Add(time.Second / 2)}}, audit.Result, true, 0},
		"not answered, nor was the call":    {session.Detail{Row: session.Row{State: session.Cancelled, Ended: at.Add(time.Second)}}, audit.NoAnswer, false, 0},
		"answered before the cancel's time": {session.Detail{Row: session.Row{State: session.Done, Ended: at}}, audit.Result, false, 1},
	} {
		c := audit.Call{Sent: true, Answer: tt.answer, After: time.Second}
		noteBehind(&c, at, &tt.behind)
		if c.Unread != tt.unread || c.ReadWithin != tt.within {
			t.Errorf("%s: unread %v, read within %v", name, c.Unread, c.ReadWithin)
		}
	}
}

// What became of a task is told by all that was seen, whichever of it the verdict stands on.
func TestWhatBecameOfATask(t *testing.T) {
	refused, malformed := &session.TaskView{}, "the server's answer to tasks/cancel is malformed, and acknowledges nothing: it has no result"
	refused.CancelRefused = true
	for name, tt := range map[string]struct {
		d       session.Detail
		want    audit.Task
		crossed bool
	}{
		"refused, and the task goes on":        {session.Detail{Row: session.Row{Verdict: cancel.TaskWorking, Task: refused}}, audit.Task{Fate: audit.FateRefused, GoesOn: true}, false},
		"refused, at work, and then completed": {session.Detail{Row: session.Row{Verdict: cancel.TaskCompleted, Task: refused}, TaskEnd: cancel.EndAfterCancel}, audit.Task{Fate: audit.FateRefused, GoesOn: true}, false},
		"refused, at work, and then failed":    {session.Detail{Row: session.Row{Verdict: cancel.TaskFailed, Task: refused}, TaskEnd: cancel.EndAfterCancel}, audit.Task{Fate: audit.FateRefused, GoesOn: true}, false},
		"refused":                              {session.Detail{Row: session.Row{Verdict: cancel.TaskRefused, Task: refused}}, audit.Task{Fate: audit.FateRefused}, false},
		"not answered, completed, perhaps before": {
			session.Detail{Row: session.Row{Verdict: cancel.TaskUnacknowledged, Task: &session.TaskView{View: task.View{Status: task.Completed}}}, TaskEnd: cancel.EndInDoubt},
			audit.Task{Fate: audit.FateCompleted},
			true,
		},
		"not answered, completed before": {
			session.Detail{Row: session.Row{Verdict: cancel.TaskUnacknowledged, Task: &session.TaskView{View: task.View{Status: task.Completed}}}, TaskEnd: cancel.EndBeforeCancel},
			audit.Task{Fate: audit.FateCompleted},
			true,
		},
		"told before":           {session.Detail{Row: session.Row{Verdict: cancel.Crossed}, TaskEnd: cancel.EndToldBefore}, audit.Task{Fate: audit.FateCompleted}, true},
		"answered by no answer": {session.Detail{Row: session.Row{Verdict: cancel.TaskUnacknowledged}, Evidence: []cancel.Evidence{{Text: malformed}}}, audit.Task{Fate: audit.FateUnanswered, Malformed: malformed, Why: malformed}, false},
	} {
		if got := becameOf(&tt.d); *got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, *got, tt.want)
		}
		if got := mayHaveEndedBefore(&tt.d); got != tt.crossed {
			t.Errorf("%s: it may have ended before: %v", name, got)
		}
	}
}

// The time of a call is one also where its answer came before belay was told that the request was
// written, or before that was noted, or where it did not end.
func TestTheTimeOfACallIsATime(t *testing.T) {
	made := time.Now()
	const took = 20 * time.Millisecond
	for what, row := range map[string]session.Row{
		"told in time":          {Created: made, Sent: made, Ended: made.Add(took)},
		"not told to be sent":   {Created: made, Ended: made.Add(took)},
		"told after the answer": {Created: made, Sent: made.Add(2 * took), Ended: made.Add(took)},
		"not ended":             {Created: made, Sent: made},
	} {
		row.State = session.Done
		d := &session.Detail{Row: row}
		if c := uncancelled(d, made.Add(took)); c.Ran != took {
			t.Errorf("%s: left alone it took %v", what, c.Ran)
		}
		if c := observe(d, 0, 0); c.Ran < 0 || c.Ran > took {
			t.Errorf("%s: it took %v", what, c.Ran)
		}
	}
}

// A tool that keeps belay from noting when its request was written is no faster for that, and that it
// did is said.
func TestAToolIsNoFasterForWhatItKeepsBelayFrom(t *testing.T) {
	made := time.Now()
	call := func(unnoted time.Duration) audit.Call {
		return uncancelled(&session.Detail{Row: session.Row{State: session.Done, Created: made, Sent: made.Add(unnoted), Ended: made.Add(1500 * time.Millisecond)}}, made)
	}
	for _, x := range []struct {
		first, second time.Duration
		said          bool
	}{{0, 0, false}, {50 * time.Millisecond, 0, false}, {410 * time.Millisecond, 1272 * time.Millisecond, true}} {
		r := &run{seen: &audit.Observed{Alone: []audit.Call{call(x.first), call(x.second)}}}
		r.took()
		if r.seen.Took != 1500*time.Millisecond || len(r.seen.Notes) > 0 != x.said {
			t.Errorf("noted after %v and %v it took %v: %q", x.first, x.second, r.seen.Took, r.seen.Notes)
		}
	}
}

// What a server replaces after some calls is known although it does not live any more when others are.
func TestWhatWasSeenToLiveOnIsKept(t *testing.T) {
	first, second := audit.Kept{Name: "browser 1", InCall: true}, audit.Kept{Name: "browser 2", InCall: true}
	r := &run{seen: &audit.Observed{}}
	if r.keep(nil); r.seen.Kept != nil {
		t.Errorf("nobody looked: %+v", r.seen.Kept)
	}
	if r.keep([]audit.Kept{}); r.seen.Kept == nil {
		t.Error("there was none, and that was seen")
	}
	r.keep([]audit.Kept{first})
	r.keep(nil)
	r.keep([]audit.Kept{first, second})
	r.keep([]audit.Kept{second})
	if !slices.Equal(r.seen.Kept, []audit.Kept{first, second}) {
		t.Errorf("%+v", r.seen.Kept)
	}
}

// How a server ended is known by what belay did to its process, and not where belay itself failed.
func TestHowAServerEnded(t *testing.T) {
	at := time.Now()
	done := func(kinds ...mcpclient.StepKind) (p mcpclient.Process) {
		for i, k := range kinds {
			p.Steps = append(p.Steps, mcpclient.Step{At: at.Add(time.Duration(i) * time.Second), Kind: k})
		}
		p.Ended = at.Add(9 * time.Second)
		return p
	}
	const closed, terminated, killed, hurried, exited = mcpclient.StepClosed, mcpclient.StepTerminated, mcpclient.StepKilled, mcpclient.StepKilledByAsk, mcpclient.StepExited
	for what, x := range map[string]struct {
		p    mcpclient.Process
		want audit.Ending
	}{
		"by itself":                        {done(closed, exited, mcpclient.StepOther), audit.Ending{Took: time.Second}},
		"by SIGTERM":                       {done(closed, terminated, exited), audit.Ending{Took: 2 * time.Second, Forced: "SIGTERM"}},
		"by SIGKILL":                       {done(closed, terminated, killed, exited), audit.Ending{Took: 3 * time.Second, Forced: "SIGKILL"}},
		"never":                            {done(closed, killed, mcpclient.StepOther), audit.Ending{Took: 9 * time.Second, Forced: "SIGKILL"}},
		"as the user wanted it at once":    {done(closed, hurried, exited), audit.Ending{Took: 2 * time.Second, Hurried: true}},
		"likewise, when its time was over": {done(closed, terminated, hurried, exited), audit.Ending{Took: 3 * time.Second, Forced: "SIGTERM"}},
		"before":                           {done(mcpclient.StepOther), audit.Ending{Before: true}},
		"before, with no child":            {done(), audit.Ending{Before: true}},
	} {
		if e := ending(x.p); e == nil || *e != x.want {
			t.Errorf("%s: %+v, want %+v", what, e, x.want)
		}
	}
	failed := done(closed, exited)
	failed.Failure = "belay failed in the reader"
	for what, p := range map[string]mcpclient.Process{"belay failed": failed, "it runs": {}} {
		if e := ending(p); e != nil {
			t.Errorf("%s: %+v", what, e)
		}
	}
}

// A server that belay has begun again is another one than that which was measured, and one that is spoken to in
// another revision is not judged by the first. Any other end is that of the server.
func TestABeginningAgainIsNoEndOfTheServer(t *testing.T) {
	const rev = mcp.Rev20251125
	for what, x := range map[string]struct {
		st    session.Status
		epoch session.Epoch
		want  string
	}{
		"as it was":                      {session.Status{Phase: session.Ready, Epoch: 1, Revision: rev}, 1, ""},
		"begun again before its tool":    {session.Status{Phase: session.Ready, Epoch: 2, StartedAgain: true, Revision: rev}, 2, ""},
		"another session over HTTP":      {session.Status{Phase: session.Ready, Epoch: 2, Revision: rev}, 1, ""},
		"it ended":                       {session.Status{Phase: session.Disconnected, Epoch: 1}, 1, ""},
		"is begun again":                 {session.Status{Phase: session.Disconnected, StartAgain: true, Epoch: 1}, 1, "begun the server again"},
		"does not become ready":          {session.Status{Phase: session.Connecting, Epoch: 2}, 1, "begun the server again"},
		"ended its session":              {session.Status{Phase: session.Connecting, Epoch: 2, Replaces: true}, 1, ""},
		"connects anew on its own line":  {session.Status{Phase: session.Connecting, Epoch: 1}, 1, ""},
		"was begun again":                {session.Status{Phase: session.Ready, Epoch: 2, StartedAgain: true, Revision: rev}, 1, "begun the server again"},
		"speaks another on another line": {session.Status{Phase: session.Ready, Epoch: 1, Revision: mcp.Rev20260728}, 1, "in 2025-11-25 first, and is in 2026-07-28 now"},
	} {
		if got := begunAgain(&x.st, x.epoch, rev); (got == "") != (x.want == "") || !strings.Contains(got, x.want) {
			t.Errorf("%s: %q", what, got)
		}
	}
}

// A sample from before the calls were over is of these calls, and so is what was counted then: what a server has at
// rest it does not show.
func TestASampleOfEarlierCallsIsNoneAtRest(t *testing.T) {
	over := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	before, after := over.Add(-time.Millisecond), over.Add(time.Second)
	for _, x := range []struct {
		what        string
		of          *witness.Totals
		ok, counted bool
	}{
		{"none", nil, false, false},
		{"none, as yet", &witness.Totals{}, false, false},
		{"from before", &witness.Totals{At: before}, false, false},
		{"at that time", &witness.Totals{At: over, Counted: true, CountedAt: over}, true, true},
		{"later", &witness.Totals{At: after, Counted: true, CountedAt: after}, true, true},
		{"later, not counted", &witness.Totals{At: after}, true, false},
		{"later, counted before", &witness.Totals{At: after, Counted: true, CountedAt: before}, true, false},
	} {
		got, ok := atRest(x.of, over, 7)
		if ok != x.ok || got.Counted != x.counted || ok && got.Cancels != 7 {
			t.Errorf("%s: %t, %+v", x.what, ok, got)
		}
	}
}
