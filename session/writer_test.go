package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// alonePen is a writer that stands alone, with the outbox that it writes into.
func (a *alone) alonePen() (*writer, *outbox) {
	out, own := &outbox{epoch: a.conn.epoch}, &outgoing{}
	out.init()
	own.init(1, false)
	return &writer{log: &a.log, cfg: &a.cfg, out: out, outgoing: own}, out
}

// queued is what waits in a class of the outbox.
func (o *outbox) queued(c class) (all []*pending) {
	for _, p := range o.queues[c].items {
		if p != nil && !p.gone {
			all = append(all, p)
		}
	}
	return all
}

// What a request says, by what it is for and by the revision.
func TestWhatARequestSays(t *testing.T) {
	for name, tt := range map[string]struct {
		rev     mcp.Revision
		spec    CallSpec
		waits   []byte // the call is made again, with these parameters
		class   class
		says    []string
		unsaid  []string
		isList  bool
		ownSign bool // the progress token is the user's
	}{
		"a call": {
			rev: mcp.Rev20251125, spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`), Origin: FromUser}, class: classRequest,
			says: []string{`"method":"tools/call"`, `"name":"t"`, `"progressToken":"belay-1"`}, unsaid: []string{"protocolVersion"},
		},
		"a call in the modern era": {
			rev: mcp.Rev20260728, spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`), Origin: FromUser}, class: classRequest,
			says: []string{metaVersion, metaCapabilities, `"progressToken":"belay-1"`},
		},
		"a call that declares more": {
			rev: mcp.Rev20260728, spec: CallSpec{Method: "tools/call", Origin: FromUser, Declare: []Capability{CapRoots}}, class: classRequest,
			says: []string{`"roots":{}`},
		},
		"a call without progress": {
			rev: mcp.Rev20251125, spec: CallSpec{Method: "tools/call", Origin: FromUser, NoProgress: true}, class: classRequest, unsaid: []string{"progressToken"},
		},
		"a call with a token of the user's": {
			rev: mcp.Rev20251125, spec: CallSpec{Method: "tools/call", Params: []byte(`{"_meta":{"progressToken":"mine"}}`), Origin: FromUser}, class: classRequest,
			says: []string{`"progressToken":"mine"`}, unsaid: []string{"belay-"}, ownSign: true,
		},
		"what the user wrote by hand": {
			rev: mcp.Rev20260728, spec: CallSpec{Method: "tools/call", Params: []byte(`{}`), Origin: FromUser, Raw: true}, class: classRequest,
			unsaid: []string{"_meta"},
		},
		"the call made again": {
			rev: mcp.Rev20251125, spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`), Origin: FromUser}, waits: []byte(`{"name":"again"}`), class: classRequest,
			says: []string{`"name":"again"`},
		},
		"the handshake": {
			rev: mcp.Rev20251125, spec: CallSpec{Method: methodInitialize, Params: []byte(`{}`), Origin: FromHandshake}, class: classHandshake,
			unsaid: []string{"_meta"},
		},
		"a page of a list": {
			rev: mcp.Rev20251125, spec: CallSpec{Method: "tools/list", Origin: FromBelay}, class: classRequest, isList: true,
		},
		"a list that the user asks for": {
			rev: mcp.Rev20251125, spec: CallSpec{Method: "tools/list", Origin: FromUser}, class: classRequest,
		},
	} {
		a := newAlone(tt.rev, mcp.Stdio)
		w, out := a.alonePen()
		if tt.rev.IsModern() {
			a.conn.era.Begin(origin, negotiate.Setup{Pin: tt.rev})
			w.redeclare(tt.rev)
		}
		c := &call{CallSpec: tt.spec}
		a.rows.add(c)
		if tt.waits != nil {
			c.wait, c.req = &wait{kind: pauseWait, params: tt.waits}, &request{}
		}
		r := w.request(c)
		all := out.queued(tt.class)
		if len(all) != 1 || all[0].req != r || c.req != r || r.out != all[0] || c.first != r.id || r.isList != tt.isList || r.ownToken != tt.ownSign {
			t.Errorf("%s: %d queued; the request %+v", name, len(all), r)
			continue
		}
		if used := !r.token.IsZero(); used != w.outgoing.hasToken(r.token) {
			t.Errorf("%s: the token %v is not in the table", name, r.token)
		}
		for _, part := range tt.says {
			if !strings.Contains(string(all[0].Data), part) {
				t.Errorf("%s: %s does not say %s", name, all[0].Data, part)
			}
		}
		for _, part := range tt.unsaid {
			if strings.Contains(string(all[0].Data), part) {
				t.Errorf("%s: %s says %s", name, all[0].Data, part)
			}
		}
	}
}

// How a cancel is written, when it leaves, and until when it can be taken back.
func TestHowACancelIsWritten(t *testing.T) {
	const none, note = "", `"method":"notifications/cancelled","params":{"requestId":7,"reason":"enough"}`
	for name, tt := range map[string]struct {
		transport mcp.Transport
		written   bool // the call's own last byte is out
		signal    cancel.Signal
		op        Op
		says      string
		held      bool // until the call is written
	}{
		"over stdio": {mcp.Stdio, true, cancel.Notify, OpWrite, note, false},
		"over stdio, the call is not written yet": {mcp.Stdio, false, cancel.Notify, OpWrite, note, false},
		"over HTTP":                                  {mcp.HTTP, true, cancel.Notify, OpWrite, note, false},
		"over HTTP, the call is not written yet":     {mcp.HTTP, false, cancel.Notify, OpWrite, note, true},
		"by closing the exchange":                    {mcp.HTTP, true, cancel.Abort, OpAbort, none, false},
		"of a subscription, by a request of its own": {mcp.Stdio, true, cancel.Unsubscribe, OpWrite, `"method":"resources/unsubscribe","params":{"uri":"file:///a"}`, false},
	} {
		a := newAlone(mcp.Rev20251125, tt.transport)
		w, out := a.alonePen()
		c := a.row("tools/call", 7)
		c.sub = &subscription{uri: "file:///a"}
		x := &exchange{x: ExchangeID{Epoch: 1, N: 4}}
		if tt.written {
			c.req.written = origin
		}
		write := func() {
			w.want(c, cancel.ByUser, "enough", tt.signal)
			switch tt.signal {
			case cancel.Abort:
				c.req.x = x
				w.cancelByClosing(c)
			case cancel.Unsubscribe:
				w.queueUnsubscribe(c)
			default:
				w.cancelByNote(c, "enough")
			}
		}
		write()
		if all := out.queued(classCancel); (len(all) == 0) != tt.held {
			t.Errorf("%s: %d queued", name, len(all))
		}
		if w.releaseCancel(c); tt.held && (len(out.queued(classCancel)) != 1 || c.stop.out.deferred) {
			t.Errorf("%s: it does not leave once the call is written", name)
		}
		if all := out.queued(classCancel); len(all) != 1 || all[0] != c.stop.out || all[0].Op != tt.op || !strings.Contains(string(all[0].Data), tt.says) || all[0].cancels != c {
			t.Errorf("%s: %+v", name, all)
			continue
		}
		if !w.takeBack(c) || len(out.queued(classCancel)) != 0 {
			t.Errorf("%s: it cannot be taken back", name)
		}
		write()
		w.releaseCancel(c)
		out.handOut(out.take([numClasses]bool{classCancel: true}), origin.Add(time.Second), false)
		if w.takeBack(c) || c.stop.order == 0 {
			t.Errorf("%s: it was taken back though its bytes are out", name)
		}
	}
}
