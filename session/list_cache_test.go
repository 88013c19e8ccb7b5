package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// listingWeb is a rig over HTTP in 2026-07-28, or in a revision of the handshake,
// whose server has tools and prompts; the requests for them are out.
func listingWeb(t testing.TB, rev mcp.Revision) *webRig {
	return servingWeb(t, rev, `{"tools":{},"prompts":{}}`, withLogin, withoutListening)
}

// entry answers the latest request for a list, with one entry.
func (w *webRig) entry(kind mcp.ListKind, entry, hints string) {
	w.t.Helper()
	w.answerList(kind, `,"resultType":"complete"`+hints, fmt.Sprintf(`{"name":%q}`, entry))
}

// shown are the names of the entries of both lists.
func (w *webRig) shown() string {
	var all []string
	for _, l := range w.s.Catalog().Lists {
		for _, it := range l.Items {
			all = append(all, it.Name)
		}
	}
	return strings.Join(all, " ")
}

const (
	publicHint  = `,"ttlMs":60000,"cacheScope":"public"`
	privateHint = `,"ttlMs":60000,"cacheScope":"private"`
)

// relog has the server want a login for a call, and logs in.
func (w *webRig) relog() {
	w.t.Helper()
	_, out := w.tool("guarded")
	w.refuse(out.X, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
}

// What is kept of an answer is shown for the list that it answers, and for no
// other request: everything else that is asked is asked of the server, each time.
func TestAnAnswerIsKeptForItsOwnRequest(t *testing.T) {
	requirements.Rows(t, "SRV-40")
	w := listingWeb(t, mcp.Rev20260728)
	w.entry(mcp.Tools, "a", publicHint)
	w.entry(mcp.Prompts, "p", publicHint)
	for _, method := range []string{"tools/list", "prompts/list", "resources/read", "server/discover"} {
		for _, params := range []string{`{}`, `{}`, `{"cursor":"2"}`, `{"uri":"file:///a"}`, `{"uri":"file:///b"}`} {
			before := w.count(OpWrite)
			id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: method, Params: []byte(params)}}))
			if err != nil {
				t.Fatal(err)
			}
			w.pump()
			if w.count(OpWrite) != before+1 {
				t.Fatalf("%s %s was not asked", method, params)
			}
			out := w.post(method)
			w.opened(out.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","tools":[{"name":"other"}],"prompts":[],"contents":[]%s}}`, mcp.Decode(out.Data).ID, publicHint)
			w.ended(out.X, End{})
			w.want(id, Done, cancel.NoVerdict)
		}
	}
	if w.shown() != "a p" {
		t.Errorf("shown: %s", w.shown())
	}
	t.Run("of another login", func(t *testing.T) {
		w := listingWeb(t, mcp.Rev20260728)
		w.entry(mcp.Tools, "a", privateHint)
		w.entry(mcp.Prompts, "p", publicHint)
		w.relog()
		if w.shown() != "p" || w.count(OpWrite, `"tools/list"`) != 2 || w.count(OpWrite, `"prompts/list"`) != 1 {
			t.Errorf("shown: %s, %d requests for tools", w.shown(), w.count(OpWrite, `"tools/list"`))
		}
	})
}

