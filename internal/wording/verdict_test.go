package wording

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/internal/wording/calltest"
	"belay/session"
	"belay/session/cancel"
	"belay/session/task"
)

var at, cancelled = calltest.At, calltest.Cancelled

// No verdict claims more than was seen: silence is told with when it began.
func TestWhatAVerdictMeans(t *testing.T) {
	ended := func(by task.Source) func(*session.Detail) {
		return func(c *session.Detail) {
			c.Task = &session.TaskView{View: task.View{By: by}}
			c.Late = &session.LateAnswer{After: 2310 * time.Millisecond}
		}
	}
	fetched := func(after time.Duration) func(*session.Detail) { // … which a poll told, and the outcome came so late
		return func(c *session.Detail) {
			ended(task.FromGet)(c)
			c.TaskEndAfter, c.Late.After = c.Late.After, after
		}
	}
	as := func(status task.Status, change func(*session.Detail)) func(*session.Detail) {
		return func(c *session.Detail) {
			change(c)
			c.Task.Status = status
		}
	}
	took := func(ms int) func(*session.Detail) {
		return func(c *session.Detail) { c.Withdrew, c.Withdrawn = at(ms, session.MomNote, session.In, "").At, 1 }
	}
	asked := func(crossing, doubtful int) func(*session.Detail) {
		return func(c *session.Detail) { c.AskedCrossing, c.MayHaveAsked = crossing, doubtful }
	}
	heard := at(2201, session.MomAfter, session.In, "notifications/progress")
	probe := at(6001, session.MomProbe, session.Out, "ping")
	for _, tt := range []struct {
		verdict cancel.Verdict
		change  func(*session.Detail)
		more    []session.MomentView
		want    safe.Text
	}{
		{cancel.ServerDied, nil, nil, "the connection ended before anything was known"},
		{cancel.ServerDied, func(c *session.Detail) {
			c.Task = &session.TaskView{View: task.View{CancelAnswered: true}}
		}, nil, "the connection ended after the answer to tasks/cancel, and before tasks/get told what the task did"},
		{cancel.AnsweredLate, func(c *session.Detail) {
			c.UnusableID, c.Late = true, &session.LateAnswer{Malformed: true}
		}, nil, "the server answered the cancelled call, with the handle of a task whose ID cannot be used: the task may go on"},
		{cancel.Quiet, nil, nil, "quiet at once: the server read the cancel and said nothing more of the call"},
		{cancel.ServerDied, nil, []session.MomentView{heard}, "1 message came after the cancel, the last one 1.20s after it; then the connection ended"},
		{cancel.ServerDied, nil, []session.MomentView{heard, probe}, "1 message came after the cancel, the last one 1.20s after it; then the connection ended before the probe was answered"},
		{cancel.ServerDied, nil, []session.MomentView{probe}, "the server said nothing more of the call, and the connection ended before the probe was answered"},
		{cancel.ServerDied, func(c *session.Detail) { c.Strayed = true }, []session.MomentView{probe}, "the connection ended before the probe was answered"},
		{cancel.Quiet, func(c *session.Detail) {
			c.AfterCount, c.After = 1, cancel.After{All: 1, Late: 1, Last: 800 * time.Millisecond}
		}, nil, "quiet after 800ms: the server read the cancel; 1 message came after it, then nothing for 4.20s"},
		{cancel.Quiet, nil, []session.MomentView{heard}, "quiet after 1.20s: the server read the cancel; 1 message came after it, then nothing for 3.80s"},
		{cancel.Quiet, took(1301), nil, "quiet after 300ms: the server read the cancel; it took back a question, then nothing for 4.70s"},
		{cancel.Quiet, took(1301), []session.MomentView{heard}, "quiet after 1.20s: the server read the cancel; 1 message came after it, and it took back a question, then nothing for 3.80s"},
		{cancel.Quiet, took(4000), []session.MomentView{heard}, "quiet after 3.00s: the server read the cancel; 1 message came after it, and it took back a question, then nothing for 2.00s"},
		{cancel.NothingHeard, took(1301), nil, "the server took back a question, then nothing for 4.70s, and there was no way to ask"},
		{cancel.ServerUnresponsive, took(1301), nil, "the server took back a question, and did not answer the probe"},
		{cancel.Quiet, asked(1, 0), nil, "quiet at once: the server read the cancel and said nothing more of the call; a question of the call crossed the cancel"},
		{cancel.Quiet, asked(0, 1), nil, "quiet at once: the server read the cancel and said nothing more that is known to be of the call; a question came that may have been the call's, or another's"},
		{cancel.Quiet, asked(2, 3), []session.MomentView{heard}, "quiet after 1.20s: the server read the cancel; 1 message came after it, then nothing for 3.80s; 2 questions of the call crossed the cancel; 3 questions came that may have been the call's, or another's"},
		{cancel.NothingHeard, asked(0, 1), nil, Meaning(cancel.NothingHeard) + "; a question came that may have been the call's, or another's"},
		{cancel.LeftProcess, asked(0, 1), nil, Meaning(cancel.LeftProcess) + "; a question came that may have been the call's, or another's"},
		{cancel.EndedAfter, asked(0, 1), nil, Meaning(cancel.EndedAfter) + "; a question came that may have been the call's, or another's"},
		{cancel.ServerUnresponsive, asked(0, 1), nil, Meaning(cancel.ServerUnresponsive) + "; a question came that may have been the call's, or another's"},
		{cancel.Quiet, func(c *session.Detail) { c.DoubtfulWithdrawals = 1 }, nil, "quiet at once: the server read the cancel and said nothing more that is known to be of the call; the server took back a question that may have been the call's, or another's"},
		{cancel.StillWorking, asked(1, 1), nil, Meaning(cancel.StillWorking)},
		{cancel.Quiet, func(c *session.Detail) { c.EndedEarly = true }, nil, "quiet at once: the server read the cancel, and the call's exchange ended without an answer"},
		{cancel.Quiet, func(c *session.Detail) { c.Objected = true }, nil, "quiet: the server answered the cancel itself with an error, and said nothing more of the call"},
		{cancel.NothingHeard, nil, nil, "nothing was heard of the call, and there was no way to ask"},
		{cancel.NothingHeard, nil, []session.MomentView{heard}, "1 message came after the cancel, then nothing for 3.80s, and there was no way to ask"},
		{cancel.NothingHeard, func(c *session.Detail) { c.Disconnected = true }, nil, "belay ended the connection before it was seen what the server did"},
		{cancel.NothingHeard, func(c *session.Detail) { c.Disconnected = true }, []session.MomentView{heard}, "1 message came after the cancel, then belay ended the connection before it was seen what the server did"},
		{cancel.Quiet, func(c *session.Detail) { c.Away = true }, nil, "the call's stream was away: belay could not hear whether the work went on"},
		{cancel.Quiet, func(c *session.Detail) { c.Partial = true }, nil, cutOff},
		{cancel.NothingHeard, func(c *session.Detail) { c.Partial = true }, nil, unended},
		{cancel.ServerUnresponsive, func(c *session.Detail) { c.Partial = true }, nil, unended + ", and the probe was not answered"},
		{cancel.NothingHeard, func(c *session.Detail) { c.Partial, c.Away = true, true }, nil, "a message for the call had begun, which may be its answer, and its stream ended before its end"},
		{cancel.NothingHeard, func(c *session.Detail) { c.Strayed = true }, nil, stray},
		{cancel.NothingHeard, func(c *session.Detail) { c.Strayed, c.Away = true, true }, []session.MomentView{heard}, stray},
		{cancel.StillWorking, func(c *session.Detail) { c.Strayed = true }, nil, Meaning(cancel.StillWorking)},
		{cancel.Quiet, func(c *session.Detail) { c.Kept = true }, []session.MomentView{heard}, "the server read the cancel; 1 message came after it, when the call's stream was taken up again, and may have waited for that, then nothing for 3.80s"},
		{cancel.AnsweredError, func(c *session.Detail) { c.Late = &session.LateAnswer{ToolError: true} }, nil, Meaning(cancel.AnsweredError)},
		{cancel.AnsweredLate, func(c *session.Detail) { c.Late = &session.LateAnswer{Malformed: true} }, nil, malformed},
		{cancel.AnsweredLate, func(c *session.Detail) { c.Late = &session.LateAnswer{Asks: true} }, nil, asks},
		{cancel.AnsweredLate, func(c *session.Detail) { c.Late = &session.LateAnswer{SaysCancelled: true} }, nil, saying},
		{cancel.TaskCompleted, ended(task.FromGet), nil, Meaning(cancel.TaskCompleted) + ": first seen 2.31s after the cancel, at a poll"},
		{cancel.TaskCompleted, fetched(9 * time.Second), nil, Meaning(cancel.TaskCompleted) + ": first seen 2.31s after the cancel, at a poll"},
		{cancel.TaskCompleted, fetched(time.Second), nil, Meaning(cancel.TaskCompleted) + ": first seen 1.00s after the cancel"},
		{cancel.TaskCompleted, func(c *session.Detail) { fetched(time.Second)(c); c.Task.Protocol = task.Core }, nil, Meaning(cancel.TaskCompleted) + ": first seen 1.00s after the cancel, in the answer to tasks/result"},
		{cancel.TaskFailed, ended(task.FromNotice), nil, Meaning(cancel.TaskFailed) + ": first seen 2.31s after the cancel"},
		{cancel.Crossed, func(c *session.Detail) { ended(task.FromGet)(c); c.TaskEnd = cancel.EndInDoubt }, nil, "the task may have ended before the server read the cancel: first seen 2.31s after the cancel, at a poll"},
		{cancel.Crossed, func(c *session.Detail) { ended(task.FromGet)(c); c.TaskEnd = cancel.EndBeforeCancel }, nil, "the task had ended before the cancel was written, by the server's dates: first seen 2.31s after the cancel, at a poll"},
		{cancel.Crossed, func(c *session.Detail) { ended(task.FromGet)(c); c.TaskEnd = cancel.EndToldBefore }, nil, "the server had told that the task has ended before the cancel was written"},
		{cancel.NothingRunning, as(task.Completed, ended(task.FromHandle)), nil, "the task had ended before the cancel left: there was nothing to stop"},
		{cancel.TaskRefused, as(task.Working, ended(task.FromGet)), nil, Meaning(cancel.TaskRefused)},
		{cancel.TaskRefused, as(task.Completed, ended(task.FromGet)), nil, Meaning(cancel.TaskRefused) + ", which is completed"},
		{cancel.TaskUnacknowledged, nil, nil, Meaning(cancel.TaskUnacknowledged)},
		{cancel.TaskUnacknowledged, as(task.Completed, ended(task.FromGet)), nil, Meaning(cancel.TaskUnacknowledged) + ", which was completed: first seen 2.31s after the cancel, at a poll"},
		{cancel.TaskUnacknowledged, func(c *session.Detail) { as(task.Completed, ended(task.FromGet))(c); c.TaskEnd = cancel.EndAfterCancel }, nil, Meaning(cancel.TaskUnacknowledged) + ", which was completed all the same: first seen 2.31s after the cancel, at a poll"},
		{cancel.TaskUnacknowledged, as(task.Failed, ended(task.FromNotice)), nil, Meaning(cancel.TaskUnacknowledged) + ", which failed: first seen 2.31s after the cancel"},
		{cancel.SaysCancelled, nil, nil, Meaning(cancel.SaysCancelled)},
		{cancel.Crossed, nil, nil, Meaning(cancel.Crossed)},
		{cancel.Crossed, func(c *session.Detail) { c.Late = &session.LateAnswer{At: at(900, 0, 0, "").At} }, nil, "the answer had come before the cancel was sent"},
		{cancel.Crossed, func(c *session.Detail) { c.Late = &session.LateAnswer{At: at(1900, 0, 0, "").At} }, nil, Meaning(cancel.Crossed)},
		{cancel.Quiet, stood, nil, "the server has read resources/unsubscribe and not answered it: the subscription may stand"},
		{cancel.AnsweredError, stood, nil, "the server refused to end the subscription: it stands"},
		{cancel.NotDelivered, stood, nil, "the server did not take resources/unsubscribe: the subscription may stand"},
		{cancel.NothingHeard, func(c *session.Detail) { stood(c); c.Strayed = true }, nil, "what came after resources/unsubscribe is no answer that belay can take: the subscription may stand"},
		{cancel.NothingHeard, stood, nil, "resources/unsubscribe was not answered: the subscription may stand"},
		{cancel.StillWorking, stood, nil, "updates went on, and resources/unsubscribe was not answered: the subscription stands"},
		{cancel.ServerUnresponsive, stood, nil, "the server answered nothing at all since: the subscription may stand"},
		{cancel.Acknowledged, stood, nil, Meaning(cancel.Acknowledged)},
	} {
		c := cancelled(tt.verdict, tt.more...)
		if tt.change != nil {
			tt.change(c)
		}
		if got := Verdict(c); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.verdict, got, tt.want)
		}
	}
}

func stood(c *session.Detail) { c.Sub = session.SubscriptionView{Is: true, Active: true} }

// A client cannot know that a server stopped: no word on a verdict says so.
func TestNoWordClaimsThatTheServerStopped(t *testing.T) {
	requirements.Rows(t, "SD3-38", "CXL-22")
	for v := cancel.NothingRunning; v <= cancel.NothingHeard; v++ {
		for _, text := range []string{v.String(), string(Meaning(v))} {
			for _, claim := range []string{"server stopped", "server has stopped", "work stopped", "was stopped", "is stopped"} {
				if strings.Contains(text, claim) {
					t.Errorf("%v: %q", v, text)
				}
			}
		}
	}
}
