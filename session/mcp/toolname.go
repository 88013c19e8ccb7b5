package mcp

import (
	"fmt"
	"unicode/utf8"

	"belay/session/sentence"
)

// maxToolName is the length of a tool's name at most, in characters.
const maxToolName = 128

// NameFault is the rule about names that the name of a tool breaks, or "".
func NameFault(name string) string {
	if len(name) > utf8.UTFMax*maxToolName { // and need not be counted
		return fmt.Sprintf("has %s, where %d characters are the most", sentence.Size(len(name)), maxToolName)
	}
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "is empty"
	case n > maxToolName:
		return fmt.Sprintf("has %d characters, where %d is the most", n, maxToolName)
	}
	if !isOnlyOf(name, "_-.") {
		return "has other characters than A-Z a-z 0-9 _ - ."
	}
	return ""
}
