package ui

import (
	"sync"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
)

const (
	// frameTime is the pause between two frames that nobody asked for with a
	// key, while news do not stop: those that come faster are shown together.
	frameTime = 33 * time.Millisecond
	// firstPause is the pause after news that come out of a quiet. What follows at
	// once is seen with them: a start is five or six news within some milliseconds.
	// Each pause is twice as long as the one before, until it is frameTime.
	firstPause = 4 * time.Millisecond
	// spinTime is the pace of spinners and ages, slowTime that of ages without
	// motion.
	spinTime = 100 * time.Millisecond
	slowTime = time.Second
)

// Messages of the model to itself.
type (
	newsMsg       struct{ quiet bool } // the session changed; quiet: for the first time within a frame's time
	newsPausedMsg struct{}             // the pause since then is over
	clockMsg      struct{}
)

// clock is the one clock of the screen.
type clock struct {
	spinner spinner.Model // all that spins shows this one
	frame   safe.Text     // of the spinner, taken once a beat: what draws the screen asks for it often
	ticking bool
	told    time.Time     // when the latest news came
	pause   time.Duration // after them
	done    chan struct{}
	once    sync.Once
}

// begin makes the clock of a screen with a spinner. One that is still has a single frame.
func (c *clock) begin(s spinner.Spinner, still bool) {
	if still {
		s.Frames = s.Frames[:1]
	}
	c.spinner = spinner.New(spinner.WithSpinner(s))
	c.frame = safe.Line(c.spinner.View())
	c.done = make(chan struct{})
}

// ticked steps the spinner. Update's command would keep a clock of the spinner's own, which
// never stands still: it is dropped, and [Model.tick] makes the next beat where there is motion.
func (c *clock) ticked() {
	c.ticking = false
	c.spinner, _ = c.spinner.Update(c.spinner.Tick())
	c.frame = safe.Line(c.spinner.View())
}

func (c *clock) finish() { c.once.Do(func() { close(c.done) }) }

func (m *Model) waitForNews() tea.Cmd {
	wake, done, told := m.backend.Wake(), m.clock.done, m.clock.told
	came := func(open, waited bool) tea.Msg {
		if !open {
			return nil
		}
		return newsMsg{quiet: waited && time.Since(told) >= frameTime}
	}
	return func() tea.Msg {
		select {
		case _, open := <-wake:
			return came(open, false)
		default:
		}
		select {
		case _, open := <-wake:
			return came(open, true)
		case <-done:
			return nil
		}
	}
}

// pauseNews lets a while pass before more news are listened to: a frame's time, as
// long as they do not stop.
func (m *Model) pauseNews(n newsMsg) tea.Cmd {
	m.clock.told = time.Now()
	if n.quiet {
		m.clock.pause = 0
	}
	m.clock.pause = min(max(firstPause, 2*m.clock.pause), frameTime)
	return tea.Tick(m.clock.pause, func(time.Time) tea.Msg { return newsPausedMsg{} })
}

// tick starts the clock when there is something to animate, a row comes by the passing of
// time alone or work is left for the next frame, and it does not run yet. It stops by
// itself.
func (m *Model) tick() tea.Cmd {
	every := spinTime
	due := m.calls.Due()
	switch {
	case m.clock.ticking:
		return nil
	case m.isUnsettled():
		every = frameTime
	case m.opts.Frozen || !m.isMoving():
		if due.IsZero() && (m.opts.Frozen || !m.replay.Follows()) {
			return nil
		}
		every = slowTime
	case m.opts.NoMotion:
		every = slowTime
	}
	if !due.IsZero() {
		every = min(every, max(due.Sub(m.snap.now), frameTime))
	}
	m.clock.ticking = true
	return tea.Tick(every, func(time.Time) tea.Msg { return clockMsg{} })
}

// isUnsettled reports whether an index or a filter has more to look at than one
// frame does.
func (m *Model) isUnsettled() bool { return m.calls.IsUnsettled() || m.wire.IsBehind() }

// isMoving reports whether something that is shown changes with time alone.
func (m *Model) isMoving() bool {
	if m.replay.IsRecorded() {
		return m.replay.Moves()
	}
	if m.leave.closing || m.snap.connecting() {
		return true
	}
	for _, r := range m.calls.Rows() {
		if r.IsInFlight() && !r.IsStanding() {
			return true
		}
	}
	return m.detail.IsMoving()
}
