package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/caution"
	"belay/session"
	"belay/session/secret"
	"belay/ui/attention"
	"belay/ui/compose"
	"belay/ui/login"
	"belay/ui/replay"
	"belay/ui/reports"
	"belay/ui/server"
)

// Backend is all that the screen needs from outside. Its methods may be called
// from any goroutine.
type Backend interface {
	// View calls f with the session under its lock. f reads and returns soon.
	View(f func(*session.Session))
	// Do gives the session an input, and carries out what the session hands out then.
	// The error is a *[session.Refusal]. It returns before any I/O.
	Do(in session.Input) (session.Reply, error)
	// Wake gets a value when something changed that could be shown. It has one
	// slot; a closed channel means that nothing will change any more.
	Wake() <-chan struct{}

	// Restart ends the connection, if there is one, and begins a new one. It may
	// block.
	Restart() error
	// Save writes a file of the user's and returns its path. It may block.
	Save(name string, data []byte) (path string, err error)
	// Editor is the user's text editor for a text. The ending (".json") tells it
	// what kind of text that is. Nothing happens before it is run.
	Editor(text []byte, ending string) Editor
	// Suspend gives the terminal to the shell, and stops belay until the shell goes on
	// with it. Nothing happens before it is run.
	Suspend() tea.ExecCommand
	// OpenURL gives an http or https address to the user's browser. It may block
	// for some seconds, and says when there is no browser or it failed.
	OpenURL(url string) error
	// Read returns a file that the user named. It may block.
	Read(name string) ([]byte, error)
	// Root makes a root of a directory, and says why it cannot be one. It may
	// block.
	Root(dir string) (session.Root, error)
	// Conceal has a recording mask these values in what is written from now on. It
	// does not block, however long they are.
	Conceal(values ...secret.Value)
	// Kill ends the server at once. It may block for a moment.
	Kill()

	// Login tells of the login at the server. The screen is woken when that
	// changes.
	Login() login.Status
	// PasteLogin takes the address that the login page led the browser to. An
	// error says what is wrong with it, and the login goes on. It does not block.
	PasteLogin(redirect string) error
	// AbandonLogin gives up the login that is under way. It does not block.
	AbandonLogin()
	// Logout forgets the token of the server, and has it revoked where that can be
	// done. It may block.
	Logout() (login.Logout, error)

	compose.Memory
	reports.Backend

	// Now is the time that the session is told.
	Now() time.Time
	// Command is what the user started the server by.
	Command() server.Start
	// ProcessLine says in a few words how the server's process is: "pid 4711",
	// "exit status 3". Foreign text is not in it.
	ProcessLine() string
	// Unrecorded says in a sentence why the recording that was asked for does not
	// go on; empty: it does, or none was asked for. The screen is woken when that
	// changes.
	Unrecorded() string
	// NotKept says in a sentence why the IDs of tasks are not kept that ought to be; empty:
	// they are, or nobody wants that. The screen is woken when that changes.
	NotKept() string
}

// tell gives the session an input that is never refused.
func tell(b Backend, r session.Report) session.Reply {
	reply, _ := b.Do(r)
	return reply
}

// Editor is the user's text editor at work on one text. Run has the terminal to
// itself and blocks until the user is done; its errors are for the user.
type Editor interface {
	tea.ExecCommand
	// Text is the text as it was left, once Run has returned without an error.
	Text() []byte
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
	Confirm    caution.Level // zero: [caution.Default]
	Trusted    bool          // what the server claims of its tools is believed
	NoMotion   bool          // no spinner, ages in whole seconds
	ASCII      bool          // nothing but ASCII is written
	NoColor    bool          // attributes only
	NoMouse    bool
	Background Background
	Minds      []string         // sentences that the user must not miss, told when the screen begins
	Notify     attention.Notify // of the end of long calls; nil: nobody wants that
	Replay     replay.Player    // of the recording that the backend shows; nil: it is a server
	Frozen     bool             // no clock at all: a frame changes with the session only (screenshots)

	// Nearby reads the names of the servers that files of this folder name, and why one of these
	// files was not read; nil: nobody wants to know. It is called once, beside the screen, and
	// starts nothing.
	Nearby func() (names []string, failures []error)
}
