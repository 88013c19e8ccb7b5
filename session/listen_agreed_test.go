package session

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// What a subscription asks for is asked for once: to ask for more is another one.
func TestListeningTwice(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	id, wire := r.listens(mcp.Filter{Tools: true, URIs: []string{boardURI}})
	refused := func(f mcp.Filter) bool {
		_, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: methodListen, Params: f.Params()}})
		r.pull()
		return err != nil && strings.Contains(err.Error(), r.s.rows.get(id).name()+" subscribes to that already")
	}
	if !refused(mcp.Filter{URIs: []string{boardURI}}) || !refused(mcp.Filter{Tools: true}) || refused(mcp.Filter{Prompts: true}) {
		t.Error("before it is acknowledged")
	}
	r.recv(agreedNote, wire, `{"toolsListChanged":true}`)
	if !refused(mcp.Filter{Tools: true}) || refused(mcp.Filter{URIs: []string{boardURI}}) {
		t.Error("what the server did not agree to may be asked for again, and nothing else")
	}
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: methodListen, Params: mcp.Filter{Tools: true}.Params(), Raw: true}}); err != nil {
		t.Errorf("one that is written by hand: %v", err)
	}
	r.cancel(id, "")
	if refused(mcp.Filter{Tools: true, URIs: []string{boardURI}}) {
		t.Error("while the first is being ended")
	}
}

// A row says how much of what it asked for the server agreed to, and a server
// that agrees to nothing is not only said to have ended the subscription.
func TestAgreeingToLess(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	id, wire := r.listens(mcp.Filter{Tools: true, Prompts: true})
	r.recv(agreedNote, wire, `{"toolsListChanged":true}`)
	if row := r.row(id); row.Sub.Asked != 2 || row.Sub.Agreed != 1 {
		t.Errorf("%+v", row.Sub)
	}
	r.recv(finalAnswer, wire, wire)
	if n := r.row(id).Note; n != "ended by the server, with a result; the server did not agree to: prompts" {
		t.Errorf("note %q", n)
	}
	id, wire = r.listens(allLists)
	r.recv(agreedNote, wire, `{}`)
	r.recv(finalAnswer, wire, wire)
	if row := r.row(id); row.Sub.Asked != 3 || row.Sub.Agreed != 0 || !strings.HasSuffix(row.Note, "the server agreed to nothing of it") {
		t.Errorf("%+v, note %q", row.Sub, row.Note)
	}
}