// What a server says to one login is not shown to the next one, unless it calls
// it public. After a logout nothing is asked until somebody looks.
func TestPrivateAnswersEndWithTheLogin(t *testing.T) {
	requirements.Rows(t, "SRV-41")
	for _, rev := range []mcp.Revision{mcp.Rev20260728, mcp.Rev20251125} {
		for hints, stays := range map[string]bool{publicHint: rev.IsModern(), privateHint: false, "": false} {
			t.Run(fmt.Sprintf("%s %s", rev, hints), func(t *testing.T) {
				want := ""
				if stays {
					want = "a p"
				}
				w := listingWeb(t, rev)
				w.entry(mcp.Tools, "a", hints)
				w.entry(mcp.Prompts, "p", hints)
				requests := w.count(OpWrite, "/list")
				w.s.Tell(w.now, LoggedOut{})
				w.pump()
				w.later(time.Minute - 1)
				if w.shown() != want || w.count(OpWrite, "/list") != requests {
					t.Errorf("after the logout: shown %q, %d requests", w.shown(), w.count(OpWrite, "/list")-requests)
				}
				if l := w.s.Catalog().Lists[mcp.Tools]; (l.Problem == "") != stays || l.Complete != stays || l.Stale {
					t.Errorf("after the logout: %+v", l)
				}
				for range 2 {
					w.s.Tell(w.now, Look{})
					w.pump()
				}
				if again := w.count(OpWrite, "/list") - requests; again != map[bool]int{true: 0, false: 2}[stays] {
					t.Errorf("looked at: %d requests", again)
				}

				w = listingWeb(t, rev)
				w.entry(mcp.Tools, "a", hints)
				w.entry(mcp.Prompts, "p", hints)
				w.relog()
				if w.shown() != want {
					t.Errorf("after the login: shown %q", w.shown())
				}
				if !stays {
					w.entry(mcp.Tools, "b", hints)
					w.entry(mcp.Prompts, "q", hints)
					if l := w.s.Catalog().Lists[mcp.Tools]; w.shown() != "b q" || !l.Complete || l.Problem != "" {
						t.Errorf("after the login: shown %q, %+v", w.shown(), l)
					}
				}
			})
		}
	}
}

