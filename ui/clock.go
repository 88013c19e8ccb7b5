package ui

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// frameTime is the pause between two frames that nobody asked for with a
	// key: news that come faster are shown together.
	frameTime = 33 * time.Millisecond
	// spinTime is the pace of spinners and ages, slowTime that of ages without
	// motion.
	spinTime = 100 * time.Millisecond
	slowTime = time.Second
)

// Messages of the model to itself.
type (
	newsMsg     struct{} // the session changed
	breathedMsg struct{} // a frame's time has passed since
	clockMsg    struct{}
)

// clock is the one clock of the screen.
type clock struct {
	beats   int // of spinners
	ticking bool
	done    chan struct{}
	once    sync.Once
}

func (c *clock) ticked() {
	c.ticking = false
	c.beats++
}

func (c *clock) finish() { c.once.Do(func() { close(c.done) }) }

func (m *Model) waitForNews() tea.Cmd {
	wake, done := m.backend.Wake(), m.clock.done
	return func() tea.Msg {
		select {
		case _, open := <-wake:
			if !open {
				return nil
			}
			return newsMsg{}
		case <-done:
			return nil
		}
	}
}

// breathe lets a frame's time pass before more news are listened to.
func (m *Model) breathe() tea.Cmd {
	return tea.Tick(frameTime, func(time.Time) tea.Msg { return breathedMsg{} })
}

// tick starts the clock when there is something to animate or work is left for
// the next frame, and it does not run yet. It stops by itself.
func (m *Model) tick() tea.Cmd {
	every := spinTime
	switch {
	case m.clock.ticking:
		return nil
	case m.unsettled():
		every = frameTime
	case m.opts.Frozen || !m.moving():
		return nil
	case m.opts.NoMotion:
		every = slowTime
	}
	m.clock.ticking = true
	return tea.Tick(every, func(time.Time) tea.Msg { return clockMsg{} })
}

// unsettled says whether an index or a filter has more to look at than one
// frame does.
func (m *Model) unsettled() bool { return m.calls.unsettled || m.wire.Behind() }

// moving says whether something that is shown changes with time alone.
func (m *Model) moving() bool {
	if m.leave.closing || m.snap.connecting() {
		return true
	}
	for _, r := range m.calls.rows {
		if r.InFlight() && !r.Standing() {
			return true
		}
	}
	return m.detail.moving()
}