// How long the texts of an acknowledgement are makes no work under the lock: what is said of them has a limit, and
// what does not fit is counted.
func TestALongAcknowledgement(t *testing.T) {
	const many = 5000
	took := func(size int) (memory uint64) {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.listens(mcp.Filter{Tools: true})
		var uris []string
		for i := range many {
			uris = append(uris, fmt.Sprintf(`"x:%d/%s"`, i, strings.Repeat("y", size)))
		}
		line := fmt.Sprintf(agreedNote, wire, `{"toolsListChanged":true,"resourceSubscriptions":[`+strings.Join(uris, ",")+`]}`)
		f := new(mcp.Decoder).DecodeOwned([]byte(line))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
		runtime.ReadMemStats(&after)
		if row := r.row(id); row.Sub.Agreed != 1 {
			t.Errorf("%+v", row.Sub)
		}
		d, _ := r.s.Detail(id)
		said := d.Timeline[slices.IndexFunc(d.Timeline, func(m MomentView) bool { return m.Kind == MomAgreed })].Text
		told := r.s.Diagnostics()[0].Detail
		shown := strings.Count(said, "x:")
		if !strings.HasPrefix(said, "tools, x:0/") || !strings.HasSuffix(said, fmt.Sprintf(" and %d more", many-shown)) || !strings.HasPrefix(told, "x:0/") || len(said) > 2*sentence.Limit {
			t.Errorf("%q, %q", said, told)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if short, long := took(10), took(2000); long > short+256<<10 {
		t.Errorf("an acknowledgement with long texts takes %d bytes, one with short ones %d", long, short)
	}
}

// What an acknowledgement says that is none is not taken for a refusal, and a
// proper one may still come; one that grants more than was asked for is told.
func TestAnAcknowledgementThatIsWrong(t *testing.T) {
	for said, why := range map[string]string{
		`"yes"`:                          "notifications is a string, not an object",
		`null`:                           "notifications is null, not an object",
		`{"toolsListChanged":"yes"}`:     "toolsListChanged is a string, not true or false",
		`{"resourceSubscriptions":true}`: "resourceSubscriptions is true, not a list",
		`{"resourceSubscriptions":["` + boardURI + `",7]}`: "resourceSubscriptions holds a number, not only strings",
	} {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.listens(mcp.Filter{Tools: true})
		r.recv(agreedNote, wire, said)
		r.wantDiag(mcp.DiagSubShape, 1)
		if row := r.row(id); row.Sub.Active || !row.Sub.Unreadable || row.Note != "its acknowledgement says nothing: "+why {
			t.Errorf("%s: %+v, note %q", said, row.Sub, row.Note)
		}
		r.recv(changedNote, "tools", wire)
		r.wait(time.Minute)
		r.wantDiag(mcp.DiagSubOrder, 0)
		if row := r.row(id); row.Sub.Updates != 1 || strings.Contains(row.Note, "no acknowledgement") {
			t.Errorf("%s: %+v, note %q", said, row.Sub, row.Note)
		}
		r.recv(agreedNote, wire, `{"toolsListChanged":true}`)
		r.wantDiag(mcp.DiagSubOrder, 0)
		if row := r.row(id); !row.Sub.Active || row.Sub.Unreadable || row.Sub.Agreed != 1 || row.Note != "" {
			t.Errorf("%s: %+v, note %q", said, row.Sub, row.Note)
		}
	}
	r := ready(t, mcp.Rev20260728)
	id, wire := r.listens(mcp.Filter{Tools: true})
	r.recv(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%v}}}`, wire)
	r.wantDiag(mcp.DiagSubShape, 1)
	r.recv(agreedNote, wire, `{"promptsListChanged":true,"resourceSubscriptions":["demo://other"],"resourcesListChanged":false}`)
	r.wantDiag(mcp.DiagSubMore, 1)
	if d, _ := r.s.Detail(id); d.Sub.Agreed != 0 || len(d.Agreed.Words()) != 0 || !strings.Contains(d.Note, "agreed to nothing") {
		t.Errorf("%+v, agreed to %v, note %q", d.Sub, d.Agreed.Words(), d.Note)
	}
	if !slices.ContainsFunc(r.s.Diagnostics(), func(d Diagnostic) bool { return d.Code == mcp.DiagSubMore && d.Detail == "prompts, demo://other" }) {
		t.Errorf("%+v", r.s.Diagnostics())
	}
}

// Nothing but the closing of the connection ends a subscription when belay
// leaves.
func TestLeavingEndsSubscriptions(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	id, _ := r.hearing(allLists)
	r.s.Tell(r.now, Quit{})
	r.pull()
	r.wantLines("CLOSE")
	r.closed()
	r.want(id, Done, cancel.NoVerdict) // nothing is lost that was to come
}

// A list whose changes the server does not tell of is fetched again by hand only.
func TestListsThatAreRefreshedByHand(t *testing.T) {
	requirements.Rows(t, "SUB-07")
	byHand := func(r *rig) (kinds []mcp.ListKind) {
		c := r.s.Catalog()
		for k := range mcp.NumLists {
			if c.Lists[k].ByHand {
				kinds = append(kinds, k)
			}
		}
		return kinds
	}
	r := serving(t, mcp.Rev20260728, `{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{}}`)
	if got := byHand(r); !slices.Equal(got, []mcp.ListKind{mcp.Tools, mcp.Prompts, mcp.Resources, mcp.Templates}) {
		t.Errorf("before anything is agreed to: %v", got)
	}
	own := r.own()
	r.recv(agreedNote, own.Wire, `{"toolsListChanged":true}`)
	if got := byHand(r); !slices.Equal(got, []mcp.ListKind{mcp.Prompts, mcp.Resources, mcp.Templates}) || !strings.Contains(r.row(own.ID).Note, "prompts") {
		t.Errorf("with one of two agreed to: %v, note %q", got, r.row(own.ID).Note)
	}
	r.recv(finalAnswer, own.Wire, own.Wire)
	if got := byHand(r); !slices.Contains(got, mcp.Tools) {
		t.Errorf("after its end: %v", got)
	}

	r = serving(t, mcp.Rev20251125, `{"tools":{"listChanged":true},"prompts":{}}`)
	if got := byHand(r); !slices.Equal(got, []mcp.ListKind{mcp.Prompts}) {
		t.Errorf("before the modern era: %v", got)
	}

	for _, none := range []bool{false, true} { // where there is no stream that the news could come on
		w := servingWeb(t, mcp.Rev20251125, `{"tools":{"listChanged":true}}`)
		if none {
			w.opened(w.gets()[0].X, Head{Status: 405})
		} else {
			w.stream(w.gets()[0].X)
		}
		if got := w.s.Catalog().Lists[mcp.Tools].ByHand; got != none {
			t.Errorf("no stream of the server's: %v; by hand: %v", none, got)
		}
	}
}
