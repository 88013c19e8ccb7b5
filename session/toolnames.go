package session

import (
	"fmt"
	"unicode/utf8"
)

// maxToolName is the length of a tool's name at most, in characters.
const maxToolName = 128

// nameFault is the rule about names that the name of a tool breaks, or "".
func nameFault(name string) string {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "is empty"
	case n > maxToolName:
		return fmt.Sprintf("has %d characters, where %d is the most", n, maxToolName)
	}
	if !inside(name, "_-.") {
		return "has other characters than A-Z a-z 0-9 _ - ."
	}
	return ""
}

// lintTools tells of tools whose names break a rule, and numbers those that
// share one. A name is never changed: it is called as it stands (SRV-17).
func (s *Session) lintTools(items []Item) {
	count := make(map[string]int, len(items))
	for i := range items {
		count[items[i].Name]++
	}
	seen := map[string]int{}
	for i := range items {
		it := &items[i]
		if n := count[it.Name]; n > 1 {
			seen[it.Name]++
			it.Twin, it.Twins = seen[it.Name], n
		}
		if s.conn.rev < Rev20251125 {
			continue // the older revisions say nothing of names
		}
		if it.NameFault = nameFault(it.Name); it.NameFault != "" {
			s.diagnose(DiagToolName, 0, it.Name, named(it.Name)+" "+it.NameFault)
		}
		if it.Twin == 1 {
			s.diagnose(DiagToolTwins, 0, it.Name, fmt.Sprintf("%s, %d times", named(it.Name), it.Twins))
		}
	}
}
