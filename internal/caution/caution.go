// Package caution decides before which calls of tools the user is asked. What a
// server claims of a tool can raise the caution; only a trusted server can lower
// it (SRV-03, SRV-09; 2025-11-25, schema: ToolAnnotations).
package caution

import (
	"slices"
	"strings"

	"belay/session/mcp"
)

// Level is how much the user wants to be asked.
type Level uint8

// The levels, each asking before more calls than the one before. The zero value
// is none of them: where it stands, [Default] is meant.
const (
	Never Level = iota + 1
	Destructive
	Unknown
	Always
)

// Default is the level of a user who named none.
const Default = Destructive

var levels = [...]struct{ word, about string }{
	Never:       {"never", ""},
	Destructive: {"destructive", "what the server calls so"},
	Unknown:     {"unknown", "also what is not known to be harmless"},
	Always:      {"always", ""},
}

// String returns the word by which the user names the level.
func (l Level) String() string { return levels[l].word }

// Words returns the words of all levels, least careful first.
func Words() (words []string) {
	for l := Never; l <= Always; l++ {
		words = append(words, l.String())
	}
	return words
}

// Help returns the sentence that explains the levels to whoever sets one.
func Help() string {
	words := Words()
	for i := range words {
		if about := levels[i+int(Never)].about; about != "" {
			words[i] += " (" + about + ")"
		}
	}
	return "ask before calls of tools: " + strings.Join(words, ", ")
}

// Parse returns the level that a word names, and whether it names one.
func Parse(word string) (Level, bool) {
	i := slices.Index(Words(), word)
	return Level(i + 1), i >= 0
}

// Asks reports whether the user is asked before a call of a tool of which the
// server claims this.
func (l Level) Asks(claims mcp.Hints, trusted bool) bool {
	harmless := trusted && claims.IsHarmless()
	switch l {
	case Destructive:
		return claims.Destroys() && !harmless
	case Unknown:
		return !harmless
	case Always:
		return true
	case Never:
	}
	return false
}
