package cli

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"belay/mcpclient"
)

// caught is a model whose panics, and those of its commands, end the screen in order: Bubble Tea would write the stack
// across the screen, and belay would end as if all were well. It also knows which modes to set again on a terminal that
// another program had.
type caught struct {
	tea.Model
	first *atomic.Pointer[mcpclient.Crash] // which explains the others; nil in it: there was none
	quit  func()                           // ends the screen, which may have to be drawn for that
	raw   func()                           // gives the terminal the modes of a screen
	shown *tea.View                        // the last one that was made
}

func catching(model tea.Model, first *atomic.Pointer[mcpclient.Crash], quit, raw func()) caught {
	return caught{model, first, quit, raw, new(tea.View)}
}

// failed notes a panic, and ends the screen. It is called where that was recovered, so that the stack is the panic's.
func (c caught) failed(v any) {
	if c.first.CompareAndSwap(nil, &mcpclient.Crash{Where: "the screen", Value: fmt.Sprint(v), Stack: string(debug.Stack())}) {
		go c.quit()
	}
}

func (c caught) Init() (cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			c.failed(v)
		}
	}()
	return c.command(c.Model.Init())
}

func (c caught) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			c.failed(v)
			next, cmd = c, nil
		}
	}()
	if _, is := msg.(taken); is {
		c.raw()
		return c, tea.Sequence(tea.Raw(retake(c.shown)), tea.ClearScreen, tea.RequestWindowSize)
	}
	model, cmd := c.Model.Update(msg)
	return caught{model, c.first, c.quit, c.raw, c.shown}, c.command(cmd)
}

// View is the last one that was made where none can be made any more.
func (c caught) View() (view tea.View) {
	defer func() {
		if v := recover(); v != nil {
			c.failed(v)
			view = *c.shown
		}
	}()
	*c.shown = c.Model.View()
	return *c.shown
}

// command is a command of which a panic is caught. What it returns may be commands: those of a sequence are of a type
// that has no name outside of Bubble Tea.
func (c caught) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				c.failed(v)
			}
		}()
		msg = cmd()
		if list := reflect.ValueOf(msg); list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range list.Len() {
				one, _ := list.Index(i).Interface().(tea.Cmd)
				list.Index(i).Set(reflect.ValueOf(c.command(one)))
			}
		}
		return msg
	}
}
