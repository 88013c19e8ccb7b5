// Package scope lists the places of the screen in which keys work, beside those
// in the fields of a form, which [formview] has.
package scope

import (
	"belay/ui/formview"
	"belay/ui/keymap"
)

// The places.
const (
	Calls keymap.Scope = formview.Free << iota
	Detail
	Wire
	Tiny     // the one line of a terminal that is too small
	Line     // a line of input at the bottom
	Picker   // the list of what can be called
	Commands // the palette
	Form     // the form of its arguments

	About   // a form whose description is longer than what is seen of it
	Page    // help, server info, a whole message
	Confirm // a question
	Parts   // the parts of a result

	ConfirmMore // … of which there is more to see
	ConfirmQuit // … that quitting asks
	ConfirmTask // … while tasks go on, which can be left

	ConfirmAlways // … that need not be asked again

	Elicit   // a question of the server's that a form answers
	URL      // … that wants an address opened
	Sampling // … that is for a model
	Answer   // the JSON beside that
	Opened   // … whose address was opened
	Visiting // … and whose call goes on when the user says so
	Locked   // … that has ended without an answer
	Guarded  // … that has just opened by itself
	Small    // … on a terminal that is too small to answer it
	Closing  // quitting

	LoginPage  // a login whose page is to be opened
	LoginEmpty // … and nothing is pasted yet
	LoginTyped // … or something is
	LoginWait  // … that goes on by itself
	LoginOver  // … that has failed

	Task  // the panes, while a call that runs as a task is selected
	Tasks // the list of tasks

	Recording // the panes, while they show a recording
	Seeking   // … and belay is on its way to another place in it

	Panes = Calls | Detail | Wire
	Text  = Line | Picker | Commands | Form
	Lists = Panes | Page
	Ask   = Elicit | URL | Sampling | Answer | Opened | Locked | Guarded | Small
	Live  = Elicit | URL | Sampling | Answer
	Login = LoginPage | LoginWait | LoginOver
	Any   = Panes | Tiny | Text | Page | Parts | Tasks | Confirm | Ask | Closing | Login
)
