package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"belay/mcpclient/reason"
	"belay/session"
)

// TaskKeeper keeps tasks beyond the end of belay: see package kept.
type TaskKeeper interface {
	// Before are the tasks that an earlier run has kept.
	Before() []session.KeptTask
	// Change carries changes out. It may wait for the disk.
	Change(now time.Time, changes []session.KeptChange) error
}

// keeper has changes of what is kept be carried out in their order, outside the lock. A nil
// keeper has nothing to do.
type keeper struct {
	to      TaskKeeper
	now     func() time.Time
	signal  func()
	crashed func(where string, v any)

	mu      sync.Mutex
	waiting []session.KeptChange
	busy    bool
	idle    chan struct{} // closed when nothing waits any more, while busy
	err     error         // of the last change; nil: it went well
}

func newKeeper(o *Options) *keeper {
	if o.Tasks == nil {
		return nil
	}
	o.Session.KeepTasks, o.Session.Kept = true, o.Tasks.Before()
	return &keeper{to: o.Tasks, now: o.Now}
}

// tell has a change of the error be told, and a panic.
func (k *keeper) tell(c *Client) {
	if k != nil {
		k.signal, k.crashed = c.signal, c.onCrash
	}
}

// take takes the changes that the core has. It is called under the lock, and waits for nothing.
func (k *keeper) take(s *session.Session) {
	if k == nil {
		return
	}
	change, ok := s.NextKept()
	if !ok {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for ; ok; change, ok = s.NextKept() {
		k.waiting = append(k.waiting, change)
	}
	if !k.busy {
		k.busy, k.idle = true, make(chan struct{})
		go k.run()
	}
}

// run carries out what waits, until nothing does.
func (k *keeper) run() {
	defer func() {
		if v := recover(); v != nil {
			k.onCrash()
			k.crashed("keeping tasks", v)
		}
	}()
	for {
		k.mu.Lock()
		changes := k.waiting
		k.waiting = nil
		if len(changes) == 0 {
			k.busy = false
			close(k.idle)
			k.mu.Unlock()
			return
		}
		k.mu.Unlock()
		err := k.to.Change(k.now(), changes)
		k.mu.Lock()
		told := err == nil && k.err == nil
		if k.err = err; err != nil {
			k.err = fmt.Errorf("the IDs of tasks are not kept: %s", reason.Of(err))
		}
		k.mu.Unlock()
		if !told {
			k.signal()
		}
	}
}

// onCrash lets go of who waits. What is to be kept later is tried again.
func (k *keeper) onCrash() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = errors.New("the IDs of tasks are not kept: a fault of belay's own, told when it ends")
	k.busy = false
	close(k.idle)
}

// close waits until everything is carried out, or ctx ends.
func (k *keeper) close(ctx context.Context) {
	if k == nil {
		return
	}
	k.mu.Lock()
	busy, idle := k.busy, k.idle
	k.mu.Unlock()
	if !busy {
		return
	}
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// NotKept says why IDs of tasks are not kept that ought to be; nil: they are.
func (c *Client) NotKept() error {
	if c.keeper == nil {
		return nil
	}
	c.keeper.mu.Lock()
	defer c.keeper.mu.Unlock()
	return c.keeper.err
}
