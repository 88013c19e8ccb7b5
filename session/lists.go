package session

import (
	"fmt"
	"time"
)

// catalog is what is known of the server's lists.
type catalog struct {
	lists     [NumLists]list
	rev       uint64
	refreshAt time.Time // when lists that changed are fetched again; zero: none did
	mirrors   mirrors
	refreshed time.Time // when that was done last
}

type list struct {
	List
	fresh   []Item // of the pages that came so far
	stale   bool   // it changed: to be fetched again
	loading bool
	pages   int
	bytes   int
	cursor  string
	ttl     time.Duration // of the pages that came so far, the shortest
	scope   string        // … and the strictest
	page    *request      // the one that is out
}

const (
	maxPages = 1000
	maxItems = 100_000
	// refreshPause keeps a server that announces changes without end from
	// making belay ask without end.
	refreshPause = time.Second
)

// fetchLists asks for every list that the server declares.
func (s *Session) fetchLists() {
	has := s.conn.server.Has
	declared := [NumLists]bool{Tools: has.Tools, Prompts: has.Prompts, Resources: has.Resources, Templates: has.Resources}
	s.catalog = catalog{rev: s.catalog.rev + 1}
	for k := range NumLists {
		s.catalog.lists[k].Declared = declared[k]
		if declared[k] {
			s.fetchList(k)
		}
	}
}

// Reload fetches every list that the server declares again, from its first
// page; one that is being fetched is fetched once more afterwards.
func (s *Session) Reload(now time.Time) error {
	if s.conn.phase != Ready {
		return refuse(RefuseNotReady, "not connected; there are no lists to fetch")
	}
	s.at(now)
	s.journal.reload(s.now)
	for k := range NumLists {
		s.catalog.lists[k].stale = s.catalog.lists[k].Declared
	}
	s.catalog.refreshAt = s.now
	s.refreshLists()
	return nil
}

func (s *Session) fetchList(k ListKind) {
	l := &s.catalog.lists[k]
	l.fresh, l.stale, l.loading, l.pages, l.bytes, l.cursor = nil, false, true, 0, 0, ""
	l.Complete = false
	s.fetchPage(k, nil)
}

func (s *Session) fetchPage(k ListKind, params []byte) {
	c := s.newCall(Call{Method: k.Method(), Params: params, Origin: FromBelay})
	c.req.isList, c.req.list = true, k
	s.catalog.lists[k].page = c.req
}

// onList takes a page of a list that belay asked for.
func (s *Session) onList(r *request, f *Frame) {
	l := &s.catalog.lists[r.list]
	if l.page != r {
		return // of a list that is being fetched anew
	}
	s.catalog.rev++
	l.Problem = ""
	switch {
	case f.Kind == FrameError && l.pages > 0 && f.Error.Code == codeInvalidParams:
		l.Problem = fmt.Sprintf("the server rejected its own cursor after page %d; :reload begins at page 1", l.pages)
	case f.Kind == FrameError:
		l.Problem = fmt.Sprintf("refused: %s (code %s)", f.Error.Message, f.Error.CodeRaw)
	case s.oddResult(f) != "":
		l.Problem = s.oddResult(f)
	case f.Kind != FrameResult || f.List == nil || f.List.Kind != r.list:
		l.Problem = "the answer is no list of " + r.list.String()
	default:
		s.age(r.list, f.Cache)
		s.onPage(r.list, f.List)
		return
	}
	l.loading = false
	s.publish(l)
}

