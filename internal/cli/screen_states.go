package cli

import (
	"maps"
	"regexp"
	"slices"
)

// states are what a program sets on a terminal and a screen that is drawn anew does not set once more: modes
// (the cursor, the mouse, the screen itself) and the title of the window. The zero value has none.
type states struct {
	set   map[string][]byte // the sequence that set a mode last
	title []byte
}

var (
	setMode  = regexp.MustCompile(`\x1b\[\?([0-9]+)[hl]`)
	setTitle = regexp.MustCompile(`\x1b\]2;[^\x07\x1b]*\x07`)
)

// updates is the mode of synchronized output: it begins and ends each frame, and is no state.
const updates = "2026"

// keep takes what a text sets.
func (s *states) keep(text []byte) {
	for _, m := range setMode.FindAllSubmatch(text, -1) {
		if mode := string(m[1]); mode != updates {
			if s.set == nil {
				s.set = map[string][]byte{}
			}
			s.set[mode] = slices.Clone(m[0])
		}
	}
	if all := setTitle.FindAll(text, -1); len(all) > 0 {
		s.title = slices.Clone(all[len(all)-1])
	}
}

// take appends what sets them all, and forgets them.
func (s *states) take(to []byte) []byte {
	for _, mode := range slices.Sorted(maps.Keys(s.set)) {
		to = append(to, s.set[mode]...)
	}
	to = append(to, s.title...)
	*s = states{}
	return to
}
