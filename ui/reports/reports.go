// Package reports has the commands that write what belay knows to files that the user
// names: a report on a call, or on all that were cancelled, and a recording of the run.
package reports

import (
	"errors"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/internal/report"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// Backend is what reports need from outside beside the session.
type Backend interface {
	// About is what the session does not know. It may take a while.
	About() report.About
	// Write writes a file that the user named, readable by its owner only, and returns its
	// path. Where there is one already the error is [panel.ErrExists], unless over is true.
	// After an error nothing is left. It may block.
	Write(name string, data []byte, over bool) (path string, err error)
	// Record begins a recording with what is kept of the run, in a file as Write makes it,
	// and says where, and what is missing. It may block.
	Record(name string, over bool) (Recording, error)
	// CommandLine is the command line that makes a call of a tool with these arguments and
	// the call's options without a screen, quoted for a POSIX shell, with what is secret as
	// asterisks. Hidden is true if a secret was masked. It may take a while.
	CommandLine(call *session.Detail, tool string, arguments []byte) (line string, hidden bool, err error)
	// Recorded is the file that a recording is written to; empty: there is none, or it does
	// not go on. The screen is woken when that changes.
	Recorded() string
	// StopRecording ends the recording that is under way, and returns its path and how many
	// bytes it has. It may block.
	StopRecording() (path string, size int64, err error)
}

// Recording is a recording that was begun, and what of the run before is not in it.
type Recording struct {
	Path        string
	Connections int  // the first ones
	Calls       int  // of the first connection that it has, belay's own among them
	Messages    int  // that nothing follows from
	Results     int  // large ones, of which it says how large they were
	Bytes       int  // of those
	Late        bool // it has nothing of what is in flight, and goes on when nothing is
}

// Reports asks where reports are to go, and writes them. Make it with [New].
type Reports struct {
	host    panel.Host
	backend Backend
	before  dialog.History
}

// New are the reports on the session that the host shows.
func New(h panel.Host, b Backend) *Reports { return &Reports{host: h, backend: b} }

// Bindings are the key of a report, and its command.
func Bindings() []keymap.Binding[*Reports] {
	return []keymap.Binding[*Reports]{{
		Name: "report", Key: key.NewBinding(key.WithKeys("E")),
		Group: "Looking closer", Where: scope.Calls | scope.Detail, Command: "report", Arg: "[all] [FILE or clipboard]",
		Help: "a report on the selected call, or on all cancelled ones, for an issue: Markdown, HTML or JSON, by what the file is called",
		Run:  (*Reports).Command,
	}}
}

// Commands are the commands that no key has.
func Commands() []keymap.Binding[*Reports] {
	return []keymap.Binding[*Reports]{{
		Name: "record", Group: "Commands", Command: "record", Arg: "[FILE]",
		Help: "begin a recording of this run, from its beginning as far as that is kept; belay replay FILE opens it; without FILE: stop it",
		Run:  (*Reports).Record,
	}, {
		Name: "copy as a command", Group: "Commands", Command: "copy-as",
		Help: "copy the command line that makes the selected call without a screen, quoted for a shell, its secrets masked",
		Run:  keymap.Cmd((*Reports).CopyAs),
	}}
}

const (
	clipboard = "clipboard"
	allCalls  = "all"
)

// subject is what a report is about.
type subject struct {
	all  bool
	call session.CallID
	name string // of the file, if the user names none
	what safe.Text
}

// Command is :report, and its key: it writes a report, or asks where it is to go.
func (r *Reports) Command(arg string) tea.Cmd {
	word, rest, _ := strings.Cut(arg, " ")
	about := subject{all: true, name: "report.md", what: "all cancelled calls"}
	if word != allCalls {
		rest = arg
		var row session.Row
		var ok bool
		chosen := r.host.Screen().Chosen
		r.host.View(func(s *session.Session) { row, ok = s.Row(chosen) })
		if !ok {
			return r.host.Say(panel.Refused("no call is selected; :report all is on all that were cancelled"))
		}
		id := safe.LineN(row.Wire.String(), 20)
		about = subject{call: chosen, name: "report-" + plain(row.Wire.String()) + ".md", what: "#" + id}
	}
	if about.all && len(report.Stopped(r.host.View)) == 0 {
		return r.host.Say(panel.Refused(noneStopped))
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		return r.to(about, rest)
	}
	r.host.Push(&dialog.Line{
		Host: r.host, Label: "report on " + about.what + " to:", Short: "report to:", Placeholder: safe.Text(about.name),
		Hint: ".md .html .json, or clipboard", History: &r.before,
		Enter: func(file string) tea.Cmd {
			if file = strings.TrimSpace(file); file == "" {
				file = about.name
			}
			return r.to(about, file)
		},
	})
	return nil
}

// noneStopped is why there is no report on all cancelled calls.
const noneStopped = "no call was cancelled yet; E is for any other"

// plain is what of an ID may stand in the name of a file.
func plain(id string) string {
	kept := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return -1
	}, id)
	return kept[:min(len(kept), 20)]
}

// to writes a report to a file, or to the clipboard.
func (r *Reports) to(about subject, file string) tea.Cmd {
	format, ok := report.FormatOf(file)
	if word, named, _ := strings.Cut(file, " "); word == clipboard {
		if format, ok = report.FormatNamed(named); !ok && named != "" {
			return r.host.Say(panel.Refused("a report is md, html or json"))
		}
		return r.make(about, func(text []byte) tea.Msg {
			return panel.Done{Then: func() tea.Cmd {
				return r.host.Want(panel.Copy{Value: panel.Value{Data: text, What: "the report on " + about.what, Name: about.name}})
			}}
		}, format)
	}
	if !ok {
		return r.host.Say(panel.Refused("not written: a report is a file called .md, .html or .json, or clipboard"))
	}
	return r.make(about, func(text []byte) tea.Msg { return r.write(about, file, text, false) }, format)
}

// make makes a report outside of Update, and then does something with it.
func (r *Reports) make(about subject, then func(text []byte) tea.Msg, format report.Format) tea.Cmd {
	return func() tea.Msg {
		calls := []session.CallID{about.call}
		if about.all {
			calls = report.Stopped(r.host.View)
		}
		if len(calls) == 0 {
			return panel.Done{Then: func() tea.Cmd { return r.host.Say(panel.Refused(noneStopped)) }}
		}
		made := report.Take(r.host.View, calls, r.backend.About())
		return then(made.As(format))
	}
}

// write writes a report to a file. Where there is one already the user is asked.
func (r *Reports) write(about subject, file string, text []byte, over bool) tea.Msg {
	path, err := r.backend.Write(file, text, over)
	switch {
	case errors.Is(err, panel.ErrExists) && !over:
		return r.asks(file, "Replace it by the report on "+about.what+"?", func() tea.Msg { return r.write(about, file, text, true) })
	case err != nil:
		return panel.Done{Err: err}
	}
	return panel.Done{Say: "wrote the report on " + about.what + " to " + safe.Line(path) + " · " + wording.Size(len(text))}
}

// asks asks whether a file that is there is to be replaced.
func (r *Reports) asks(file string, question safe.Text, yes tea.Cmd) tea.Msg {
	return panel.Done{Then: func() tea.Cmd {
		r.host.Push(&dialog.Confirm{
			Host: r.host, Title: "Replace the file",
			Lines: func() []safe.Text {
				return []safe.Text{safe.QuotedCutMiddle(file, 70) + " exists already.", question}
			},
			Yes: func() tea.Cmd { return yes },
		})
		return nil
	}}
}
