package session

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/timer"
)

// catalog is what is known of the server's lists.
type catalog struct {
	*log
	cfg    *Config
	timers *timer.List

	lists     [mcp.NumLists]list
	rev       uint64
	mirrors   mirrors
	refreshed time.Time // when that was done last

	outputs map[string][]byte // the outputSchema of tools that have one, by name
}

type list struct {
	ListView
	fresh          []mcp.Item // of the pages that came so far
	last           int        // how many of them the last page brought
	changed        bool       // … since, or the user wants it: to be fetched again
	gone           bool       // it was dropped with the login that it was for: to be fetched when it is looked at
	cursorRejected bool       // by the server, so that this is the second try
	loading        bool
	pages          int
	size           int           // bytes of memory that what is shown keeps
	freshSize      int           // … and what came so far, or is shown as it came
	cursor         []byte        // of the page that is out, raw; nil: it is the first one
	ttl            time.Duration // of the pages that came so far, the shortest
	scope          string        // … and the strictest
	page           *request      // the one that is out, or came last
	next           []byte        // the cursor of the page that is to be fetched after a pause
	unfit          int           // tools that HTTP would leave out
	looked         time.Time     // when it was fetched for a look at it, also in vain
}

func sameItems(a, b []mcp.Item) bool {
	return slices.EqualFunc(a, b, func(x, y mcp.Item) bool { return bytes.Equal(x.Raw, y.Raw) })
}

func (g *catalog) scheduleRefresh() {
	if !g.timers.At(once(dueRefresh)).IsZero() {
		return
	}
	at := g.now.Add(refreshPause / 10)
	if next := g.refreshed.Add(refreshPause); next.After(at) {
		at = next
	}
	g.timers.Set(once(dueRefresh), at)
}

// lost ends what was being fetched when the connection ended. A cursor is good
// for its own session only (SRV-29).
func (g *catalog) lost() {
	g.rev++
	for i := range g.lists {
		l := &g.lists[i]
		l.cursor, l.next = nil, nil
		l.Coming, l.freshSize = nil, 0
		if l.loading {
			l.loading, l.fresh = false, nil
			l.Stale = !l.Fetched.IsZero()
			l.Problem, l.Remedy = "the connection ended while it was fetched", Remedy{}
		}
	}
}

// ofLogin reports whether something is shown of the list that may be for the one who
// is logged in.
func (l *list) ofLogin() bool {
	return l.Scope != mcp.ScopePublic && (!l.Fetched.IsZero() || len(l.Items) > 0)
}

// endsWithLogin reports whether another login needs the list anew. A list whose
// first page waits for a login is fetched with the next login anyway.
func (l *list) endsWithLogin() bool {
	if !l.Declared {
		return false
	}
	if l.loading {
		return l.pages > 0 || !l.page.call.isWaiting()
	}
	return l.ofLogin()
}

// checkOrder tells of tools that come in another order than before, although they
// are the same: what keeps a prompt in its cache is gone with that (SRV-20).
func (g *catalog) checkOrder(before, now []mcp.Item) {
	if !g.conn.rev.Modern() || len(before) != len(now) {
		return
	}
	at := -1
	count := map[string]int{}
	for i := range now {
		if at < 0 && before[i].Name != now[i].Name {
			at = i
		}
		count[before[i].Name]++
		count[now[i].Name]--
	}
	for _, n := range count {
		if n != 0 {
			return
		}
	}
	if at >= 0 {
		g.diagnose(mcp.DiagToolOrder, 0, "", fmt.Sprintf("%s was %s before", sentence.Name(now[at].Name), sentence.Name(before[at].Name)))
	}
}

// reset forgets what another server, or another start of the same one, has offered.
func (g *catalog) reset() {
	*g = catalog{log: g.log, cfg: g.cfg, timers: g.timers, rev: g.rev + 1}
}

// fetchMissed has the lists fetched that may have changed while a subscription
// was away.
func (g *catalog) fetchMissed(c *call) {
	u := c.sub
	if u.again.times == 0 {
		return
	}
	for k := range mcp.NumLists {
		l := &g.lists[k]
		l.changed = l.changed || u.agreed.Tells(k)
	}
	g.scheduleRefresh()
}
