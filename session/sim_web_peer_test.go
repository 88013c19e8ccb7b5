package session

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// site is the HTTP side of the model server. What it says about a request, and
// when, is the business of the peer; here is on what it says it, and how that
// breaks.
type site struct {
	old       *pipe  // the one stream of 2024-11-05, once it is open
	twoEnds   bool   // it has only that
	session   string // the ID that it gave last; empty: it has no sessions
	sessions  int
	keeps     bool // it has sessions
	forgetful bool // which it ends soon
	lostBy400 bool // it says by 400, and not by 404, that it does not know one
	locked    bool // it wants a login
	refuses   int  // one of so many exchanges is refused
	cuts      int  // one of so many streams is cut
	ids       bool // its events have IDs
	pipes     []*pipe
}

// pipe is the way by which what belongs to one request comes: the exchange of
// its POST, and those that take up its stream.
type pipe struct {
	n      uint64 // of the first exchange
	wire   *wire
	json   bool
	events int
	missed []string // what was to be said while there was no exchange
}

func newSite(rng *rand.Rand) *site {
	return &site{
		twoEnds: rng.IntN(10) == 0, keeps: rng.IntN(3) > 0, locked: rng.IntN(6) == 0,
		refuses: pick(rng, 6, 20, 1000), cuts: pick(rng, 3, 6, 1000), ids: rng.IntN(4) > 0,
	}
}

// forgets ends the session at the server: who names it hears 404.
func (s *site) forgets() { s.session = "" }

// stream is the exchange of a pipe, if events can come on it.
func (l *pipe) stream() (ExchangeID, bool) {
	if l == nil || l.wire == nil || l.wire.over || !l.wire.opened || !l.wire.head.isSuccess() || !l.wire.head.streams() {
		return ExchangeID{}, false
	}
	return l.wire.out.X, true
}

func (s *site) newPipe(k *wire) *pipe {
	k.pipe = &pipe{n: k.out.X.N, wire: k}
	s.pipes = append(s.pipes, k.pipe)
	return k.pipe
}

// nextID is that of the next event.
func (l *pipe) nextID() *string {
	l.events++
	id := fmt.Sprintf("ev-%d-%d", l.n, l.events)
	return &id
}

// after has something happen later.
func (p *peer) after(d time.Duration, act func()) {
	p.queue = append(p.queue, packet{due: p.w.now.Add(d), act: act})
}

