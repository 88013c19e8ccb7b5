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

const (
	maxPages = 1000
	maxItems = 50_000 // which are moved when a page follows, under the lock
	maxTools = 20_000 // which are compared with each other, there as well
	// refreshPause keeps a server that announces changes without end from
	// making belay ask without end.
	refreshPause = time.Second
)

// fetchLists asks for every list that the server declares.
func (s *Session) fetchLists() {
	has := s.conn.server.Has
	declared := [mcp.NumLists]bool{mcp.Tools: has.Tools, mcp.Prompts: has.Prompts, mcp.Resources: has.Resources, mcp.Templates: has.Resources}
	s.catalog.reset()
	s.timers.StopAll(dueRefresh, duePage, dueShow)
	for k := range mcp.NumLists {
		s.catalog.lists[k].Declared = declared[k]
		if declared[k] {
			s.fetchList(k)
		}
	}
}

// Reload fetches every list that the server declares again, from its first
// page; one that is being fetched is fetched once more afterwards. Where lists
// are named, it is those alone, also if the server does not declare them
// (SRV-51).
type Reload struct {
	Kinds []mcp.ListKind `json:"kinds,omitempty"`
}

func (in Reload) check(s *Session) error {
	if s.conn.phase != Ready {
		return refuse(RefuseNotReady, "not connected; there are no lists to fetch")
	}
	return nil
}

func (in Reload) apply(s *Session) Reply {
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		if slices.Contains(in.Kinds, k) || len(in.Kinds) == 0 && l.Declared {
			l.changed = true
		}
	}
	s.refreshLists()
	return Reply{}
}

func (s *Session) fetchList(k mcp.ListKind) {
	s.catalog.lists[k].cursorRejected = false
	s.fetchPages(k)
}

// fetchPages asks for the first page. What is shown stays until the last one has
// come.
func (s *Session) fetchPages(k mcp.ListKind) {
	l := &s.catalog.lists[k]
	l.fresh, l.changed, l.gone, l.loading, l.pages, l.freshSize = nil, false, false, true, 0, 0
	l.Coming, l.unfit = nil, 0
	s.timers.Stop(onList(dueShow, k))
	l.Complete = false
	s.fetchPage(k, nil)
}

func (s *Session) fetchPage(k mcp.ListKind, cursor []byte) {
	l := &s.catalog.lists[k]
	l.next = nil
	s.timers.Stop(onList(duePage, k))
	var params []byte
	if l.cursor = cursor; cursor != nil {
		params = append(append([]byte(`{"cursor":`), cursor...), '}')
	}
	c := s.newCall(CallSpec{Method: k.Method(), Params: params, Origin: FromBelay})
	c.req.isList, c.req.list = true, k
	l.page = c.req
}

// onList takes a page of a list that belay asked for.
func (s *Session) onList(r *request, f *mcp.Frame) {
	l := &s.catalog.lists[r.list]
	if l.page != r {
		return // of a list that is being fetched anew
	}
	s.catalog.rev++
	l.Problem, l.Remedy = "", Remedy{}
	s.catalog.checkDeclared(r, f)
	switch {
	case f.Kind == mcp.FrameError && l.pages > 0 && f.Error.Code == mcp.CodeInvalidParams && !l.cursorRejected:
		s.event(fmt.Sprintf("the server rejected its own cursor after page %d of the %s: they are fetched anew from page 1", l.pages, r.list))
		l.cursorRejected = true
		s.fetchPages(r.list)
		return
	case f.Kind == mcp.FrameError && l.pages > 0 && f.Error.Code == mcp.CodeInvalidParams:
		l.Problem, l.Remedy = fmt.Sprintf("the server rejected its own cursor after page %d", l.pages), Remedy{Kind: RemedyReload}
	case f.Kind == mcp.FrameError:
		l.Problem, l.Remedy = "refused: "+f.Error.Words(), s.cfg.wantsCredentials(s.http.via)
	case s.conn.oddResult(f) != "":
		l.Problem = s.conn.oddResult(f)
	case f.Kind != mcp.FrameResult || f.List == nil || f.List.Kind != r.list:
		l.Problem = "the answer is no list of " + r.list.String()
	default:
		s.catalog.age(r.list, f.Cache)
		s.onPage(r.list, f.List)
		return
	}
	s.publish(r.list, false)
}

