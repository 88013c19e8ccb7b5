package session

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/timer"
)

// catalog is what is known of the server's lists.
//
//shape:machine 3
type catalog struct {
	*log
	cfg    *Config
	timers *timer.List

	lists     [mcp.NumLists]list
	rev       uint64
	mirrors   mirrors
	refreshed time.Time // when that was done last

	stopped listStep          // of the tools, when their request was cancelled; see [Session.settle]
	outputs map[string][]byte // the outputSchema of tools that have one, by name
	tasks   map[string]bool   // the tools that run as tasks, by name: whether they do so only
}

//shape:part of catalog
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
	faults         listFaults    // of the pages that came so far
	unfit          int           // tools that HTTP would leave out
	looked         time.Time     // when it was fetched for a look at it, also in vain
}

// declare notes whether the server declares the list.
func (l *list) declare(declared bool) { l.Declared = declared }

// outdate has the list be fetched again.
func (l *list) outdate() { l.changed = true }

// onNextRequest notes that the request for a page is made again, by another one.
func (l *list) onNextRequest(old, next *request) {
	if l.page == old {
		l.page = next
	}
}

// forget forgets what was listed, which may have been for another login.
func (l *list) forget() {
	l.Items, l.Excluded, l.Coming, l.size = nil, nil, nil, 0
	l.Complete, l.Stale, l.Fetched = false, false, time.Time{}
}

// abandonPage forgets the request for a page, which is no longer awaited.
func (l *list) abandonPage() { l.page = nil }