// readOn takes an exchange that was begun.
func (p *peer) readOn(k *wire) {
	s := p.site
	if s.forgetful && k.session != "" && p.rng.IntN(3) == 0 {
		s.forgets()
	}
	switch {
	case k.session != "" && k.session != s.session:
		if s.lostBy400 {
			p.refuse(k, 400, lostAnswer)
			return
		}
		p.refuse(k, 404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
	case s.locked && p.rng.IntN(2) == 0:
		p.challenge(k)
	case k.out.Op == OpOpen:
		p.get(k)
	case k.out.Awaits:
		p.posted(k)
	default:
		p.taken(k)
	}
}

// challenge wants a login, or one more right.
func (p *peer) challenge(k *wire) {
	h := pick(p.rng, Head{Status: 401, Challenge: []string{"Bearer"}}, Head{Status: 401}, Head{Status: 401, Challenge: []string{"Basic"}},
		Head{Status: 403, Challenge: []string{`Bearer error="insufficient_scope"`}})
	if k.out.Op != OpWrite || !k.out.Awaits {
		h = Head{Status: 401}
	}
	p.after(pick(p.rng, 0, time.Millisecond), func() { p.refused(k, h, "") })
}

// refuse answers with a status of failure, and perhaps with a message.
func (p *peer) refuse(k *wire, status int, bodies ...string) {
	body := pick(p.rng, append(bodies, "", "no")...)
	p.after(pick(p.rng, 0, time.Millisecond, 600*time.Millisecond), func() { p.refused(k, Head{Status: status, Media: mediaJSON}, body) })
}

func (p *peer) refused(k *wire, h Head, body string) {
	p.w.opened(k, h)
	end := End{}
	if strings.HasPrefix(body, "{") && !k.over {
		p.w.receive(k.out.X, []byte(body))
	} else {
		end.Body = body
	}
	p.w.ended(k, end)
}

// taken is a notification, an answer or a cancel, which awaits no message.
func (p *peer) taken(k *wire) {
	h := Head{Status: pick(p.rng, 202, 202, 202, 202, 202, 202, 200, 204)}
	delay := pick(p.rng, 0, 0, time.Millisecond, 80*time.Millisecond, 3*time.Second)
	if p.rng.IntN(p.site.refuses) == 0 {
		switch p.rng.IntN(4) {
		case 0: // it is never answered
			return
		case 1:
			p.after(delay, func() { p.w.ended(k, End{Err: "the connection was reset"}) })
			return
		}
		h.Status = pick(p.rng, 400, 404, 405, 500, 503)
	}
	if h.isSuccess() {
		p.pipe = nil
		p.read(k.out.Data)
	}
	end := End{}
	p.after(delay, func() { p.w.opened(k, h) })
	if h.isSuccess() && p.rng.IntN(6) == 0 {
		end = p.bodyOfNotice(k, delay)
	}
	p.after(delay+pick(p.rng, 0, 0, time.Millisecond, time.Minute), func() { p.w.ended(k, end) })
}

// bodyOfNotice says something in the answer to what awaits none.
func (p *peer) bodyOfNotice(k *wire, delay time.Duration) End {
	if p.rng.IntN(3) == 0 {
		return End{Body: pick(p.rng, "Accepted", "{}")}
	}
	var m struct {
		Params struct {
			ID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	_ = json.Unmarshal(k.out.Data, &m)
	line := `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`
	if id := m.Params.ID; id != nil {
		line = pick(p.rng, line, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, id), fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32800,"message":"Request cancelled"}}`, id))
	}
	p.after(delay, func() {
		if k.opened && !k.over {
			p.w.receive(k.out.X, []byte(line))
		}
	})
	return End{}
}

// posted is a request.
func (p *peer) posted(k *wire) {
	s := p.site
	var m message
	_ = json.Unmarshal(k.out.Data, &m)
	opening := m.method() == "initialize" || m.method() == "server/discover"
	odds := s.refuses
	if opening {
		odds = 3 * s.refuses
	}
	switch {
	case s.twoEnds && k.out.URL == "":
		p.refuse(k, pick(p.rng, 404, 405, 400))
		return
	case p.rng.IntN(odds) == 0:
		p.refuseRequest(k, m)
		return
	case s.twoEnds:
		p.after(pick(p.rng, 0, time.Millisecond), func() { p.w.opened(k, Head{Status: 202}); p.w.ended(k, End{}) })
		p.pipe = s.old
	default:
		p.pipe = s.newPipe(k)
		p.pipe.json = p.rng.IntN(3) == 0
		p.opens(p.pipe)
	}
	p.read(k.out.Data)
	p.pipe = nil
}

// refuseRequest does something else about a request than to answer it.
func (p *peer) refuseRequest(k *wire, m message) {
	switch p.rng.IntN(6) {
	case 0:
		p.after(time.Millisecond, func() { p.refused(k, Head{Status: 202}, "") })
	case 1:
		p.after(time.Millisecond, func() { p.refused(k, Head{Status: 200, Media: "text/html"}, "<h1>It works!</h1>") })
	case 2:
		p.after(pick(p.rng, 0, 100*time.Millisecond), func() { p.w.ended(k, End{Err: "the connection was reset"}) })
	case 3:
		p.after(time.Millisecond, func() { p.refused(k, Head{Status: 200, Media: pick(p.rng, mediaJSON, mediaStream)}, "") })
	default:
		p.refuse(k, pick(p.rng, 400, 404, 405, 429, 500, 503),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"no"}}`, m["id"]),
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}`, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request"}}`)
	}
}

// opens has the head of an answer come, and perhaps its stream break.
func (p *peer) opens(l *pipe) {
	k := l.wire
	if !l.json {
		p.after(pick(p.rng, 0, 0, time.Millisecond, 100*time.Millisecond, 2*time.Second), func() { p.head(l, k) })
	}
	if p.rng.IntN(p.site.cuts) > 0 {
		return
	}
	p.after(pick(p.rng, 0, 10*time.Millisecond, 150*time.Millisecond, time.Second), func() {
		if x, ok := l.stream(); ok && l.wire == k && p.rng.IntN(3) > 0 {
			p.w.event(p.w.web.wireOf(x), Event{ID: l.nextID(), Retry: pick(p.rng, -1, 0, 50*time.Millisecond, 4*time.Second)})
		}
		end := End{Err: "the connection was reset"}
		if k.opened && p.rng.IntN(2) == 0 {
			end.Err = ""
		}
		p.w.ended(k, end)
	})
}

// head opens the exchange of a pipe. The one of initialize gives the session.
func (p *peer) head(l *pipe, k *wire) {
	if k.over || k.opened {
		return
	}
	h := Head{Status: 200, Media: mediaStream}
	if l.json {
		h.Media = mediaJSON
	}
	if p.rng.IntN(30) == 0 {
		h.At = "http://peer.test/elsewhere"
	}
	if s := p.site; s.keeps && strings.Contains(string(k.out.Data), `"method":"initialize"`) {
		s.sessions++
		s.session = fmt.Sprintf("session-%d", s.sessions)
		if h.Session = s.session; p.rng.IntN(50) == 0 {
			h.Session = "a b"
		}
		if p.rng.IntN(10) == 0 {
			h.Sessions = 2
		}
	}
	p.w.opened(k, h)
}