func (s *Session) onPage(k mcp.ListKind, page *mcp.ListPage) {
	l := &s.catalog.lists[k]
	if !s.catalog.listRoom(k, page.Size) {
		s.cutList(k, fmt.Sprintf("page %d takes %s; the lists may take %s together", l.pages+1, sentence.Size(page.Size), sentence.Size(s.cfg.maxListBytes())))
		return
	}
	repeats := page.Next != nil && bytes.Equal(page.Next, l.cursor)
	if repeats && sameItems(l.fresh[len(l.fresh)-l.last:], page.Items) {
		page.Items = nil // the page came already
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
		s.catalog.learnTools(l, page.Items)
	}
	if len(l.fresh) == 0 { // the page is of no use to anybody else, and may be a long one
		l.fresh = page.Items
	} else {
		l.fresh = append(l.fresh, page.Items...)
	}
	l.last = len(page.Items)
	l.pages++
	l.freshSize += page.Size
	for _, b := range page.Broken {
		l.Problem = b
	}
	switch {
	case long:
		l.Problem = fmt.Sprintf("the list is too long; it was cut at %d entries", most)
	case page.Next == nil:
	case repeats:
		l.Problem = "the server repeats the same cursor; the list may be incomplete"
		s.diagnose(mcp.DiagListPages, 0, k.String(), fmt.Sprintf("%s, page %d: the same cursor again", k.Method(), l.pages))
	case len(page.Next) > maxCursor:
		s.cutList(k, fmt.Sprintf("the cursor of page %d takes %s; belay sends at most %s back", l.pages+1, sentence.Size(len(page.Next)), sentence.Size(maxCursor)))
		return
	case l.pages >= maxPages || len(l.fresh) >= most:
		l.Problem = fmt.Sprintf("the list does not end; it was cut at %d entries", len(l.fresh))
		s.diagnose(mcp.DiagListPages, 0, k.String(), fmt.Sprintf("%s, cut after %d pages", k.Method(), l.pages))
	case l.pages >= swiftPages:
		l.next = page.Next
		s.timers.Set(onList(duePage, k), s.now.Add(pagePause))
		s.catalog.showSoon(k)
		return
	default:
		s.fetchPage(k, page.Next)
		s.catalog.showSoon(k)
		return
	}
	l.Complete = l.Problem == ""
	s.catalog.aged(l)
	s.publish(k, true)
}

func sameItems(a, b []mcp.Item) bool {
	return slices.EqualFunc(a, b, func(x, y mcp.Item) bool { return bytes.Equal(x.Raw, y.Raw) })
}

// publish ends the fetching of a list. The new items replace the old ones, unless
// the fetch ended early and a complete list exists: that list stays, and is called
// stale (SRV-44).
func (s *Session) publish(k mcp.ListKind, ended bool) {
	l := &s.catalog.lists[k]
	l.loading = false
	came := ended || len(l.fresh) > 0 && l.Fetched.IsZero()
	l.Stale = !came && !l.Fetched.IsZero()
	tools := k == mcp.Tools
	if l.Coming != nil {
		l.fresh = slices.Clone(l.fresh) // what was shown of it never changes
	}
	l.Coming = nil
	s.timers.Stop(onList(dueShow, k))
	if !came {
		l.Coming = l.fresh
	} else {
		l.size, l.freshSize = l.freshSize, 0
		before := l.Items
		l.Items = l.fresh
		if tools {
			s.catalog.outputs = nil
			s.catalog.learnOutputs(l.Items)
			s.catalog.sortTools(l)
			s.catalog.checkOrder(before, l.Items)
			s.catalog.lintTools(l.Items)
		}
	}
	l.fresh = nil
	if l.changed {
		s.catalog.scheduleRefresh()
	}
	if tools {
		s.onRelisted(came)
	}
}

