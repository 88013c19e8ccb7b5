package session

import (
	"strings"
	"testing"

	"belay/session/mcp"
)

// helps reports whether a failure tells what to do next.
func helps(f *Failure) bool { return f.Hint != "" || f.Remedy != (Remedy{}) }

// What can be done goes with the note that it is for: not with another one, and
// not with what a row in flight tells in place of its note.
func TestARemedyGoesWithItsNote(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("t")
	c := r.s.rows.get(id)
	want := Remedy{Kind: RemedyRestartIn, Revision: mcp.Rev20250618}
	r.s.advise(c, "held", want)
	d, _ := r.s.Detail(id)
	if last := d.Timeline[len(d.Timeline)-1]; d.Remedy != want || last.Text != "held" || last.Remedy != want {
		t.Fatalf("%v, %+v", d.Remedy, last)
	}
	for _, other := range []func(){
		func() { r.s.note(c, "goes on") },
		func() { c.say(saying("the connection ended")) },
	} {
		r.s.advise(c, "held", want)
		other()
		if row := r.row(id); row.Note == "held" || row.Remedy != (Remedy{}) {
			t.Errorf("%q: %v", row.Note, row.Remedy)
		}
	}
}

// An answer over the limit names the limit: in its row, and where it is found
// wrong.
func TestALongAnswerNamesTheLimit(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	var sk mcp.Skim
	sk.Write([]byte(`{"jsonrpc":"2.0","id":` + wire.String() + `,"result":{}}`))
	r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, sk.Frame())
	if row := r.row(id); row.State != Failed || !strings.HasPrefix(row.Note, "malformed response: ") || row.Remedy.Kind != RemedyLimit {
		t.Errorf("%v, %q, %v", row.State, row.Note, row.Remedy)
	}
	for _, g := range r.s.Diagnostics() {
		if (g.Remedy().Kind == RemedyLimit) != (g.Code == mcp.DiagOversize) {
			t.Errorf("%s: %v", g.Describe(), g.Remedy())
		}
	}
	r.wantDiag(mcp.DiagOversize, 1)
}

// A list that is refused for want of credentials says which, whether the refusal
// holds a message or not; without one the line of the history does as well. When
// the list has come, there is nothing to do.
func TestARefusedListNamesTheCredentials(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	h := Head{Status: 401, Challenge: []string{"Basic"}}
	for events, refuse := range []func(x ExchangeID){
		func(x ExchangeID) { w.refuse(x, h) },
		func(x ExchangeID) { w.opened(x, h); w.ended(x, End{}) },
	} {
		if _, err := w.s.Handle(w.now, Reload{Kinds: []mcp.ListKind{mcp.Tools}}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		refuse(w.post("tools/list").X)
		if l := w.s.Catalog().Lists[mcp.Tools]; l.Problem == "" || l.Remedy.Kind != RemedyBasic || w.eventRemedies()[RemedyBasic] != events {
			t.Errorf("%q, %v, %v", l.Problem, l.Remedy, w.eventRemedies())
		}
		w.later(refreshPause)
	}
	if _, err := w.s.Handle(w.now, Reload{Kinds: []mcp.ListKind{mcp.Tools}}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.list()
	if l := w.s.Catalog().Lists[mcp.Tools]; !l.Complete || l.Remedy != (Remedy{}) {
		t.Errorf("%q, %v", l.Problem, l.Remedy)
	}
}

// eventRemedies counts what the events of the history say can be done.
func (r *rig) eventRemedies() map[RemedyKind]int {
	n := map[RemedyKind]int{}
	first, last := r.s.HistorySpan()
	for _, e := range r.s.Entries(nil, first, int(last)) {
		if e.Kind == EntEvent && e.Remedy.Kind != 0 {
			n[e.Remedy.Kind]++
		}
	}
	return n
}

// The wire is pointed to where a message came. What is none stands in the words
// of the failure already: there the address may be wrong.
func TestWhatHelpsWhereThereIsSomethingElse(t *testing.T) {
	for _, tt := range []struct {
		head   Head
		remedy RemedyKind
		hint   string
	}{
		{Head{Status: 400, Media: mediaJSON}, RemedyWire, ""},
		{Head{Status: 418, Media: "text/html"}, 0, hintEndpoint},
		{Head{Status: 200, Media: "text/html"}, 0, hintEndpoint},
		{Head{Status: 302}, 0, hintEndpoint},
		{Head{Status: 302, Media: mediaJSON}, 0, hintEndpoint},
	} {
		w := newWebRig(t, func(c *Config) { c.Pin, c.NoSSE = mcp.Rev20251125, true })
		out := w.post("initialize")
		w.opened(out.X, tt.head)
		w.ended(out.X, End{Body: "<html>welcome"})
		if f := w.s.Status().Failure; f == nil || f.Remedy.Kind != tt.remedy || f.Hint != tt.hint {
			t.Errorf("%+v: %+v", tt.head, f)
		}
	}
}
