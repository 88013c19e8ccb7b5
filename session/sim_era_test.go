package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// The simulator's two eras: what a server does about server/discover, and what
// the shadow knows of it.

// eraConduct is what the server does about the probe.
type eraConduct uint8

const (
	eraDual        eraConduct = iota // speaks both
	eraModern                        // speaks the modern one only
	eraLegacy                        // refuses the method, with whatever code
	eraEmpty                         // answers anything with a result that says nothing, or is of no known type
	eraSilent                        // says nothing to what it does not know
	eraSlow                          // is modern, and takes its time
	eraDies                          // ends on what it does not know
	eraListsLegacy                   // refuses the revision, and lists an older one
	eraListsFuture                   // … and lists one that nobody knows
	eraContradicts                   // … and lists the very same
	eraWantsMore                     // wants a capability that belay does not have
	numEraConducts
)

const (
	discoverAnswer = `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":%s,"capabilities":%s,"instructions":"be kind",` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}}`
	unsupportedAnswer = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":%s,"requested":"2026-07-28"}}}`
	noSuchMethod      = `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"Method not found"}}`
)

// discover is the first server/discover of a connection.
func (p *peer) discover(id string) {
	delay := pick(p.rng, 0, time.Millisecond, 200*time.Millisecond)
	switch p.era {
	case eraDual:
		p.say(delay, nil, discoverAnswer, id, `["2025-11-25","2026-07-28","2027-01-01"]`, p.caps)
	case eraModern:
		p.say(delay, nil, discoverAnswer, id, `["2026-07-28"]`, p.caps)
	case eraLegacy:
		p.say(delay, nil, noSuchMethod, id, pick(p.rng, -32601, -32602, -32000, 0, 42))
	case eraEmpty:
		p.say(delay, nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, pick(p.rng, `{}`, `{"resultType":"hologram","supportedVersions":["2026-07-28"]}`))
	case eraSlow:
		p.say(pick(p.rng, 600*time.Millisecond, 3100*time.Millisecond, 6*time.Second), nil, discoverAnswer, id, `["2026-07-28"]`, p.caps)
	case eraDies:
		p.queue = append(p.queue, parcel{due: p.w.now.Add(delay), dies: true})
	case eraListsLegacy:
		p.say(delay, nil, unsupportedAnswer, id, `["2024-11-05","2025-06-18"]`)
	case eraListsFuture:
		p.say(delay, nil, unsupportedAnswer, id, `["2027-01-01"]`)
	case eraContradicts:
		p.say(delay, nil, unsupportedAnswer, id, `["2026-07-28"]`)
		p.asked1 = p.rng.IntN(2) == 0
	case eraWantsMore:
		p.say(delay, nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"tasks":{}}}}}`, id)
	default: // eraSilent
	}
}

// listEnds are how the answer to a list ends: with and without what the modern
// era wants of it, and with another page.
var listEnds = []string{
	``, ``, `,"resultType":"complete"`, `,"resultType":"complete","ttlMs":60000,"cacheScope":"public"`, `,"resultType":"complete","ttlMs":0,"cacheScope":"private"`,
	`,"resultType":"complete","ttlMs":-1,"cacheScope":7`, `,"resultType":"hologram"`, `,"resultType":"complete","ttlMs":5,"cacheScope":"public","nextCursor":"more"`,
}

// typed is what an answer is where results have types.
func (h *shadow) typed(got answerKind, m message) answerKind {
	var r struct {
		Type *string `json:"resultType"`
	}
	if !h.before.rev.Modern() || got != gotResult && got != gotToolError || json.Unmarshal(m["result"], &r) != nil || r.Type == nil || *r.Type == "complete" {
		return got
	}
	h.w.counts.add("race", "a result of a type that nobody knows")
	return gotOdd
}

// doLook has somebody look at the lists.
func (w *world) doLook() {
	w.input(func() {
		before := len(w.journal)
		w.s.Look(w.now)
		if len(w.journal) > before {
			w.counts.add("race", "an old list is looked at")
			w.shadow.taken()
			if !w.shadow.modern {
				w.fail("a list was fetched for being looked at, in an era in which it does not age")
			}
		}
	})
}

// doLogLevel sets the level: by a call, or in later requests.
func (w *world) doLogLevel(level string) {
	w.input(func() {
		id, err := w.s.SetLogLevel(w.now, level)
		if !w.taken(err) {
			return
		}
		if (id == 0) != w.shadow.modern {
			w.fail("the log level was set by call %d, the era is modern: %v", id, w.shadow.modern)
		}
		if id != 0 {
			w.shadow.row(id)
		}
	})
}

// eraIsModern says whether what is sent now is sent in the modern era.
func (h *shadow) eraIsModern() bool { return h.modern || h.probing }

// discovered notes that the answer to the probe settles the era.
func (h *shadow) discovered(key string, m message) {
	r := h.reqs[key]
	if r != nil && r.row != nil && !r.answered && bytes.Contains(m["error"], []byte("-32022")) {
		h.outdated = true
	}
	if r == nil || r.row == nil || r.row.origin != FromHandshake || r.method != "server/discover" || r.row.state != Running || m["error"] != nil {
		return
	}
	var result struct {
		Type     *string  `json:"resultType"`
		Versions []string `json:"supportedVersions"`
	}
	if h.left || json.Unmarshal(m["result"], &result) != nil || !slices.Contains(result.Versions, "2026-07-28") || result.Type != nil && *result.Type != "complete" {
		return
	}
	h.modern, h.probing, h.initialized = true, false, true
}

// settled notes that the probe of now has led to the handshake. The roots that
// are declared there are those of that moment.
func (h *shadow) settled() {
	if e := &h.w.s.conn.era; !h.probing && !h.modern && !h.left && h.live && e.refused != nil && e.probe != nil {
		h.probing, h.initOut = true, false // the handshake was refused, and the probe is sent once more: it may list what can be greeted
		h.web.noSession()
	}
	if h.modern && h.live && !h.left && h.w.s.Status().Phase == Connecting {
		h.anew()
	}
	if h.probing && !h.left && h.live && !h.w.s.conn.era.version.Modern() {
		h.probing = false
		h.rootsDeclared, h.rootsNews = len(h.w.s.Config().Roots) > 0, 0
	}
}

// anew notes that the era is asked for once more, which only a server may cause
// that refuses the revision, once.
func (h *shadow) anew() {
	h.w.counts.add("race", "negotiated anew")
	if !h.outdated || h.anewDone {
		h.w.fail("the revision is negotiated anew; refused %v, done before %v", h.outdated, h.anewDone)
	}
	h.anewDone = true
	h.modern, h.probing, h.initialized, h.initOut = false, true, false, false
}

// probeGivenUp is a row that failed although nothing came for it: only the probe
// may, and only when its time is over.
func (h *shadow) probeGivenUp(c *shadeRow) {
	cfg := h.w.s.Config()
	if c.req == nil || c.req.method != "server/discover" || h.pin != "" || h.now.Sub(c.began) < cfg.Probe {
		return
	}
	h.w.counts.add("race", "probe not answered")
	h.move(c, Running, Failed)
}

// endsOnProbe says whether an end of the connection is the server's way to
// refuse the probe.
func (h *shadow) endsOnProbe(byUs bool) bool {
	if h.web != nil || byUs || h.left || !h.probing || h.anewDone || h.pin != "" {
		return false
	}
	for _, c := range h.rows {
		if c.epoch == h.w.epoch && c.origin == FromHandshake && c.state == Running && c.req.method == "server/discover" {
			return true
		}
	}
	return false
}

// envelope holds that every request of the modern era says who asks, what it can
// do and in which revision, and that no other one does.
func (h *shadow) envelope(out Output, m message) {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(m["params"], &p)
	_, version := p.Meta["io.modelcontextprotocol/protocolVersion"]
	_, info := p.Meta["io.modelcontextprotocol/clientInfo"]
	caps, declared := p.Meta["io.modelcontextprotocol/clientCapabilities"]
	if c := h.w.s.rows.get(out.Call); c != nil && c.Raw {
		return
	}
	want := h.modern || m.method() == "server/discover" && h.probing
	if version != want || info != want || declared != want {
		h.w.fail("the era is modern: %v, and the request is %s", want, out.Data)
	}
	if bytes.Contains(caps, []byte("listChanged")) {
		h.w.fail("roots that change are declared: %s", out.Data)
	}
}