// onListStopped ends the fetching of a list whose request was cancelled: nothing
// will come of it, and a later change is to be fetched again.
func (s *Session) onListStopped(k mcp.ListKind) {
	if s.conn.phase != Disconnected {
		s.onListBroken(s.catalog.lists[k].page, "fetching it was cancelled", Remedy{})
	}
}

// onListBroken ends the fetching of a list whose request got no answer.
func (s *Session) onListBroken(r *request, why string, can Remedy) {
	l := &s.catalog.lists[r.list]
	if l.page != r {
		return // of a list that is being fetched anew
	}
	s.catalog.rev++
	l.Problem, l.Remedy = why, can
	s.publish(r.list, false)
}

// onListChanged fetches a list again, soon and once.
func (s *Session) onListChanged(f *mcp.Frame, declared bool, kinds ...mcp.ListKind) {
	if s.conn.rev.Modern() {
		s.http.onDelivered(f) // what has changed is fetched all the same, whoever subscribed to it
	}
	if !declared {
		s.diagnose(mcp.DiagListUndeclared, 0, f.Method, sentence.Name(f.Method))
		return
	}
	for _, k := range kinds {
		s.catalog.lists[k].changed = true
	}
	s.catalog.scheduleRefresh()
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

// refreshLists fetches what changed.
func (s *Session) refreshLists() {
	s.timers.Stop(once(dueRefresh))
	if s.conn.phase != Ready {
		return
	}
	s.catalog.refreshed = s.now
	again := false
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		switch {
		case !l.changed:
		case l.loading:
			again = true
		default:
			s.fetchList(k)
		}
	}
	if again {
		s.timers.Set(once(dueRefresh), s.now.Add(refreshPause))
	}
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

// Catalog is a copy of the server's lists as far as they were fetched. Items
// are shared and never change.
func (s *Session) Catalog() CatalogView {
	out := CatalogView{Rev: s.catalog.rev}
	for k := range s.catalog.lists {
		l := s.catalog.lists[k].ListView
		if page := s.catalog.lists[k].page; s.catalog.lists[k].loading {
			l.Loading = true
			if page != nil {
				l.Page = page.call.id
			}
		}
		l.ByHand = l.Declared && !s.http.hearsListChanges(mcp.ListKind(k))
		out.Lists[k] = l
	}
	return out
}

// otherLogin drops what the server may have told only the one who was logged in
// before: every list that it does not call public (SRV-40, SRV-41). After a login
// they are fetched at once; after a logout that would begin the next login, so
// that they wait until somebody looks. The fields that a tool wants in the head
// stay until the next list: they are no answer that anybody is shown.
func (s *Session) otherLogin(in bool) {
	s.catalog.rev++
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		over := l.endsWithLogin()
		if l.ofLogin() {
			l.Items, l.Excluded, l.Coming, l.size = nil, nil, nil, 0
			l.Complete, l.Stale, l.Fetched = false, false, time.Time{}
		}
		if !over {
			continue
		}
		if page := l.page; l.loading && page.call.isWaiting() {
			l.page = nil
			s.stopCall(page.call, cancel.BySuperseded, "the list is fetched anew")
		}
		if in && s.conn.phase == Ready { // or else all of them are fetched when it is
			s.fetchList(k)
			continue
		}
		l.loading, l.fresh, l.page, l.gone = false, nil, nil, true
		l.Coming, l.freshSize = nil, 0
		s.timers.Stop(onList(duePage, k))
		s.timers.Stop(onList(dueShow, k))
		l.Problem, l.Remedy = "it was for the login that ended; it is fetched again when it is looked at", Remedy{}
		if k == mcp.Tools {
			s.onRelisted(false)
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