// drop ends the list, as the problem says; it is fetched again when it is looked at.
func (l *list) drop(problem string) {
	l.loading, l.fresh, l.page, l.gone = false, nil, nil, true
	l.Coming, l.freshSize = nil, 0
	l.Problem, l.Remedy = problem, Remedy{}
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

// onConnectionEnd ends what was being fetched when the connection ended. A cursor is good for its own session
// only (SRV-29; server/utilities/pagination).
func (g *catalog) onConnectionEnd() {
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

// dependsOnLogin reports whether something is shown of the list that may be for the one who
// is logged in.
func (l *list) dependsOnLogin() bool {
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
	return l.dependsOnLogin()
}

// checkOrder tells of tools that come in another order than before, although they are the same:
// what keeps a prompt in its cache is gone with that (SRV-20; server/tools).
func (g *catalog) checkOrder(before, now []mcp.Item) {
	if !g.conn.rev.IsModern() || len(before) != len(now) {
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
	if u.resubscription.times == 0 {
		return
	}
	for k := range mcp.NumLists {
		l := &g.lists[k]
		l.changed = l.changed || u.agreed.Tells(k)
	}
	g.scheduleRefresh()
}

// listStep is what follows from an answer for a list. The zero value: nothing does.
//
//shape:part of catalog
type listStep struct {
	ask    bool   // the next page is to be asked for, or the first one again, …
	params []byte // … with these parameters
	over   bool   // nothing more comes of it
	came   bool   // … and what came has taken the place of what was shown
}

// begin has a list fetched from its first page, and returns the parameters for that.
// What is shown stays until the last page has come.
func (g *catalog) begin(k mcp.ListKind) (params []byte) {
	l := &g.lists[k]
	l.fresh, l.changed, l.gone, l.loading, l.pages, l.freshSize = nil, false, false, true, 0, 0
	l.Coming, l.unfit, l.faults = nil, 0, listFaults{}
	g.timers.Stop(onList(dueShow, k))
	l.Complete = false
	return g.page(k, nil)
}

// page returns the parameters of the request for the page at a cursor; nil: the first.
func (g *catalog) page(k mcp.ListKind, cursor []byte) (params []byte) {
	l := &g.lists[k]
	l.next = nil
	g.timers.Stop(onList(duePage, k))
	if l.cursor = cursor; cursor != nil {
		params = append(append([]byte(`{"cursor":`), cursor...), '}')
	}
	return params
}

// notePageRequest notes the request for the page that is awaited.
func (g *catalog) notePageRequest(k mcp.ListKind, r *request) { g.lists[k].page = r }

// onAnswer takes the answer to the request for a page. Credentials are the remedy where
// they are what is missing.
func (g *catalog) onAnswer(r *request, f *mcp.Frame, credentials Remedy) listStep {
	l := &g.lists[r.list]
	if l.page != r {
		return listStep{} // of a list that is being fetched anew
	}
	g.rev++
	l.Problem, l.Remedy = "", Remedy{}
	g.checkDeclared(r, f)
	switch {
	case f.Kind == mcp.FrameError && l.pages > 0 && f.Error.Code == mcp.CodeInvalidParams && !l.cursorRejected:
		g.event(fmt.Sprintf("the server rejected its own cursor after page %d of the %s: they are fetched anew from page 1", l.pages, r.list))
		l.cursorRejected = true
		return listStep{ask: true, params: g.begin(r.list)}
	case f.Kind == mcp.FrameError && l.pages > 0 && f.Error.Code == mcp.CodeInvalidParams:
		l.Problem, l.Remedy = fmt.Sprintf("the server rejected its own cursor after page %d", l.pages), Remedy{Kind: RemedyReload}
	case f.Kind == mcp.FrameError:
		l.Problem, l.Remedy = "refused: "+f.Error.Words(), credentials
	case g.conn.oddResult(f) != "":
		l.Problem = g.conn.oddResult(f)
	case f.Kind != mcp.FrameResult || f.List == nil || f.List.Kind != r.list:
		l.Problem = "the answer is no list of " + r.list.String()
	default:
		g.age(r.list, f.Cache)
		return g.onPage(r.list, f.List)
	}
	return g.publish(r.list, false)
}

// onListCancelled ends the fetching of a list whose request was cancelled: nothing will come
// of it, and a later change is to be fetched again.
func (g *catalog) onListCancelled(k mcp.ListKind) {
	if g.conn.phase == Disconnected {
		return
	}
	why := "fetching it was cancelled"
	if c := g.lists[k].page.call; c != nil && c.stop != nil && c.stop.By == cancel.ByTimeout {
		why = "the server did not answer in time, and " + why
	}
	if step := g.onBroken(g.lists[k].page, why, Remedy{}); k == mcp.Tools {
		g.stopped = step
	}
}

// onBroken ends the fetching of a list whose request got no answer.
func (g *catalog) onBroken(r *request, why string, can Remedy) listStep {
	l := &g.lists[r.list]
	if l.page != r {
		return listStep{} // of a list that is being fetched anew
	}
	g.rev++
	l.Problem, l.Remedy = why, can
	return g.publish(r.list, false)
}

func (g *catalog) onPage(k mcp.ListKind, page *mcp.ListPage) listStep {
	l := &g.lists[k]
	if !g.hasListRoom(k, page.Size) {
		return g.cut(k, fmt.Sprintf("page %d takes %s; the lists may take %s together", l.pages+1, sentence.Size(page.Size), sentence.Size(g.cfg.maxListBytes())))
	}
	repeats := page.Next != nil && bytes.Equal(page.Next, l.cursor)
	if repeats && sameItems(l.fresh[len(l.fresh)-l.last:], page.Items) {
		page.Items, page.Broken = nil, nil // the page came already
	}
	most := maxItems
	if k == mcp.Tools {
		most = maxTools
	}
	long := len(l.fresh)+len(page.Items) > most
	if long {
		page.Items = page.Items[:max(0, most-len(l.fresh))]
	}
	if k == mcp.Tools {
		g.learnTools(l, page.Items)
	}
	if len(l.fresh) == 0 { // the page is of no use to anybody else, and may be a long one
		l.fresh = page.Items
	} else {
		l.fresh = append(l.fresh, page.Items...)
	}
	l.last = len(page.Items)
	l.pages++
	l.freshSize += page.Size
	l.faults.add(l.pages, page.Broken)
	switch {
	case long:
		l.Problem = fmt.Sprintf("the list is too long; it was cut at %s", entries(most))
	case page.Next == nil:
	case repeats:
		l.Problem = "the server repeats the same cursor; the list may be incomplete"
		g.diagnose(mcp.DiagListPages, 0, k.String(), fmt.Sprintf("%s, page %d: the same cursor again", k.Method(), l.pages))
	case len(page.Next) > maxCursor:
		return g.cut(k, fmt.Sprintf("the cursor of page %d takes %s; belay sends at most %s back", l.pages+1, sentence.Size(len(page.Next)), sentence.Size(maxCursor)))
	case l.pages >= maxPages || len(l.fresh) >= most:
		l.Problem = fmt.Sprintf("the list does not end; it was cut at %s", entries(len(l.fresh)))
		g.diagnose(mcp.DiagListPages, 0, k.String(), fmt.Sprintf("%s, cut after %s", k.Method(), sentence.Count(l.pages, "page", "pages")))
	case l.pages >= swiftPages:
		l.next = page.Next
		g.timers.Set(onList(duePage, k), g.now.Add(pagePause))
		g.showSoon(k)
		return listStep{}
	default:
		g.showSoon(k)
		return listStep{ask: true, params: g.page(k, page.Next)}
	}
	g.updateAge(l)
	return g.publish(k, true)
}

func entries(n int) string { return sentence.Count(n, "entry", "entries") }

// cut ends a list that takes too much memory. What came of it stays, and all of the
// other lists.
func (g *catalog) cut(k mcp.ListKind, why string) listStep {
	l := &g.lists[k]
	l.Problem = fmt.Sprintf("the list was cut at %s: %s", entries(len(l.fresh)), why)
	g.diagnose(mcp.DiagListSize, 0, k.String(), k.Method()+": "+why)
	g.updateAge(l)
	return g.publish(k, true)
}

// publish ends the fetching of a list. The new items replace the old ones, unless the fetch ended
// early and a complete list exists: that list stays, and is called stale (SRV-44;
// server/utilities/caching).
func (g *catalog) publish(k mcp.ListKind, ended bool) listStep {
	l := &g.lists[k]
	l.Problem = l.faults.beside(l.Problem)
	l.Complete = l.Problem == ""
	l.loading = false
	came := ended || len(l.fresh) > 0 && l.Fetched.IsZero()
	l.Stale = !came && !l.Fetched.IsZero()
	if l.Coming != nil {
		l.fresh = slices.Clone(l.fresh) // what was shown of it never changes
	}
	l.Coming = nil
	g.timers.Stop(onList(dueShow, k))
	if !came {
		l.Coming = l.fresh
	} else {
		l.size, l.freshSize = l.freshSize, 0
		before := l.Items
		l.Items = l.fresh
		if k == mcp.Tools {
			g.outputs, g.tasks = nil, nil
			g.learnOutputs(l.Items)
			g.sortTools(l)
			g.checkOrder(before, l.Items)
			g.lintTools(l.Items)
		}
	}
	l.fresh = nil
	if l.changed {
		g.scheduleRefresh()
	}
	return listStep{over: true, came: came}
}

// refresh returns the lists that changed, and are to be fetched now. One that is being
// fetched is left for later.
func (g *catalog) refresh() (kinds []mcp.ListKind) {
	g.timers.Stop(once(dueRefresh))
	if g.conn.phase != Ready {
		return nil
	}
	g.refreshed = g.now
	again := false
	for k := range mcp.NumLists {
		switch l := &g.lists[k]; {
		case !l.changed:
		case l.loading:
			again = true
		default:
			kinds = append(kinds, k)
		}
	}
	if again {
		g.timers.Set(once(dueRefresh), g.now.Add(refreshPause))
	}
	return kinds
}
