package ui

import (
	"time"

	"belay/session"
)

// Backend is all that the screen needs from outside. Its methods may be called
// from any goroutine.
type Backend interface {
	// View calls f with the session under its lock. f reads and returns soon.
	View(f func(*session.Session))
	// Do calls f with the session under its lock and sees to it that what f
	// caused is carried out. It returns before any I/O.
	Do(f func(s *session.Session, now time.Time))
	// Wake gets a value when something changed that could be shown. It has one
	// slot; a closed channel means that nothing will change any more.
	Wake() <-chan struct{}

	// Restart ends the connection, if there is one, and begins a new one. It may
	// block.
	Restart() error
	// Save writes a file of the user's and returns its path. It may block.
	Save(name string, data []byte) (path string, err error)
	// Kill ends the server at once. It may block for a moment.
	Kill()

	// Now is the time that the session is told.
	Now() time.Time
	// Command is what was started, and in which directory.
	Command() (argv []string, dir string)
	// ProcessLine says in a few words how the server's process is: "pid 4711",
	// "exit status 3". Foreign text is not in it.
	ProcessLine() string
}

// Background says which colors suit the terminal.
type Background uint8

// The backgrounds. Auto asks the terminal.
const (
	Auto Background = iota
	Dark
	Light
)

// Options are the user's wishes about the screen.
type Options struct {
	Reason     string // of a cancel when none is given; empty: [session.DefaultReason]
	NoMotion   bool   // no spinner, ages in whole seconds
	ASCII      bool   // nothing but ASCII is written
	NoColor    bool   // attributes only
	NoMouse    bool
	Background Background
	Frozen     bool // no clock at all: a frame changes with the session only (screenshots)
}
