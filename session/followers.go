package session

import (
	"time"

	"belay/session/mcp"
)

// What all followers are told, and what any of them may take.

// takeHandle has a follower take an answer that says that its call goes on at the server, and reports
// whether the answer says so.
func (all followers) takeHandle(c *call, f *mcp.Frame) bool {
	for _, m := range all {
		if m.takeHandle(c, f) {
			return true
		}
	}
	return false
}

// lostNote is what to say of what a call leaves at the server which ends with its connection, or with its
// session alone.
func (all followers) lostNote(c *call, renewed bool) (says rowNote) {
	for _, m := range all {
		if says = m.lostNote(c, renewed); says != (rowNote{}) {
			break
		}
	}
	return says
}

// begin has all forget what was of the connection before.
func (all followers) begin() {
	for _, m := range all {
		m.begin()
	}
}

// onDisconnected ends the following of all calls.
func (all followers) onDisconnected() {
	for _, m := range all {
		m.onDisconnected()
	}
}

// shift moves what is due of all of them by d.
func (all followers) shift(d time.Duration) {
	for _, m := range all {
		m.shift(d)
	}
}

// next returns the next step of any of them; nil: there is none.
func (all followers) next() followStep {
	for _, m := range all {
		if step := m.next(); step != nil {
			return step
		}
	}
	return nil
}

// awaitedAtClose counts what a closing connection waits for.
func (all followers) awaitedAtClose() (n int) {
	for _, m := range all {
		n += m.awaitedAtClose()
	}
	return n
}
