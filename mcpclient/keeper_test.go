//go:build unix

package mcpclient

import (
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/task"
)

// brittleKeeper has kept one task, and panics when it is to be kept no longer.
type brittleKeeper struct{ panicked chan struct{} }

func (brittleKeeper) Before() []session.KeptTask {
	return []session.KeptTask{{ID: "task-1", Protocol: task.Extension}}
}

func (k brittleKeeper) Change(time.Time, []session.KeptChange) error {
	defer close(k.panicked)
	panic("oh no")
}

// A panic of what keeps tasks ends the connection with a message, as any other of belay's own
// does, and nobody waits for what cannot come any more.
func TestAPanicOfTheKeeperEndsOnlyTheConnection(t *testing.T) {
	o := options(t, "three lines of stderr")
	k := brittleKeeper{make(chan struct{})}
	o.Tasks = k
	c := run(t, o)
	awaitReady(t, c)
	if _, err := c.Do(session.ForgetTask{ID: "task-1"}); err != nil {
		t.Fatal(err)
	}
	awaitEnd(t, c)
	<-k.panicked
	cr := c.Crash()
	if cr == nil || cr.Value != "oh no" || cr.Where != "keeping tasks" || !strings.Contains(cr.Stack, "Change") {
		t.Fatalf("crash: %+v", cr)
	}
	if p := c.Process(); !strings.Contains(p.Failure, "belay failed in keeping tasks") {
		t.Errorf("the process says %q", p.Failure)
	}
	await(t, c, "the error", func(*session.Session) bool { return c.NotKept() != nil })
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
}
