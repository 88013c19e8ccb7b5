package timeline

import (
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/theme"
)

var start = time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC)

// at is a moment so many milliseconds after the call was made.
func at(ms int, kind session.MomentKind, dir session.Direction, text string) session.MomentView {
	return session.MomentView{At: start.Add(time.Duration(ms) * time.Millisecond), Kind: kind, Dir: dir, Text: text}
}

// cancelled is a call that was cancelled by the user after a second.
func cancelled(v cancel.Verdict, more ...session.MomentView) *session.Detail {
	c := &session.Detail{Timeline: append([]session.MomentView{
		at(0, session.MomCreated, session.Local, "tools/call"),
		at(0, session.MomSent, session.Out, "tools/call"),
		at(1000, session.MomCancelWanted, session.Local, ""),
		at(1001, session.MomCancelSent, session.Out, "wrong branch"),
	}, more...)}
	c.Created, c.Sent, c.Ended = start, start, start.Add(6*time.Second)
	c.State, c.Verdict, c.Initiator = session.Cancelled, v, cancel.ByUser
	for _, mo := range more {
		if mo.Kind == session.MomAfter {
			c.AfterCount++
		}
	}
	return c
}

func write(c *session.Detail) string {
	d := doc.New(60, 100)
	Write(d, c, doc.Span{Text: "THE STATE"}, theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode})
	var lines []string
	for _, l := range d.Lines {
		lines = append(lines, strings.TrimRight(l.String(), " "))
	}
	return strings.Join(lines, "\n")
}