func (s *Session) onPage(k ListKind, page *ListPage) {
	l := &s.catalog.lists[k]
	l.fresh = append(l.fresh, page.Items...)
	l.pages++
	for _, it := range page.Items {
		l.bytes += len(it.Raw)
	}
	for _, b := range page.Broken {
		l.Problem = b
	}
	more := page.HasNext
	switch {
	case more && page.NextCursor == l.cursor && l.pages > 1:
		l.Problem = "the server repeats the same cursor; the list may be incomplete"
		more = false
	case more && (l.pages >= maxPages || len(l.fresh) >= maxItems || l.bytes >= s.cfg.HistoryBytes):
		l.Problem = fmt.Sprintf("the list does not end; it was cut at %d entries", len(l.fresh))
		more = false
	}
	if more {
		l.cursor = page.NextCursor
		s.fetchPage(k, append(quote([]byte(`{"cursor":`), page.NextCursor), '}'))
		return
	}
	l.loading = false
	l.Complete = l.Problem == ""
	s.aged(l)
	s.publish(l)
}

// publish shows what was fetched in place of what was shown before.
func (s *Session) publish(l *list) {
	came := l.fresh != nil || l.Complete
	if came {
		l.Items = l.fresh
		if l == &s.catalog.lists[Tools] {
			s.sortTools(l)
		}
	}
	l.fresh = nil
	if l.stale {
		s.scheduleRefresh()
	}
	if l == &s.catalog.lists[Tools] {
		s.relisted(came)
	}
}

// listStopped ends the fetching of a list whose request was cancelled: nothing
// will come of it, and a later change is to be fetched again.
func (s *Session) listStopped(k ListKind) {
	if s.conn.phase == Disconnected {
		return
	}
	l := &s.catalog.lists[k]
	s.catalog.rev++
	l.loading = false
	l.Problem = "fetching it was cancelled"
	s.publish(l)
}

// listBroke ends the fetching of a list whose request got no answer.
func (s *Session) listBroke(k ListKind, why string) {
	l := &s.catalog.lists[k]
	s.catalog.rev++
	l.loading = false
	l.Problem = why
	s.publish(l)
}

// onListChanged fetches a list again, soon and once.
func (s *Session) onListChanged(f *Frame, declared bool, kinds ...ListKind) {
	if s.conn.rev.Modern() {
		s.onDelivered(f) // what has changed is fetched all the same, whoever subscribed to it
	}
	if !declared {
		s.diagnose(DiagListUndeclared, 0, f.Method, f.Method)
		return
	}
	for _, k := range kinds {
		s.catalog.lists[k].stale = true
	}
	s.scheduleRefresh()
}

func (s *Session) scheduleRefresh() {
	if !s.catalog.refreshAt.IsZero() {
		return
	}
	s.catalog.refreshAt = s.now.Add(refreshPause / 10)
	if next := s.catalog.refreshed.Add(refreshPause); next.After(s.catalog.refreshAt) {
		s.catalog.refreshAt = next
	}
}

// refreshLists fetches what changed, when the time for it has come.
func (s *Session) refreshLists() {
	if s.catalog.refreshAt.IsZero() || s.catalog.refreshAt.After(s.now) {
		return
	}
	s.catalog.refreshAt = time.Time{}
	if s.conn.phase != Ready {
		return
	}
	s.catalog.refreshed = s.now
	again := false
	for k := range NumLists {
		l := &s.catalog.lists[k]
		switch {
		case !l.stale:
		case l.loading:
			again = true
		default:
			s.fetchList(k)
		}
	}
	if again {
		s.catalog.refreshAt = s.now.Add(refreshPause)
	}
}

// lost ends what was being fetched when the connection ended.
func (c *catalog) lost() {
	c.refreshAt = time.Time{}
	c.rev++
	for i := range c.lists {
		if l := &c.lists[i]; l.loading {
			l.loading, l.fresh = false, nil
			l.Problem = "the connection ended while it was fetched"
		}
	}
}

// Catalog is a copy of the server's lists as far as they were fetched. Items
// are shared and never change.
func (s *Session) Catalog() Catalog {
	out := Catalog{Rev: s.catalog.rev}
	for k := range s.catalog.lists {
		l := s.catalog.lists[k].List
		l.Loading = s.catalog.lists[k].loading
		out.Lists[k] = l
	}
	return out
}
