package session

import (
	"time"

	"belay/session/mcp"
	"belay/session/timer"
)

// A server whose list does not end would fill the rows with its pages at once.
const (
	swiftPages = 50 // follow each other without a pause
	pagePause  = 200 * time.Millisecond
)

// maxCursor is the longest cursor in bytes that belay sends back: each page is a
// call, whose row keeps it.
const maxCursor = 16 << 10

// maxListBytes bounds the memory that the lists keep together. A list that is fetched anew
// counts once: its old entries go when the last page has come.
func (c Config) maxListBytes() int { return c.HistoryBytes / 2 }

// hasListRoom reports whether there is room for so many bytes more of a list.
func (g *catalog) hasListRoom(k mcp.ListKind, more int) bool {
	used := more + g.lists[k].freshSize
	for other := range mcp.NumLists {
		if l := &g.lists[other]; other != k {
			used += max(l.size, l.freshSize)
		}
	}
	return used <= g.cfg.maxListBytes()
}

// comingAfter is how long the pages of a list wait to be shown together. The
// rest of a list may never come.
const comingAfter = 500 * time.Millisecond

// onList is the owner of a deadline of a list.
func onList(due timer.Kind, k mcp.ListKind) timer.Owner { return timer.Owner{Kind: due, ID: uint64(k)} }

// showSoon has the pages of a list shown that came so far, unless the rest comes
// before.
func (g *catalog) showSoon(k mcp.ListKind) {
	if g.timers.At(onList(dueShow, k)).IsZero() {
		g.timers.Set(onList(dueShow, k), g.now.Add(comingAfter))
	}
}

// showPages shows the pages of a list that came so far.
func (g *catalog) showPages(k mcp.ListKind) {
	l := &g.lists[k]
	l.Coming = l.fresh[:len(l.fresh):len(l.fresh)]
	g.rev++
}