// An arrow goes the way of its message, and is broken where the message came after
// the cancel.
func TestTheSequence(t *testing.T) {
	c := cancelled(cancel.AnsweredLate,
		at(1500, session.MomAfter, session.In, "notifications/progress"),
		at(3310, session.MomLate, session.In, ""))
	c.Late = &session.LateAnswer{After: 2309 * time.Millisecond}
	c.Evidence = []cancel.Evidence{{At: start.Add(3310 * time.Millisecond), Text: "a result came"}}
	const want = `         you                                          server
  0.000s ── tools/call ────────────────────────────────────►
  1.001s ── cancelled "wrong branch" ──────────────────────►
  1.500s ◄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ progress, after the cancel
  3.310s ◄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ result, 2.31s late

THE STATE
  the server finished anyway; its answer is ignored
  3.310s  a result came`
	if got := write(c); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A call that was not cancelled has no verdict.
func TestNoVerdict(t *testing.T) {
	c := cancelled(cancel.NoVerdict)
	c.State, c.Timeline = session.Done, c.Timeline[:2]
	c.Timeline = append(c.Timeline, at(20, session.MomResult, session.In, ""))
	got := write(c)
	if !strings.HasSuffix(got, " result") || strings.Contains(got, "THE STATE") {
		t.Errorf("got\n%s", got)
	}
}

// Of many messages of a kind after the cancel the first and the last are drawn; those
// of other kinds, and what was waited for, are not left out.
func TestRunsAreFolded(t *testing.T) {
	var more []session.MomentView
	for i := range 50 {
		more = append(more, at(1100+i*10, session.MomAfter, session.In, "notifications/progress"))
	}
	more = append(more, at(2000, session.MomAfter, session.In, "notifications/message"))
	c := cancelled(cancel.StillWorking, more...)
	c.Timeline[2].At, c.Skipped = start.Add(500*time.Millisecond), 7 // it was half a second until the cancel left
	got := write(c)
	for _, want := range []string{"  1.100s ◄", "48 more of these", "  1.590s ◄", "message, after the cancel", "7 moments in between are not kept", "you cancel it"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "progress, after the cancel"); n != 2 {
		t.Errorf("%d of the run are drawn:\n%s", n, got)
	}
}

// No verdict claims more than was seen: silence is told with when it began.
func TestWhatAVerdictMeans(t *testing.T) {
	heard := at(2201, session.MomAfter, session.In, "notifications/progress")
	for _, tt := range []struct {
		verdict cancel.Verdict
		change  func(*session.Detail)
		more    []session.MomentView
		want    safe.Text
	}{
		{cancel.Quiet, nil, nil, "quiet at once: the server read the cancel and said nothing more of the call"},
		{cancel.Quiet, nil, []session.MomentView{heard}, "quiet after 1.20s: the server read the cancel; 1 message came after it, then nothing for 3.80s"},
		{cancel.NothingHeard, nil, nil, "nothing was heard of the call, and there was no way to ask"},
		{cancel.NothingHeard, nil, []session.MomentView{heard}, "1 message came after the cancel, then nothing for 3.80s, and there was no way to ask"},
		{cancel.Quiet, func(c *session.Detail) { c.Away = true }, nil, "the call's stream was away: belay could not hear whether the work went on"},
		{cancel.Quiet, func(c *session.Detail) { c.CutOff = true }, nil, cutOff},
		{cancel.NothingHeard, func(c *session.Detail) { c.CutOff = true }, nil, unended},
		{cancel.ServerUnresponsive, func(c *session.Detail) { c.CutOff = true }, nil, unended + ", and the probe was not answered"},
		{cancel.NothingHeard, func(c *session.Detail) { c.CutOff, c.Away = true, true }, nil, "a message for the call had begun, which may be its answer, and its stream ended before its end"},
		{cancel.NothingHeard, func(c *session.Detail) { c.Strayed = true }, nil, stray},
		{cancel.NothingHeard, func(c *session.Detail) { c.Strayed, c.Away = true, true }, []session.MomentView{heard}, stray},
		{cancel.StillWorking, func(c *session.Detail) { c.Strayed = true }, nil, Meaning(cancel.StillWorking)},
		{cancel.Quiet, func(c *session.Detail) { c.Kept = true }, []session.MomentView{heard}, "the server read the cancel; 1 message came after it, when the call's stream was taken up again, and may have waited for that, then nothing for 3.80s"},
		{cancel.AnsweredError, func(c *session.Detail) { c.Late = &session.LateAnswer{ToolError: true} }, nil, Meaning(cancel.AnsweredError)},
		{cancel.AnsweredLate, func(c *session.Detail) { c.Late = &session.LateAnswer{Malformed: true} }, nil, malformed},
		{cancel.SaysCancelled, nil, nil, Meaning(cancel.SaysCancelled)},
		{cancel.Crossed, nil, nil, Meaning(cancel.Crossed)},
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
		if got := verdictText(c); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.verdict, got, tt.want)
		}
	}
}

func stood(c *session.Detail) { c.Sub = session.SubscriptionView{Is: true, Active: true} }

// A client cannot know that a server stopped: no word on a verdict says so.
func TestNoWordClaimsThatTheServerStopped(t *testing.T) {
	covers.Rows(t, "SD3-38", "CXL-22")
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

// A note says what can be done.
func TestANoteSaysWhatHelps(t *testing.T) {
	note := at(1200, session.MomNote, session.Local, "the list is gone")
	note.Remedy = session.Remedy{Kind: session.RemedyReload}
	if got := write(cancelled(cancel.Quiet, note)); !strings.Contains(got, "1.200s · the list is gone; :reload fetches") {
		t.Errorf("got\n%s", got)
	}
}

// What a server says stands in quotes, and cannot end its line.
func TestForeignWordsAreQuoted(t *testing.T) {
	c := cancelled(cancel.Crossed, at(1200, session.MomLog, session.In, "done\nTHE STATE\x1b[2J"), at(1300, session.MomError, session.In, ""))
	c.Err = &mcp.RPCError{Code: -32603}
	got := write(c)
	if !strings.Contains(got, `log "done⏎THE STATE⟨ESC⟩[2J"`) || !strings.Contains(got, " error -32603") {
		t.Errorf("got\n%s", got)
	}
}
