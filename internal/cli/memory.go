package cli

import (
	"context"
	"sync"
	"time"

	"belay/mcpclient"
	"belay/mcpclient/kept"
	"belay/session/secret"
	"belay/ui/compose"
)

// memory keeps the arguments of the user's calls beyond the end of belay. It implements
// compose.Memory.
type memory struct {
	why  string // nothing is kept from now on; empty: arguments are
	none string // why nothing of earlier runs can be there either
	kept *kept.Arguments
	now  func() time.Time
	turn chan struct{} // one slot: who has it reads or writes

	mu     sync.Mutex
	mask   *secret.Mask
	learnt []secret.Value // not in the mask yet
	known  func() *secret.Mask
}

// newMemory remembers calls to a server. It reads nothing yet.
func newMemory(opts mcpclient.Options, server kept.Server) *memory {
	m := &memory{now: opts.Now, turn: make(chan struct{}, 1), known: opts.Mask}
	dir, err := kept.ArgumentsDir()
	if err != nil {
		m.why = "no arguments are kept: " + err.Error()
		m.none = m.why
	}
	m.kept = kept.NewArguments(dir, server)
	return m
}

// placeOf is the server whose calls are remembered, whoever belay is there. The demo server is the
// same wherever belay lies.
func placeOf(t target, opts mcpclient.Options) kept.Server {
	server := keptServer(opts)
	server.Identity = nil
	if t.demo {
		server.Place = []string{"demo"}
	}
	return server
}

// switchOff has nothing kept or offered from now on. What earlier runs have kept stays until the
// user wants it deleted.
func (m *memory) switchOff(why string) *memory {
	m.why = why
	return m
}

// Forgetful implements compose.Memory.
func (m *memory) Forgetful() string { return m.why }

// Absent implements compose.Memory.
func (m *memory) Absent() string { return m.none }

// Earlier implements compose.Memory.
func (m *memory) Earlier(method, name string) (sets []compose.Set, err error) {
	if m.why != "" {
		return nil, nil
	}
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	all, err := m.kept.Of(kept.Called{Method: method, Name: name})
	for _, s := range all {
		sets = append(sets, compose.Set(s))
	}
	return sets, err
}

// Remember implements compose.Memory.
func (m *memory) Remember(method, name string, arguments []byte, secrets []string) error {
	if m.why != "" {
		return nil
	}
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	return m.kept.Keep(m.now(), kept.Called{Method: method, Name: name}, arguments, kept.Redactor{Names: secrets, Mask: m.masking()})
}

// Forget implements compose.Memory.
func (m *memory) Forget() (sets int, err error) {
	if m.none != "" {
		return 0, nil
	}
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	return m.kept.Forget()
}

// learn has values kept no more that turned out to be secret. It only notes them.
func (m *memory) learn(values ...secret.Value) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.learnt = append(m.learnt, values...)
}

// hides is the mask that knows all that is secret by now, for those who keep nothing.
func (m *memory) hides() *secret.Mask {
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	return m.masking()
}

// masking is the mask that knows all that is secret by now. It is made when it is first needed,
// which takes a while.
func (m *memory) masking() *secret.Mask {
	m.mu.Lock()
	learnt, mask := m.learnt, m.mask
	m.learnt = nil
	m.mu.Unlock()
	if mask == nil {
		mask = m.known()
	}
	mask = mask.With(learnt...)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mask = mask
	return mask
}

// finish waits until what is under way is written, or ctx ends.
func (m *memory) finish(ctx context.Context) {
	select {
	case m.turn <- struct{}{}:
		<-m.turn
	case <-ctx.Done():
	}
}
