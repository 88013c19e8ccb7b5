package session

import "belay/session/cancel"

// taskStep is one consequence for calls of an event about a task: the machine returns
// steps, and [Session.driveTasks] carries them out.
type taskStep struct {
	row     *call            // enters the outcome, unless it has ended
	outcome outcome          //
	settled *call            // a cancelled row, of which all is known that is waited for
	makes   *taskRequest     // a request about a task
	begins  *CallSpec        // belay's own subscription to tasks
	ends    *call            // … one that is over, …
	closes  *serverRequest   // a question of a task's, …
	passes  *call            // a request of belay's own that need not have come to something, …
	cancels *taskRequest     // a request about a task that nobody waits for any more, …
	why     string           // … for this reason
	by      cancel.Initiator // … of what is cancelled: who did it
	stops   *call            // a task that was picked up to be cancelled
}

// will has a step be carried out once the input at hand is.
func (t *tasks) will(step taskStep) { t.steps = append(t.steps, step) }
