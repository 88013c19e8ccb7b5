package wording

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/task"
)

// The states of rows: nothing is claimed that is not known, and no state has a sign that
// belongs to another.
func TestStatesInWords(t *testing.T) {
	half := session.ProgressView{Count: 1, Value: 1, Total: 2, HasTotal: true}
	for name, tt := range map[string]struct {
		row  session.Row
		want State
	}{
		"queued":          {session.Row{State: session.Queued}, oneForm(SignQueued, "queued")},
		"running":         {session.Row{State: session.Running}, oneForm(SignRunning, "running")},
		"with progress":   {session.Row{State: session.Running, Progress: half}, State{Sign: SignRunning, Wide: "running 50%", Narrow: "running 50%", UpTo: "running 100%"}},
		"asks":            {session.Row{State: session.Running, AsksYou: true}, oneForm(SignAsks, "asks you")},
		"login":           {session.Row{State: session.Running, Login: true}, State{Sign: SignAsks, Wide: "waiting for login", Narrow: "wants login"}},
		"wanted":          {session.Row{State: session.Cancelling, Unsent: true}, State{Sign: SignCancelling, Wide: "cancelling…", Narrow: "cancelling…", Passing: " (not sent yet)"}},
		"task ended":      {session.Row{State: session.Cancelling, Unsent: true, Task: &session.TaskView{View: task.View{Status: task.Completed}}}, State{Sign: SignCancelling, Wide: "cancelling…", Narrow: "cancelling…", Passing: " (waiting for the outcome)", Brief: " (has ended)"}},
		"timed out":       {session.Row{State: session.Cancelling, Initiator: cancel.ByTimeout}, State{Sign: SignCancelling, Wide: "timed out · cancelling…", Narrow: "cancelling…"}},
		"not accepted":    {session.Row{State: session.Cancelling, CancelRejected: true, Unsent: true}, State{Sign: SignCancelling, Wide: "cancelling…", Narrow: "cancelling…", Passing: " (not accepted)"}},
		"cancelled":       {session.Row{State: session.Cancelled, Verdict: cancel.Quiet}, State{Sign: SignCancelled, Wide: "cancelled · quiet", Narrow: "quiet"}},
		"by a timeout":    {session.Row{State: session.Cancelled, Verdict: cancel.Quiet, Initiator: cancel.ByTimeout}, State{Sign: SignCancelled, Wide: "timed out · quiet", Narrow: "timed out"}},
		"what is left":    {session.Row{State: session.Cancelled, Sub: session.SubscriptionView{Is: true, Residual: session.ResidualPossible}}, oneForm(SignCancelled, "may be subscribed")},
		"done":            {session.Row{State: session.Done}, oneForm(SignDone, "done")},
		"failed":          {session.Row{State: session.Failed}, oneForm(SignFailed, "failed")},
		"not found":       {session.Row{State: session.Failed, Follows: true, NotFound: true}, oneForm(SignFailed, "task not found")},
		"not told":        {session.Row{State: session.Failed, Follows: true}, oneForm(SignFailed, "tasks/get failed")},
		"no fault":        {session.Row{State: session.Failed, FellBack: true}, oneForm(SignOther, "fallback")},
		"lost":            {session.Row{State: session.Lost}, oneForm(SignLost, "lost")},
		"subscribing":     {session.Row{State: session.Running, Sub: session.SubscriptionView{Is: true, IsListen: true}}, State{Sign: SignLive, Wide: "subscribing…", Narrow: "subscribing"}},
		"in part":         {session.Row{State: session.Running, Sub: session.SubscriptionView{Is: true, IsListen: true, Active: true, Asked: 2, Agreed: 1, Updates: 1}}, State{Sign: SignLive, Wide: "subscribed in part · 1 update", Narrow: "subscribed in part 1"}},
		"to nothing":      {session.Row{State: session.Running, Sub: session.SubscriptionView{Is: true, IsListen: true, Active: true, Asked: 2}}, oneForm(SignLiveOddly, "subscribed to nothing")},
		"broke off":       {session.Row{State: session.Running, Sub: session.SubscriptionView{Is: true, IsListen: true, AgainAt: time.Unix(1, 0)}}, State{Sign: SignBroke, Wide: "broke off · begins again…", Narrow: "broke off"}},
		"ended by others": {session.Row{State: session.Done, Sub: session.SubscriptionView{Is: true, ByServer: true}}, State{Sign: SignBroke, Wide: "ended by the server", Narrow: "ended"}},
		"left":            {session.Row{State: session.Done, Sub: session.SubscriptionView{Is: true}}, oneForm(SignEnded, "ended")},
	} {
		if got := StateOf(tt.row, "…"); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestProgress(t *testing.T) {
	requirements.Rows(t, "PRG-06", "PRG-07", "PRG-21")
	for _, tt := range []struct {
		value, total float64
		has          bool
		want         safe.Text
	}{
		{0.2, 1, true, "20%"},
		{1e-3, 1, true, "0%"},
		{3, 7, true, "42%"},
		{29, 100, true, "29%"},
		{999, 1000, true, "99%"},
		{17, 0, false, "17"},
		{12, 10, true, "100% (12/10)"},
		{5, 0, true, "5"},
		{1e308, 1e-308, true, "100% (1e+308/1e-308)"},
		{0, 3, true, "0%"},
		{2.5, 0, false, "2.5"},
	} {
		p := session.ProgressView{Count: 1, Value: tt.value, Total: tt.total, HasTotal: tt.has}
		if got := Progress(p); got != tt.want {
			t.Errorf("%v of %v: %q, want %q", tt.value, tt.total, got, tt.want)
		}
	}
}
