package negotiate

import (
	"slices"
	"time"

	"belay/session/mcp"
)

// Another connection, and what it is begun with.

// mayBeginAgain reports whether another connection may be begun in another way:
// once for each that somebody else has begun, where OnEnd knows of no third way.
func (m *Machine) mayBeginAgain() bool {
	return m.setup.Pin == "" && !m.midway && !m.setup.Memory.Again
}

func (m *Machine) remember(begin Opening) {
	m.next = Memory{Begin: begin}
	if begin == WithDiscover {
		m.next.Patience = max(leastPatience, 2*m.first)
	}
}

// mayGoBack reports whether a server that was started again with server/discover alone, and
// did not bear that, is begun with the initialize that it has borne before.
func (m *Machine) mayGoBack() bool {
	known := m.setup.Memory
	return m.setup.Process && m.setup.Pin == "" && !m.midway && !m.wasRefused && known.Again && known.Begin == WithDiscover && known.Greeted != ""
}

func (m *Machine) goBack(why Why) Step {
	m.next = Memory{Begin: WithInitialize, Again: true, Greeted: m.setup.Memory.Greeted}
	return Step{Do: BeginAgain, Why: why}
}

// beginAgain ends the connection and begins another one. Where that has been done
// already, the handshake counts.
func (m *Machine) beginAgain(with Opening, why Why) Step {
	if !m.mayBeginAgain() {
		if m.initialize == answered {
			return Step{Do: UseHandshake}
		}
		return Step{}
	}
	m.remember(with)
	m.next.Again = true
	if with == WithDiscover && why != Ended {
		if m.next.Greeted = m.refusal.Revision; !slices.Contains(mcp.Handshakes(), m.next.Greeted) {
			m.next.Greeted = m.asked
		}
	}
	return Step{Do: BeginAgain, Why: why}
}

// rememberOpen remembers that server/discover was not answered, and initialize not well,
// in a connection that lasted so long: the other way has to be longer.
func (m *Machine) rememberOpen(least, lasted time.Duration) {
	m.next.Open, m.next.Patience = true, max(least, 2*lasted)
}