// deliver brings a line on its pipe; sometimes on somebody else's.
func (p *peer) deliver(l *pipe, line string) {
	w := p.w
	if l == nil {
		return
	}
	k, answers := l.wire, !strings.Contains(line, `"method"`)
	if k == nil || k.over {
		l.missed = append(l.missed, line)
		return
	}
	if p.head(l, k); k.over || !k.head.isSuccess() {
		return
	}
	to := k
	if other := w.someStream(p.rng.Uint64()); other != nil && p.rng.IntN(25) == 0 {
		to = other
	}
	switch {
	case !to.head.streams() && !answers:
		if p.odd.IntN(4) == 0 {
			w.receive(to.out.X, []byte(line))
			w.ended(to, End{})
		}
		return
	case to.head.streams() && p.site.ids && p.rng.IntN(2) == 0:
		if p.rng.IntN(12) == 0 {
			to.pipe.events = max(0, to.pipe.events-1) // the one before comes again
		}
		w.event(to, Event{ID: to.pipe.nextID(), Retry: pick(p.rng, -1, -1, 20*time.Millisecond)})
	}
	w.receive(to.out.X, []byte(line))
	switch {
	case !answers || l == p.site.old:
	case !to.head.streams():
		w.ended(to, End{})
	case p.rng.IntN(8) > 0:
		p.after(pick(p.rng, 0, 0, 30*time.Millisecond, 6*time.Second), func() { w.ended(k, End{}) })
	}
}

// get is a GET: for what belongs to no request, for a stream that broke, or for
// the one stream of 2024-11-05.
func (p *peer) get(k *wire) {
	s := p.site
	wait := pick(p.rng, 0, 0, 20*time.Millisecond, time.Second)
	last := field(k.out, headerLastID)
	i := slices.IndexFunc(s.pipes, func(l *pipe) bool { return strings.HasPrefix(last, fmt.Sprintf("ev-%d-", l.n)) })
	switch odd := p.rng.IntN(s.refuses) == 0 || p.rng.IntN(12) == 0; {
	case i >= 0 && p.rng.IntN(2) == 0:
		p.challenge(k)
	case s.twoEnds && last == "" && !odd:
		p.after(wait, func() { p.oldStream(k) })
	case odd && p.rng.IntN(3) == 0:
		p.after(wait, func() { p.w.ended(k, End{Err: "the connection was reset"}) })
	case odd:
		p.after(wait, func() {
			p.refused(k, pick(p.rng, Head{Status: 405}, Head{Status: 404}, Head{Status: 500}, Head{Status: 200, Media: "text/html"}), "")
		})
	case i >= 0:
		p.after(wait, func() { p.takesUp(s.pipes[i], k) })
	case p.rng.IntN(4) == 0:
		p.after(wait, func() { p.refused(k, Head{Status: 405}, "") })
	default:
		p.opens(s.newPipe(k))
	}
}

// takesUp goes on with a stream that broke.
func (p *peer) takesUp(l *pipe, k *wire) {
	if k.over {
		return
	}
	l.wire, k.pipe = k, l
	missed := l.missed
	l.missed = nil
	if p.odd.IntN(8) == 0 {
		p.w.opened(k, Head{Status: 200, Media: mediaJSON})
		line := `{"jsonrpc":"2.0","method":"notifications/x"}`
		if len(missed) > 0 {
			line = missed[0]
		}
		p.w.receive(k.out.X, []byte(line))
		p.w.ended(k, End{})
		return
	}
	p.w.opened(k, Head{Status: 200, Media: mediaStream})
	if p.rng.IntN(4) == 0 { // it breaks again
		p.after(pick(p.rng, 0, time.Millisecond, 700*time.Millisecond), func() { p.w.ended(k, End{Err: pick(p.rng, "", "the connection was reset")}) })
	}
	for _, line := range missed {
		p.deliver(l, line)
	}
}

// oldStream opens the one stream, and says where to post to.
func (p *peer) oldStream(k *wire) {
	if k.over {
		return
	}
	p.site.old = p.site.newPipe(k)
	p.w.opened(k, Head{Status: 200, Media: mediaStream})
	if p.odd.IntN(8) == 0 { // it names no endpoint
		return
	}
	to := pick(p.rng, "/messages", "/messages", "/messages", "/messages", "/messages?session=1", "http://peer.test/m", "http://evil.test/m")
	p.after(pick(p.rng, 0, 5*time.Millisecond), func() {
		if !k.over {
			p.w.event(k, Event{Name: "endpoint", Retry: -1, Data: to})
		}
	})
	if p.rng.IntN(5) == 0 {
		p.after(pick(p.rng, 50*time.Millisecond, 3*time.Second, 30*time.Second), func() { p.w.ended(k, End{Err: pick(p.rng, "", "the connection was reset")}) })
	}
}

// restarts has everything break that is open; what comes then is served.
func (p *peer) restarts() {
	for _, k := range slices.Clone(p.w.web.wires) {
		if k.begun {
			p.w.ended(k, End{Err: "the connection was reset"})
		}
	}
	p.site.forgets()
}
