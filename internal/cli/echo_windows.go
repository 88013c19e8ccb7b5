package cli

import (
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// unechoed is a terminal state with lines of input and no echo.
func unechoed(s term.State) *term.State {
	s.Mode = s.Mode&^windows.ENABLE_ECHO_INPUT | windows.ENABLE_PROCESSED_INPUT | windows.ENABLE_LINE_INPUT
	return &s
}

// notifyResumed does nothing: nothing stops a program of a console.
func notifyResumed(chan<- os.Signal) {}
