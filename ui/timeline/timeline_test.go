package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/wording"
	"belay/internal/wording/calltest"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/theme"
)

var start, at, cancelled = calltest.Start, calltest.At, calltest.Cancelled

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
	c.Timeline[2].At, c.Timeline[30].Skipped = start.Add(500*time.Millisecond), 7 // it was half a second until the cancel left
	got := write(c)
	for _, want := range []string{"  1.100s ◄", "48 more of these", "  1.590s ◄", "message, after the cancel", "48 more of these · 7 not kept", "you cancel it"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "progress, after the cancel"); n != 2 {
		t.Errorf("%d of the run are drawn:\n%s", n, got)
	}
}

// Progress before the cancel is folded as what comes after it, with its numbers, also where
// log messages come between; the few messages of another kind are drawn.
func TestProgressIsFolded(t *testing.T) {
	var more []session.MomentView
	for i := range 50 {
		p := at(1+i*10, session.MomProgress, session.In, fmt.Sprintf("%d/60 step", i+1))
		p.Count = 2 * (i % 2)
		more = append(more, p)
		if i%20 == 5 {
			more = append(more, at(2+i*10, session.MomLog, session.In, "so far"))
		}
	}
	after := at(1100, session.MomAfter, session.In, "notifications/progress")
	after.Value = "51/60 step"
	c := cancelled(cancel.StillWorking, after)
	c.Timeline = slices.Insert(c.Timeline, 2, more...)
	c.Timeline[20].Skipped = 12
	const want = `         you                                          server
  0.000s ── tools/call ────────────────────────────────────►
  0.001s ◄──────────────────────────── progress 1/60 "step"
         · 8 more of these, 2/60 to 6/60
  0.052s ◄──────────────────────────────────── log "so far"
         · 30 more of these, 7/60 to 26/60 · 12 not kept
  0.252s ◄──────────────────────────────────── log "so far"
         · 30 more of these, 27/60 to 46/60
  0.452s ◄──────────────────────────────────── log "so far"
         · 4 more of these, 47/60 to 49/60
  0.491s ◄─────────────── progress 50/60 "step" · 2 notices
  1.001s ── cancelled "wrong branch" ──────────────────────►
  1.100s ◄┄┄┄┄┄┄┄┄┄┄ progress 51/60 after the cancel "step"
`
	if got := write(c); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is left out of the middle is said there, also where no line is folded.
func TestWhatIsNotKeptIsSaidInItsPlace(t *testing.T) {
	c := cancelled(cancel.Quiet)
	c.Timeline[2].Skipped = 3
	if got := write(c); !strings.Contains(got, "tools/call ────────────────────────────────────►\n         · 3 moments in between are not kept\n  1.001s ── cancelled") {
		t.Errorf("got\n%s", got)
	}
}

// The cancel and the verdict are what is seen first, however much comes before and after.
func TestTheCancelAndTheVerdictAreSeenFirst(t *testing.T) {
	var before []session.MomentView
	for i := range 40 {
		before = append(before, at(1+i, session.MomNote, session.Local, "a note"))
	}
	for _, h := range []int{4, 8, 20, 100} {
		c := cancelled(cancel.AnsweredLate, at(3310, session.MomLate, session.In, ""))
		c.Timeline = slices.Insert(c.Timeline, 2, before...)
		c.Evidence = slices.Repeat([]cancel.Evidence{{At: start, Text: "it"}}, 30)
		d := doc.New(60, 1000)
		Write(d, c, doc.Span{Text: "THE STATE"}, theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode})
		top := d.Top(h)
		var seen []string
		for _, l := range d.Lines[top:min(len(d.Lines), top+h)] {
			seen = append(seen, l.String())
		}
		got := strings.Join(seen, "\n")
		if !strings.Contains(got, `cancelled "wrong branch"`) || h > 4 && !strings.Contains(got, "finished anyway") || strings.Contains(got, "server") && h < 20 && top == 0 {
			t.Errorf("in %d lines:\n%s", h, got)
		}
		if h == 100 && top != 0 {
			t.Errorf("a picture that fits begins at line %d", top)
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

// What a moment means for the call is in its style, too.
func TestTheLooksOfMoments(t *testing.T) {
	looks := theme.Looks{Styles: theme.NewStyles(false), Glyphs: theme.Unicode}
	st := looks.Styles
	for style, kinds := range map[canvas.Style][]session.MomentKind{
		st.Text:  {session.MomSent, session.MomAgain},
		st.Info:  {session.MomProgress, session.MomUpdate},
		st.OK:    {session.MomResult, session.MomAgreed},
		st.Warn:  {session.MomRound, session.MomQuestion, session.MomAfter, session.MomEnded, session.MomNote},
		st.Bad:   {session.MomError, session.MomProbeLate, session.MomEnd},
		st.Stop:  {session.MomCancelWanted, session.MomCancelSent, session.MomClosing, session.MomLate, session.MomUnsubscribe},
		st.Muted: {session.MomCreated, session.MomLog, session.MomQuestionEnd, session.MomHTTP, session.MomResumed, session.MomGrace, session.MomProbe, session.MomProbeAnswer},
	} {
		for _, kind := range kinds {
			p := &picture{c: cancelled(cancel.Quiet), looks: &looks}
			mo := at(0, kind, session.In, "x")
			if text, got, _ := p.label(mo, wording.Moment(p.c, mo)); got != style || text == "" {
				t.Errorf("%v: %q in %+v, want %+v", kind, text, got, style)
			}
		}
	}
	p := &picture{c: cancelled(cancel.Quiet), looks: &looks}
	p.c.ToolError = true
	if _, got, _ := p.label(at(0, session.MomResult, session.In, ""), "x"); got != st.Warn {
		t.Errorf("the error of a tool: %+v", got)
	}
}

// What a server told of a task is not cut where there is no room for it in one line.
func TestWhatIsToldOfATaskIsWrapped(t *testing.T) {
	c := cancelled(cancel.TaskWorking,
		at(1200, session.MomTask, session.In, "tasks/cancel is acknowledged"),
		at(1500, session.MomTask, session.In, "task still working, in tasks/get: \"waiting for a free builder in eu-west-1\""))
	const want = `
  1.200s ◄──────────────────── tasks/cancel is acknowledged
  1.500s ◄─── task still working, in tasks/get: "waiting for
              a free builder in eu-west-1"
`
	if got := write(c); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
