package server

import (
	"path/filepath"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
)

// Start is what the user started a server by. It is also the rule of how servers are named:
//
// A server has two names, and the screen knows no third. [Start.Name] is belay's: the entry of
// a config file, or else the command or the address. The user chose it, so it is what counts
// where the server wants something: the consent to an entry, a question, a login
// (ELI-10, ELI-11; client/elicitation).
//
// The other one is what the server says of itself: its title or else its name, and the
// version of a release. It is a claim, and always in quotes. It stands where it is told who
// the server is: in the header, the welcome, the page of the server and a report for its author.
// An entry is named before it there, and alone in a title; a command, which would need all
// the room, is on the page. Documents for programs have the members "name", which stays the
// same when a title is reworded, and "title".
type Start struct {
	Entry string   // the name of an entry of a config file; empty: the server was typed
	Argv  []string // the command, or the address alone; empty: it is not known
	Dir   string   // where the command runs; empty: where belay does
}

// Name is belay's name of the server, in at most width columns.
func (s Start) Name(transport mcp.Transport, width int) safe.Text {
	if s.Entry != "" {
		return wording.NameIn(s.Entry, width)
	}
	if len(s.Argv) == 0 {
		return "the server"
	}
	words := s.Argv
	if transport != mcp.HTTP {
		words = append([]string{filepath.Base(words[0])}, words[1:]...)
	}
	return safe.Cut(safe.LineN(strings.Join(words, " "), 200), width)
}

// SelfMost is more than what Self is ever wide.
const SelfMost = 120

// leastClaim is in how many columns a cut name still says something.
const leastClaim = 8

// Self names the server, in at most width columns: the entry, and the claim in quotes. While
// there is no connection, its state follows.
func (l Link) Self(width int) safe.Text {
	if l.Status.Phase == session.Ready {
		if self := l.who(width); self != "" {
			return self
		}
	}
	phase := safe.Text(l.Status.Phase.String())
	if l.ASCII {
		phase = asciiDots(phase)
	}
	if room := width - safe.Width(" · "+phase); room >= leastClaim {
		if self := l.who(room); self != "" {
			return self + " · " + phase
		}
	}
	return safe.Cut(phase, width)
}

// entryMost is how many columns of the name of an entry stand beside something else.
const entryMost = 40

// who is what Self says without the state; empty: nothing is known.
func (l Link) who(width int) safe.Text {
	self := claimed(l.Status)
	switch {
	case l.Entry == "" && self == "":
		return ""
	case l.Entry == "":
		return safe.QuotedCut(string(self), width)
	}
	entry := wording.NameIn(l.Entry, min(entryMost, width))
	if room := width - safe.Width(entry) - 1; self != "" && room >= leastClaim {
		return entry + " " + safe.QuotedCut(string(self), room)
	}
	return entry
}

// Titled is a title that names the server as the header does, in at most width columns,
// behind a word of belay's own.
func (l Link) Titled(word safe.Text, width int) safe.Text {
	room := width - safe.Width(word) - 1
	if room < leastClaim {
		return word
	}
	name := wording.NameIn(l.Entry, room)
	if self := claimed(l.Status); l.Entry == "" && self != "" {
		name = safe.QuotedCut(string(self), room)
	}
	return wording.Join(word, name)
}

// Claimed is the one name that a server gives itself: its title, or else its name. It is foreign.
func Claimed(s *session.Status) string {
	if s.Server.Title != "" {
		return s.Server.Title
	}
	return s.Server.Name
}

// claimed is [Claimed] without quotes, and behind it the version of a release.
func claimed(s *session.Status) safe.Text {
	self := safe.Cut(safe.LineN(Claimed(s), 200), 40)
	if self != "" && isRelease(s.Server.Version) {
		self = wording.Join(self, safe.Cut(safe.LineN(s.Server.Version, 60), 20))
	}
	return self
}

// isRelease reports whether a version has a number. A build that was never released calls
// itself "dev" or v0.0.0 with a date, which beside the name would be taken for a part of it.
func isRelease(version string) bool {
	return strings.ContainsAny(version, "0123456789") && !strings.HasPrefix(version, "v0.0.0-")
}
