// Package beside is the work on what a server sent that takes longer than a key may
// wait. It is done outside of Update, one work of a kind at a time, and ends when what
// it is for is not on the screen any more.
package beside

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Work is one such work, or none.
type Work struct {
	of    any // what it is for, to be compared; nil: there is none
	end   context.CancelFunc
	First func() // what it begins with; nil: nothing but itself
}

// Want begins the work for a subject, and stops the work for any other. The subject
// nil stops all. The work ends with the model at the latest.
func (w *Work) Want(model context.Context, of any, do func(ctx context.Context) tea.Msg) tea.Cmd {
	if of == w.of {
		return nil
	}
	w.Stop()
	if of == nil {
		return nil
	}
	ctx, end := context.WithCancel(model)
	w.of, w.end = of, end
	first := w.First
	return func() tea.Msg {
		if first != nil {
			first()
		}
		return do(ctx)
	}
}

// Done reports whether a result is that of the work under way, and ends that work.
func (w *Work) Done(of any) bool {
	if of != w.of {
		return false
	}
	w.Stop()
	return true
}

// Stop ends the work, if there is one.
func (w *Work) Stop() {
	if w.end != nil {
		w.end()
	}
	w.of, w.end = nil, nil
}

// Of is what the work is for, or nil.
func (w *Work) Of() any { return w.of }
