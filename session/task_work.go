package session

import "slices"

// taskWork is what was told of tasks and is still to be carried out, once the input at hand is.
//
//shape:part of tasks
type taskWork struct {
	steps   []followStep
	missed  []missedRequest // requests that ended without an answer
	touched []*runningTask  // have something to be done, or another time for it
}

// missedRequest is a request about a task that ended without an answer, and why.
//
//shape:part of taskRequest
type missedRequest struct {
	*taskRequest
	why string
}

// will has a step be carried out.
func (w *taskWork) will(step followStep) { w.steps = append(w.steps, step) }

// touch has a task be looked at.
func (w *taskWork) touch(k *runningTask) {
	if !slices.Contains(w.touched, k) {
		w.touched = append(w.touched, k)
	}
}

// miss notes that a request ended without an answer, and why.
func (w *taskWork) miss(e *taskRequest, why string) {
	w.missed = append(w.missed, missedRequest{e, why})
}
