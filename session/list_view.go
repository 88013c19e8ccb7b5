package session

import (
	"time"

	"belay/session/mcp"
)

// CatalogView is a copy of the server's lists as far as they were fetched.
type CatalogView struct {
	Lists [mcp.NumLists]ListView
	Rev   uint64 // grows with each change
}

// ListView is one list of the catalog.
type ListView struct {
	Declared bool // the server has the capability
	Loading  bool
	Page     CallID // while loading: the call that fetches a page of it; 0: it is not out yet
	Complete bool
	Items    []mcp.Item
	Coming   []mcp.Item    // of the pages that came, when the rest is not there after a moment, or did not come; see [ListView.More]
	Fetched  time.Time     // when the last page came; zero: not to its end yet
	Ages     bool          // it stays fresh for a time only: TTL says for how long
	TTL      time.Duration // from Fetched on
	Scope    string        // whose cache may hold it: "public" or "private"; empty when the server does not say
	ByHand   bool          // nothing tells that it changed: Reload fetches it again
	Problem  string        // why it is missing or incomplete; may hold foreign text
	Remedy   Remedy        // what can be done about that
	Stale    bool          // what is shown was fetched earlier: to fetch it again failed, see Problem
	Excluded []mcp.Item    // tools that must not be called; Unfit of each says why
}

// More are the entries of the pages that came and are not among Items: they can
// be called as those can, but a tool that is Unfit.
func (l *ListView) More() []mcp.Item {
	if len(l.Items) == 0 {
		return l.Coming
	}
	type key struct{ name, uri string }
	listed := make(map[key]bool, len(l.Items))
	for i := range l.Items {
		listed[key{l.Items[i].Name, l.Items[i].URI}] = true
	}
	var more []mcp.Item
	for _, it := range l.Coming {
		if !listed[key{it.Name, it.URI}] {
			more = append(more, it)
		}
	}
	return more
}
