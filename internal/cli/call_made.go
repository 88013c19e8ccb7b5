package cli

import (
	"sync"

	"belay/session"
)

// making is the moment at which a call is made. Whoever wants an end comes before it, and nothing
// is sent, or after it, and there is a call to cancel: its server may read it before belay goes on.
type making struct {
	mu   sync.Mutex
	id   session.CallID // 0: it was not made
	left bool           // it is not to be made any more
}

// made makes the call, unless somebody left.
func (m *making) made(call func() (session.CallID, error)) (session.CallID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left {
		return 0, givenUp()
	}
	var err error
	m.id, err = call()
	return m.id, err
}

// leftOr returns the call, or has it not be made. It waits while the call is being made.
func (m *making) leftOr() session.CallID {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left = m.left || m.id == 0
	return m.id
}
