package ui

import (
	"fmt"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
	"belay/ui/canvas"
	"belay/ui/remedy"
	"belay/ui/row"
)

// Exit is how the session ended, for the exit code.
type Exit uint8

// The ways in which a session ends.
const (
	ExitOK           Exit = iota // as the user wanted
	ExitNotConnected             // there never was a connection
	ExitLost                     // the connection ended by itself
)

// Exit says how the session ended. It may be called while the loop of the screen is stuck.
func (m *Model) Exit() Exit {
	if m.replay.IsRecorded() {
		return ExitOK
	}
	e := ending{m.backend, m.opts, m.parting}
	f, ready := e.failure()
	switch {
	case e.isWanted(f):
		return ExitOK
	case !ready:
		return ExitNotConnected
	}
	return ExitLost
}

// Farewell are the lines for the normal screen after the program has ended:
// what became of the calls that quitting cancelled, and of a logout that was under
// way, and why there is no connection when that was not the user's wish. They are
// safe to print. Like Exit, it may be called while the loop of the screen is stuck.
func (m *Model) Farewell() []string {
	m.Finish()
	if m.replay.IsRecorded() {
		return nil
	}
	return ending{m.backend, m.opts, m.parting}.lines()
}

// ending is how the session ended, to be told. It has nothing that the loop of the screen changes.
type ending struct {
	backend Backend
	opts    Options
	parting *parting
}

// isWanted reports whether there is no connection, or none any more, because the user
// wanted it so: who gives a login up has left as well.
func (e ending) isWanted(f *session.Failure) bool {
	return f == nil || f.Kind == session.FailClosed || f.Kind == session.FailLogin && e.backend.Login().Ended
}

// failure is what ended the last connection, and whether there was one at some time.
func (e ending) failure() (f *session.Failure, ready bool) {
	e.backend.View(func(s *session.Session) {
		st := s.Status()
		f, ready = st.Failure, !st.ReadyAt.IsZero()
	})
	return f, ready || e.parting.ready.Load()
}

// lines are those of [Model.Farewell].
func (e ending) lines() []string {
	words := row.Words{Looks: e.opts.looks(), Slow: e.opts.NoMotion}
	words.Spin = words.Looks.Glyphs.Still()
	bar := "│"
	if e.opts.ASCII {
		bar = "|"
	}
	var lines []string
	e.backend.View(func(s *session.Session) {
		ended := endedTasks(s.TaskRows(nil, -1))
		for _, id := range e.parting.calls {
			if r, ok := s.Row(id); ok {
				lines = append(lines, string(farewellLine(words, e.backend.Now(), r, s.Status().Transport, ended)))
			}
		}
		if more := e.parting.total - len(e.parting.calls); more > 0 {
			lines = append(lines, fmt.Sprintf("… and %s more", wording.Count(more, "call")))
		}
		left := leftTasks(s, e.parting.calls)
		for _, line := range left[:min(len(left), farewellMost)] {
			lines = append(lines, string(line))
		}
		if more := len(left) - farewellMost; more > 0 {
			lines = append(lines, fmt.Sprintf("… and %s more", wording.Count(more, "task")))
		}
	})
	if e.parting.logout.Load() {
		lines = append(lines, "left while logging out: who gave the token has not confirmed that it is revoked")
	}
	if f, ready := e.failure(); !e.isWanted(f) {
		what := "cannot connect: "
		if ready {
			what = "the connection is lost: "
		}
		lines = append(lines, what+string(safe.LineN(f.Text, 1000)))
		for _, l := range lastLines(f.Stdout, farewellOutput) {
			lines = append(lines, "  stdout "+bar+" "+string(l))
		}
		for _, l := range lastLines(f.Stderr, farewellOutput) {
			lines = append(lines, "  stderr "+bar+" "+string(l))
		}
		helps := failureRemedy(e.backend, f)
		if remedy.IsHere(helps) {
			helps = session.Remedy{}
		}
		if text := remedy.With(safe.LineN(f.Hint, 1000), helps); text != "" {
			lines = append(lines, "  "+string(text))
		}
	}
	if e.opts.ASCII {
		for i := range lines {
			lines[i] = canvas.ASCII(safe.Text(lines[i]))
		}
	}
	return lines
}

// farewellOutput bounds the lines of the server's output that are repeated.
const farewellOutput = 10

// farewellLine is what became of a call that quitting cancelled, as of now. Ended are the tasks that have
// ended by any row.
func farewellLine(words row.Words, now time.Time, r session.Row, over mcp.Transport, ended map[string]task.Status) safe.Text {
	s := words.State(r)
	spent := safe.Text("in flight for ")
	if r.Verdict == cancel.NothingRunning || r.State == session.Dropped {
		spent = "waited "
	}
	line := s.Glyph + " " + row.Name(r) + ": " + s.Wide + s.Passing + ", " + spent + wording.Duration(r.Age(now))
	switch {
	case r.Task != nil && !r.Task.Status.IsTerminal() && ended[r.Task.ID].IsTerminal():
		line += " · the task is " + safe.Text(ended[r.Task.ID].String())
	case r.Task != nil && !r.Task.Status.IsTerminal():
		line += cancelAnswer(r.Task) + " · " + wording.TaskGoesOn(over, r.Task.ID)
	case r.Follows && r.Task == nil && r.State != session.Failed: // of which the server has not told
		line += " · " + wording.TaskGoesOn(over, r.Target)
	case r.UnnamedTask:
		line += " · " + wording.UnnamedTaskGoesOn(over, "", r.UnusableID)
	}
	return line
}

// cancelAnswer says, in the line on a task whose connection belay has ended, what the server answered to the cancel.
func cancelAnswer(t *session.TaskView) safe.Text {
	switch {
	case !t.CutByUs:
		return ""
	case t.CancelRefused:
		return " · tasks/cancel was refused"
	case t.CancelAnswered:
		return " · tasks/cancel was answered"
	}
	return " · tasks/cancel was not answered"
}
