package beside

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
)

// A work that is not wanted any more is told so, and what it brings is not taken.
func TestWorkThatIsNotWanted(t *testing.T) {
	var w Work
	model, end := context.WithCancel(t.Context())
	defer end()
	var got context.Context
	do := func(ctx context.Context) tea.Msg { got = ctx; return nil }
	one, two := new(int), new(int)
	w.Want(model, one, do)()
	first := got
	if w.Want(model, one, do) != nil {
		t.Error("it is begun twice")
	}
	w.Want(model, two, do)()
	if first.Err() == nil || got.Err() != nil {
		t.Error("the work before goes on, or this one does not")
	}
	if w.Done(one) || !w.Done(two) || w.Done(two) {
		t.Error("what came is taken for what is wanted, or not")
	}
	w.Want(model, two, do)()
	if w.Want(model, nil, nil); got.Err() == nil {
		t.Error("nobody wants it, and it goes on")
	}
	if x, err := form.Read(got, []byte(`{"type":"object","properties":{"a":{"type":"string","enum":["1"`+strings.Repeat(`,"2"`, 10_000)+`]}}}`), form.Answer, form.Beside); x != nil || err == nil {
		t.Error("a schema is read that nobody wants")
	}
	w.Want(model, one, do)()
	if end(); got.Err() == nil {
		t.Error("it goes on after the model has ended")
	}
}
