package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/sentence"
)

// namesTold bounds of how many names in a list it is told what is wrong with them; all
// of them are marked where they are shown.
const namesTold = 200

// lintTools tells of tools whose names break a rule, and numbers those that share one. A name is
// never changed: it is called as it stands (SRV-17; server/tools).
func (g *catalog) lintTools(items []mcp.Item) {
	count := make(map[string]int, len(items))
	for i := range items {
		count[items[i].Name]++
	}
	seen, told := map[string]int{}, 0
	for i := range items {
		it := &items[i]
		if n := count[it.Name]; n > 1 {
			seen[it.Name]++
			it.Twin, it.Twins = seen[it.Name], n
		}
		if g.conn.rev < mcp.Rev20251125 {
			continue // the older revisions say nothing of names
		}
		if it.NameFault = mcp.NameFault(it.Name); it.NameFault != "" && told < namesTold {
			told++
			g.diagnose(mcp.DiagToolName, 0, it.Name, sentence.Name(it.Name)+" "+it.NameFault)
		}
		if it.Twin == 1 && told < namesTold {
			told++
			g.diagnose(mcp.DiagToolTwins, 0, it.Name, fmt.Sprintf("%s, %d times", sentence.Name(it.Name), it.Twins))
		}
	}
}