// A list that is being fetched while the login changes is begun anew: its pages
// are all of one login.
func TestTheLoginChangesBetweenPages(t *testing.T) {
	const next = `,"nextCursor":"2"`
	w := listingWeb(t, mcp.Rev20260728)
	w.entry(mcp.Prompts, "p", publicHint)
	w.entry(mcp.Tools, "a", publicHint+next)
	w.relog()
	w.entry(mcp.Tools, "b", publicHint)
	if l := w.s.Catalog().Lists[mcp.Tools]; w.shown() != "b p" || !l.Complete {
		t.Errorf("shown %q: %+v", w.shown(), l)
	}

	// The second page is what wants the login.
	w = listingWeb(t, mcp.Rev20260728)
	w.entry(mcp.Prompts, "p", publicHint)
	w.entry(mcp.Tools, "a", publicHint+next)
	w.refuse(w.post("tools/list").X, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
	if out := w.post("tools/list"); strings.Contains(string(out.Data), "cursor") || w.count(OpWrite, `"tools/list"`) != 3 {
		t.Fatalf("posted %s", out.Data)
	}
	w.entry(mcp.Tools, "b", publicHint)
	if l := w.s.Catalog().Lists[mcp.Tools]; w.shown() != "b p" || !l.Complete || len(w.s.InFlight(nil, 10)) != 0 {
		t.Errorf("shown %q: %+v", w.shown(), l)
	}

	// The first one is: it is asked for once more, and its answer counts.
	w = listingWeb(t, mcp.Rev20260728)
	w.entry(mcp.Prompts, "p", publicHint)
	w.refuse(w.post("tools/list").X, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
	w.entry(mcp.Tools, "a", publicHint)
	if l := w.s.Catalog().Lists[mcp.Tools]; w.shown() != "a p" || !l.Complete || w.count(OpWrite, `"tools/list"`) != 2 {
		t.Errorf("shown %q: %+v", w.shown(), l)
	}

	// A logout ends what is being fetched.
	w = listingWeb(t, mcp.Rev20260728)
	w.entry(mcp.Prompts, "p", publicHint)
	late := w.post("tools/list")
	w.s.Tell(w.now, LoggedOut{})
	w.opened(late.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(late.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","tools":[{"name":"a"}]%s}}`, mcp.Decode(late.Data).ID, publicHint)
	w.ended(late.X, End{})
	if l := w.s.Catalog().Lists[mcp.Tools]; w.shown() != "p" || l.Loading {
		t.Errorf("shown %q: %+v", w.shown(), l)
	}
}

// A login on the way to the next connection drops the lists of the one before, and
// they are fetched when there is one.
func TestALoginBeforeTheNextConnection(t *testing.T) {
	w := listingWeb(t, mcp.Rev20260728)
	w.entry(mcp.Tools, "a", privateHint)
	w.entry(mcp.Prompts, "p", publicHint)
	w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{Err: "the network is away"}})
	w.epoch = w.s.Tell(w.now, Connect{}).Epoch
	w.pump()
	w.refuse(w.post("server/discover").X, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
	if w.shown() != "p" || w.count(OpWrite, "/list") != 2 || len(w.s.InFlight(nil, 10)) != 1 {
		t.Fatalf("shown %q, %d requests, in flight %+v", w.shown(), w.count(OpWrite, "/list"), w.s.InFlight(nil, 10))
	}
	w.agree(mcp.Rev20260728, `{"tools":{},"prompts":{}}`)
	w.entry(mcp.Tools, "b", privateHint)
	w.entry(mcp.Prompts, "q", publicHint)
	if w.shown() != "b q" || w.count(OpWrite, "/list") != 4 {
		t.Errorf("shown %q, %d requests", w.shown(), w.count(OpWrite, "/list"))
	}
}

// A list with a short time is old after it, and one that is old at once is not
// fetched at each look.
func TestShortTimes(t *testing.T) {
	for ttl, after := range map[int]time.Duration{1500: 1500 * time.Millisecond, 45_000: 45 * time.Second, 0: leastAge} {
		r := serving(t, mcp.Rev20260728, `{"tools":{}}`, withoutListening)
		r.lists(fmt.Sprintf(`,"resultType":"complete","ttlMs":%d,"cacheScope":"public"`, ttl))
		r.wait(after - 1)
		r.s.Tell(r.now, Look{})
		r.pull()
		before := r.sent(`"tools/list"`)
		r.wait(1)
		r.s.Tell(r.now, Look{})
		r.pull()
		if before != 1 || r.sent(`"tools/list"`) != 2 {
			t.Errorf("%d ms: %d requests before %v, %d after", ttl, before, after, r.sent(`"tools/list"`))
		}
	}
}

// Every answer that may be kept has to say for how long, and one that does not is
// not kept.
func TestEachMethodSaysHowLongItMayBeKept(t *testing.T) {
	requirements.Rows(t, "SRV-38")
	for method, result := range map[string]string{
		"tools/list": `"tools":[]`, "prompts/list": `"prompts":[]`, "resources/list": `"resources":[]`,
		"resources/templates/list": `"resourceTemplates":[]`, "resources/read": `"contents":[]`, "server/discover": `"supportedVersions":["2026-07-28"],"capabilities":{}`,
	} {
		for hints, found := range map[string]int{
			``: 1, `,"ttlMs":-1,"cacheScope":"public"`: 1, `,"ttlMs":"60","cacheScope":"public"`: 1, `,"ttlMs":60,"cacheScope":7`: 1, `,"ttlMs":60,"cacheScope":"public"`: 0,
		} {
			r := ready(t, mcp.Rev20260728)
			id, wire := r.made(CallSpec{Method: method, Params: []byte(`{"uri":"file:///a"}`)})
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s%s}}`, wire, result, hints)
			r.wantDiag(mcp.DiagCacheHint, found)
			if d, _ := r.s.Detail(id); found > 0 && !strings.Contains(hints, `"ttlMs":60,`) && d.Cache != nil {
				t.Errorf("%s%s: kept as %+v", method, hints, d.Cache)
			}
		}
	}
	r := opened(t, Config{Pin: mcp.Rev20260728})
	r.recv(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}`)
	r.wantReady(mcp.Rev20260728, negotiate.Pinned)
	r.wantDiag(mcp.DiagCacheHint, 1)
}

// A completion has a hundred values at most; more are told of.
func TestTooManyCompletions(t *testing.T) {
	requirements.Rows(t, "SRV-55")
	for values, found := range map[int]int{0: 0, 100: 0, 101: 1, 500: 1} {
		for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20260728} {
			r := ready(t, rev)
			id, wire := r.made(CallSpec{Method: "completion/complete", Params: []byte(`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}`)})
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","completion":{"values":[%s]}}}`, wire, strings.TrimSuffix(strings.Repeat(`"v",`, values), ","))
			r.want(id, Done, cancel.NoVerdict)
			r.wantDiag(mcp.DiagCompletions, found)
		}
	}
}
