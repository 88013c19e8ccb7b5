package session

import (
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
		s.catalog.lists[k].declare(declared[k])
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
	return unready(s.conn.phase, s.cfg.Transport)
}

func (in Reload) apply(s *Session) Reply {
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		if slices.Contains(in.Kinds, k) || len(in.Kinds) == 0 && l.Declared {
			l.outdate()
		}
	}
	s.refreshLists()
	return Reply{}
}

// fetchList asks for a list from its first page.
func (s *Session) fetchList(k mcp.ListKind) {
	s.catalog.lists[k].cursorRejected = false
	s.fetchPage(k, s.catalog.begin(k))
}

// fetchPage asks for a page of a list.
func (s *Session) fetchPage(k mcp.ListKind, params []byte) {
	c := s.newCall(CallSpec{Method: k.Method(), Params: params, Origin: FromBelay}, nil)
	s.catalog.notePageRequest(k, c.req)
}

// onList takes a page of a list that belay asked for.
func (s *Session) onList(r *request, f *mcp.Frame) {
	s.onListStep(r.list, s.catalog.onAnswer(r, f, s.cfg.wantsCredentials(s.http.via)))
}

// onListStep carries out what follows from an answer for a list, or from its end.
func (s *Session) onListStep(k mcp.ListKind, step listStep) {
	switch {
	case step.ask:
		s.fetchPage(k, step.params)
	case step.over && k == mcp.Tools:
		s.onRelisted(step.came)
	}
}

// settle runs after every input: it has the followers go on, and carries out what a list left to
// do whose request was cancelled meanwhile.
func (s *Session) settle() {
	if step := s.catalog.stopped; step.over {
		s.catalog.stopped = listStep{}
		s.onListStep(mcp.Tools, step)
	}
	s.driveFollowers()
}

// onListChanged fetches a list again, soon and once.
func (s *Session) onListChanged(f *mcp.Frame, declared bool, kinds ...mcp.ListKind) {
	if s.conn.rev.IsModern() {
		s.http.onDelivered(f) // what has changed is fetched all the same, whoever subscribed to it
	}
	if !declared {
		s.diagnose(mcp.DiagListUndeclared, 0, f.Method, sentence.Name(f.Method))
		return
	}
	for _, k := range kinds {
		s.catalog.lists[k].outdate()
	}
	s.catalog.scheduleRefresh()
}

// refreshLists fetches what changed.
func (s *Session) refreshLists() {
	for _, k := range s.catalog.refresh() {
		s.fetchList(k)
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

// otherLogin drops every list that the server does not call public: its entries may have been for
// the previous login only (SRV-40, SRV-41; server/utilities/caching). After a login they are
// fetched at once; after a logout that would begin the next login, so that they wait until
// somebody looks. The fields that a tool wants in the head stay until the next list: they are no
// answer that anybody is shown.
func (s *Session) otherLogin(in bool) {
	s.catalog.rev++
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		over := l.endsWithLogin()
		if l.dependsOnLogin() {
			l.forget()
		}
		if !over {
			continue
		}
		if page := l.page; l.loading && page.call.isWaiting() {
			l.abandonPage()
			s.stopCall(page.call, cancel.BySuperseded, "the list is fetched anew")
		}
		if in && s.conn.phase == Ready { // or else all of them are fetched when it is
			s.fetchList(k)
			continue
		}
		s.timers.Stop(onList(duePage, k))
		s.timers.Stop(onList(dueShow, k))
		l.drop("it was for the login that ended; it is fetched again when it is looked at")
		if k == mcp.Tools {
			s.onRelisted(false)
		}
	}
}

// Look says that the lists are looked at now. Those whose time is over are fetched again, as are
// those that were dropped with a login; before 2026-07-28 a list holds until it changes (SRV-39,
// SRV-42, SRV-43; server/utilities/caching).
type Look struct{ never }

func (Look) apply(s *Session) Reply {
	if s.conn.phase != Ready {
		return Reply{}
	}
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		expired := l.HasExpired(s.now) && (l.TTL > 0 || s.now.Sub(l.Fetched) >= leastAge)
		vain := l.looked.After(l.Fetched) && s.now.Sub(l.looked) < leastAge
		if l.Declared && !l.loading && !vain && (expired || l.gone) {
			s.catalog.rev++
			l.looked = s.now
			s.fetchList(k)
		}
	}
	return Reply{}
}

// onPageDue fetches the next page of a list that comes in many.
func (s *Session) onPageDue(k mcp.ListKind) {
	if s.conn.phase != Closing && s.conn.phase != Disconnected { // nothing would come of it
		s.fetchPage(k, s.catalog.page(k, s.catalog.lists[k].next))
	}
}

// onRelisted goes on with the calls that waited for the tools; came says that a
// list came.
func (s *Session) onRelisted(came bool) {
	l := &s.catalog.lists[mcp.Tools]
	if l.changed || l.loading {
		return
	}
	var waits []*call
	for c := s.rows.oldest; c != nil; c = c.next {
		if ro := c.round(); ro != nil && ro.relist {
			waits = append(waits, c)
		}
	}
	for _, c := range waits {
		s.onCallRelisted(c, l, came)
	}
}

func (s *Session) onCallRelisted(c *call, l *list, came bool) {
	ro := c.round()
	ro.relist = false
	var tool *mcp.Item
	for i := range l.Items {
		if l.Items[i].Name == c.target {
			tool = &l.Items[i]
			break
		}
	}
	why, can := "", Remedy{}
	switch {
	case !came:
		why, can = "the tools could not be fetched again: "+l.Problem, l.Remedy
	case tool == nil && s.catalog.mirrors.out[c.target] != "":
		why = "the tool was left out: " + s.catalog.mirrors.out[c.target]
	case tool == nil:
		why = "the server does not list the tool any more"
	case tool.Hints().ReadOnly.On:
		s.note(c, "made again with the fields of the new list, as the tool only reads")
		s.sendRound(c)
		return
	default:
		ro.awaitsRetry = true
		s.advise(c, "head and body differed; the tools were fetched again", Remedy{Kind: RemedyRepeat})
		return
	}
	o := s.results.takeHeld(c, advising("head and body differ, and "+why, can))
	s.incoming.abandonWait(c, why)
	s.move(c, o)
}
