package session

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

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

// Look says that the lists are looked at now. Those whose time is over are
// fetched again, as are those that were dropped with a login; before 2026-07-28 a
// list holds until it changes (SRV-39, SRV-42, SRV-43).
type Look struct{ never }

func (Look) apply(s *Session) Reply {
	if s.conn.phase != Ready {
		return Reply{}
	}
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		expired := l.Expired(s.now) && (l.TTL > 0 || s.now.Sub(l.Fetched) >= leastAge)
		vain := l.looked.After(l.Fetched) && s.now.Sub(l.looked) < leastAge
		if l.Declared && !l.loading && !vain && (expired || l.gone) {
			s.catalog.rev++
			l.looked = s.now
			s.fetchList(k)
		}
	}
	return Reply{}
}

// cutList ends a list that takes too much memory. What came of it stays, and all
// of the other lists.
func (s *Session) cutList(k mcp.ListKind, why string) {
	l := &s.catalog.lists[k]
	l.Problem = fmt.Sprintf("the list was cut at %d entries: %s", len(l.fresh), why)
	s.diagnose(mcp.DiagListSize, 0, k.String(), k.Method()+": "+why)
	s.catalog.aged(l)
	s.publish(k, true)
}

// onPageDue fetches the next page of a list that comes in many.
func (s *Session) onPageDue(k mcp.ListKind) {
	if s.conn.phase != Closing && s.conn.phase != Disconnected { // nothing would come of it
		s.fetchPage(k, s.catalog.lists[k].next)
	}
}
