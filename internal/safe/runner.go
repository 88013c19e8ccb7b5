package safe

import "strings"

// Inert is a line in which the runner of a CI finds no command of its own, when it stands in
// the log of a run. GitHub's takes a line for one that begins with two colons, whatever
// blanks are before them, and two number signs with a bracket anywhere.
func Inert(line Text) Text {
	if strings.HasPrefix(strings.TrimSpace(string(line)), "::") {
		line = "· " + line
	}
	return Text(strings.ReplaceAll(string(line), "##[", "##⟨[⟩"))
}
