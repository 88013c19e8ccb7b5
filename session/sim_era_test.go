package session

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// The simulator's two eras: what a server does about server/discover, and what
// the oracle knows of it.

// eraConduct is what the server does about server/discover.
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
	delay := pick(p.rng, 0, time.Millisecond, 200*time.Millisecond) + p.starting()
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
		p.queue = append(p.queue, packet{due: p.w.now.Add(delay), dies: true})
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

// starts decides how long the server takes to start, and what it makes of
// initialize then.
func (p *peer) starts(rng *rand.Rand) {
	if cfg := p.w.s.Config(); cfg.Pin != "" || cfg.DiscoverLimit < 0 {
		return
	}
	p.up = p.w.now.Add(pick(rng, 0, 0, 0, 600*time.Millisecond, 4*time.Second, 20*time.Second))
	if rng.IntN(4) == 0 {
		p.era = eraSlow
	}
	if (p.era == eraModern || p.era == eraSlow) && rng.IntN(2) == 0 {
		p.greets = greetsWithError
	}
	if p.starting() > 3*time.Second && rng.IntN(2) == 0 {
		p.era, p.greets = eraListsLegacy, pick(rng, greetsWithList, greetsWithError, greetsWell) // which takes what it does not list, or refuses it
	}
}

// bears decides whether a process ends on initialize. One of which an earlier process
// did so mostly does it again.
func (p *peer) bears(rng *rand.Rand) {
	if p.w.web == nil && (rng.IntN(8) == 0 || p.w.touchy && rng.IntN(4) > 0) {
		p.greets, p.w.touchy = greetsByEnding, true
	}
}

// starting is how long the server takes until it reads what is there.
func (p *peer) starting() time.Duration { return max(0, p.up.Sub(p.w.now)) }

// listEnds are how the answer to a list ends: with and without what the modern
// era wants of it, and with another page.
var listEnds = []string{
	``, ``, `,"resultType":"complete"`, `,"resultType":"complete","ttlMs":60000,"cacheScope":"public"`, `,"resultType":"complete","ttlMs":0,"cacheScope":"private"`,
	`,"resultType":"complete","ttlMs":-1,"cacheScope":7`, `,"resultType":"hologram"`, `,"resultType":"complete","ttlMs":5,"cacheScope":"public","nextCursor":"more"`,
}

// typed is what an answer is where results have types.
func (h *oracle) typed(got answerKind, m message) answerKind {
	var r struct {
		Type *string `json:"resultType"`
	}
	if !h.before.rev.IsModern() || got != gotResult && got != gotToolError || json.Unmarshal(m["result"], &r) != nil || r.Type == nil || *r.Type == "complete" {
		return got
	}
	h.w.counts.add("race", "a result of a type that nobody knows")
	return gotOdd
}

// doLook has somebody look at the lists.
func (w *simulation) doLook() {
	w.input(func() {
		before := w.s.Catalog().Rev
		w.s.Tell(w.now, Look{})
		w.oracle.taken()
		if w.s.Catalog().Rev != before {
			w.counts.add("race", "an old list is looked at")
			if !w.oracle.modern {
				w.fail("a list was fetched for being looked at, in an era in which it does not age")
			}
		}
	})
}

// doLogLevel sets the level: by a call, or in later requests.
func (w *simulation) doLogLevel(level string) {
	w.input(func() {
		id, err := madeBy(w.s.Handle(w.now, SetLogLevel{Level: level}))
		if !w.taken(err) {
			return
		}
		if (id == 0) != w.oracle.modern {
			w.fail("the log level was set by call %d, the era is modern: %v", id, w.oracle.modern)
		}
		if id != 0 {
			w.oracle.row(id)
		}
	})
}

// eraIsModern reports whether what is sent now is sent in the modern era.
func (h *oracle) eraIsModern() bool { return h.modern || h.probing }

// eraAnswer is what one of the two requests of the opening came to.
type eraAnswer uint8

const (
	eraUnanswered eraAnswer = iota
	eraSaysModern           // server/discover: by a server of the modern era
	eraSaysAgain            // … that lists the revision in an error, and is asked again
	eraSaysOther            // … by any other one
	eraGreeted              // initialize: by a result, whatever it is worth
	eraRefused              // … by an error
	eraBroke                // … by the end of its exchange
)

// oracleEra is what the oracle knows of the opening of a connection.
type oracleEra struct {
	second   bool            // nobody but the core has asked for this connection
	open     bool            // … and it was left open which of the two requests the server does not bear
	leaves   bool            // that is left open by this connection
	borne    bool            // the server answered both requests before, and is begun with server/discover for that
	bears    bool            // it did so in this connection
	least    time.Duration   // that server/discover has to be given
	discover *oracleRequest  // the latest server/discover; nil: none left
	probed   eraAnswer       // what came back for it
	greeted  eraAnswer       // … for initialize
	listed   bool            // a refusal lists revisions
	lists    string          // the newest revision with a handshake that server/discover lists, where it lists no newer one
	offered  string          // the revision of the latest initialize
	agreed   string          // … of its result
	unfit    bool            // the result of initialize is none
	late     bool            // it was asked for because initialize was refused
	beside   bool            // the two are out at the same time, or were
	hears    time.Time       // over HTTP: until then a late answer to server/discover is awaited; zero: it is not
	former   *oracleRequest  // the server/discover before the latest one, where that was not answered
	usual    bool            // the connection begins with server/discover
	hungUp   bool            // the exchange of server/discover ended before anything came of it
	vain     bool            // server/discover had its time, and another second
	until    time.Time       // an answer waits for the other one until then; zero: none does
	gaveUp   *oracleRequest  // a server/discover that was given up, and is answered all the same: it tells nothing of the way
	broken   *oracleExchange // the exchange of initialize that ended
	first    time.Duration   // until the first answer
	began    time.Time
	ready    time.Time         // the handshake was agreed on
	wants    negotiate.Opening // another connection is to be begun
	with     negotiate.Opening // how this one is begun, as an earlier one wanted it
}

// opens begins the books of a connection.
func (e *oracleEra) opens(h *oracle, again bool) {
	old := *e
	*e = oracleEra{second: again, began: h.now}
	if again {
		e.with, e.open, e.borne = old.wants, old.leaves, old.bears && h.web == nil
		h.w.counts.add("race", "started again")
	}
	if e.with == negotiate.WithDiscover {
		e.least = max(old.first, old.least)
	}
	if e.open {
		e.least = old.first
	}
}

func (e *oracleEra) shift(d time.Duration) {
	if !e.until.IsZero() {
		e.until = e.until.Add(d)
	}
	if !e.hears.IsZero() {
		e.hears = e.hears.Add(d)
	}
}

// discovered notes what an answer to a request of the opening settles.
func (h *oracle) discovered(key string, m message) {
	r := h.reqs[key]
	if r != nil && r.row != nil && !r.answered && bytes.Contains(m["error"], []byte("-32022")) {
		h.outdated = true
	}
	if r == nil || r.row == nil || r.answered || r.row.origin != FromHandshake {
		return
	}
	e := &h.era
	switch {
	case r.method == "server/discover" && r == e.former && h.awaitsDiscover() && !h.left && readProbe(m) == eraSaysModern:
		h.w.counts.add("race", "the first server/discover answered after all")
		e.gaveUp = r
		h.move(e.discover.row, Running, Failed)
		h.probeSays(eraSaysModern)
	case r.method == "server/discover" && r.row.state == Failed:
		e.gaveUp, e.lists = r, newestListed(m)
		h.lateProbe(readProbe(m))
	case h.left || r.row.state != Running || r.gone:
	case r.method == "server/discover" && e.beside && (e.greeted == eraRefused || e.greeted == eraBroke) && modernRefusal(m):
		h.heardFirst()
		h.refusesBoth(m)
	case r.method == "server/discover":
		e.lists = newestListed(m)
		h.probeSays(readProbe(m))
	case m["error"] == nil || m["result"] != nil:
		e.unfit, e.agreed = !isGreeting(m), protocolVersion(m["result"])
		h.initializeSays(eraGreeted)
	default:
		e.unfit, e.listed = false, bytes.Contains(m["error"], []byte(`"supported"`))
		h.initializeSays(eraRefused)
	}
}

// awaitsDiscover reports whether server/discover was asked once more, because initialize was refused,
// and may be answered.
func (h *oracle) awaitsDiscover() bool {
	d := h.era.discover
	return h.live && h.era.late && !h.modern && !h.initialized && !h.anewDone && d != nil && d.row != nil && d.row.epoch == h.w.epoch && d.row.state == Running
}

// isGreeting reports whether an answer to initialize is a proper one, of a revision that
// has a handshake or that nobody knows.
func isGreeting(m message) bool {
	var r struct {
		Version string `json:"protocolVersion"`
		Caps    any    `json:"capabilities"`
		Info    struct {
			Name, Version *string
		} `json:"serverInfo"`
	}
	if m["error"] != nil || json.Unmarshal(m["result"], &r) != nil {
		return false
	}
	_, hasCaps := r.Caps.(map[string]any)
	return hasCaps && r.Version != "" && r.Info.Name != nil && r.Info.Version != nil && r.Version != string(mcp.Rev20260728)
}

// readProbe is what an answer to server/discover says.
func readProbe(m message) eraAnswer {
	var failed struct {
		Code json.Number `json:"code"`
		Data struct {
			Supported []string `json:"supported"`
		} `json:"data"`
	}
	if m["error"] != nil {
		if json.Unmarshal(m["error"], &failed) == nil && failed.Code == "-32022" && slices.Contains(failed.Data.Supported, "2026-07-28") {
			return eraSaysAgain
		}
		return eraSaysOther
	}
	var result struct {
		Type     *string  `json:"resultType"`
		Versions []string `json:"supportedVersions"`
	}
	if json.Unmarshal(m["result"], &result) != nil || !slices.Contains(result.Versions, "2026-07-28") || result.Type != nil && *result.Type != "complete" {
		return eraSaysOther
	}
	return eraSaysModern
}

// newestListed is the newest revision with a handshake that an answer to server/discover lists;
// empty: it lists none, or the modern one as well.
func newestListed(m message) string {
	if readProbe(m) != eraSaysOther {
		return ""
	}
	var of struct {
		Type *string  `json:"resultType"`
		In   []string `json:"supportedVersions"`
		Data struct {
			In []string `json:"supported"`
		} `json:"data"`
	}
	_ = json.Unmarshal(m["result"], &of)
	if m["error"] != nil {
		of.Type, of.In = nil, nil
		_ = json.Unmarshal(m["error"], &of)
	}
	for _, rev := range mcp.Handshakes() {
		if (of.Type == nil || *of.Type == "complete") && slices.Contains(append(of.In, of.Data.In...), string(rev)) {
			return string(rev)
		}
	}
	return ""
}

// protocolVersion is the member of that name.
func protocolVersion(in json.RawMessage) string {
	var of struct {
		Version string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(in, &of)
	return of.Version
}

// outsideList reports whether initialize was answered, and neither offered nor answered in the
// revision to which the list of the server leads, which came after it.
func (e *oracleEra) outsideList() bool {
	return e.greeted == eraGreeted && e.lists != "" && e.offered != e.lists && (e.unfit || e.agreed != e.lists)
}

// modernRefusal reports whether an answer to server/discover is an error of the modern
// era that leads to no revision of it.
func modernRefusal(m message) bool {
	for _, code := range []string{"-32020", "-32021", "-32022"} {
		if bytes.Contains(m["error"], []byte(`"code":`+code)) {
			return readProbe(m) == eraSaysOther
		}
	}
	return false
}

// refusesBoth is such an answer of a server that has refused initialize: nothing can
// be agreed on, unless it lists what it may be greeted in.
func (h *oracle) refusesBoth(m message) {
	e := &h.era
	e.probed, e.until = eraSaysOther, time.Time{}
	h.brokenEnds(false)
	h.w.counts.add("race", "both refused")
	for _, rev := range mcp.Handshakes()[1:] {
		if bytes.Contains(m["error"], []byte(rev)) {
			h.greetsAnew()
		}
	}
}

// greetsAnew notes that initialize is asked once more on the connection, in another revision.
func (h *oracle) greetsAnew() {
	h.era.greeted, h.initOut = eraUnanswered, false
	h.rootsDeclared = len(h.w.s.Config().Roots) > 0
}

func (h *oracle) heardFirst() {
	if e := &h.era; e.first == 0 {
		e.first = h.now.Sub(e.began)
	}
}

// probeSays is the answer to server/discover. One beside which initialize is out
// decides only with the other one.
func (h *oracle) probeSays(a eraAnswer) {
	e := &h.era
	h.heardFirst()
	e.probed = a
	if !e.beside {
		if a == eraSaysModern {
			h.becomesModern()
		}
		return
	}
	e.until = time.Time{}
	switch {
	case a != eraSaysOther && e.greeted == eraUnanswered:
		h.w.counts.add("race", "server/discover answered beside initialize")
		e.until = h.now.Add(time.Second)
	default:
		h.bothSay()
	}
}

// initializeSays is the same for the other one.
func (h *oracle) initializeSays(a eraAnswer) {
	e := &h.era
	h.heardFirst()
	e.greeted, e.until = a, time.Time{}
	if e.beside && e.probed == eraUnanswered {
		h.w.counts.add("race", "initialize answered beside server/discover")
		e.until = h.now.Add(time.Second)
		if (a != eraGreeted || e.unfit) && !e.listed && h.w.s.Status().BegunWith != negotiate.WithDiscover {
			h.w.counts.add("race", "initialize refused beside server/discover")
			e.until = h.now.Add(2 * time.Minute)
		}
		return
	}
	h.bothSay()
}

// bothSay is the decision, once there is nothing to wait for.
func (h *oracle) bothSay() {
	e := &h.era
	modern := e.beside && (e.probed == eraSaysModern || e.probed == eraSaysAgain)
	switch {
	case modern && (e.greeted == eraGreeted || e.greeted == eraUnanswered):
		h.wantsAgain(negotiate.WithDiscover)
	case modern:
		h.w.counts.add("race", "initialize refused by a modern server")
		e.late = true
		h.brokenEnds(false)
		h.web.noSession()
		if e.probed == eraSaysModern {
			h.becomesModern()
		}
	case e.beside && (e.greeted == eraRefused || e.greeted == eraBroke) && h.pin == "" && e.lists != "" && e.offered != e.lists:
		h.w.counts.add("race", "initialize refused, and asked again in the listed revision")
		h.brokenEnds(false)
		h.greetsAnew()
	case e.beside && e.outsideList():
		h.w.counts.add("race", "initialize answered outside the list")
		h.wantsAgain(negotiate.WithDiscover)
	case e.greeted == eraRefused && e.discover != nil && !e.listed && h.goesBack():
	case e.greeted == eraRefused && e.discover != nil && !e.listed && h.web == nil:
		h.wantsAgain(negotiate.WithInitialize)
		e.leaves = e.wants != 0 && e.vain
	case e.greeted == eraBroke:
		h.brokenEnds(true)
	}
}

// wantsAgain notes that another connection is to be begun, for which the core gets
// one chance.
func (h *oracle) wantsAgain(with negotiate.Opening) {
	e := &h.era
	if e.second || h.pin != "" || h.anewDone {
		return
	}
	h.w.counts.add("race", map[negotiate.Opening]string{negotiate.WithDiscover: "both answered", negotiate.WithInitialize: "server/discover broke the server"}[with])
	e.wants, e.bears = with, with == negotiate.WithDiscover
}

// beginsAsUsual notes what is not remembered when somebody asks for another connection: what was
// guessed of a mute server, where no agreement came of it, and what a server can do that hung up on
// server/discover.
func (h *oracle) beginsAsUsual(again bool) (usual bool) {
	if again {
		return false
	}
	if h.guessed {
		h.w.counts.add("race", "a guess is forgotten")
	}
	usual = (h.guessed || h.era.hungUp) && h.probing
	h.guessed = false
	return usual
}

// offers notes the revision that initialize offers.
func (h *oracle) offers(rev string) {
	h.initOut, h.era.offered = true, rev
	if h.era.usual && h.era.discover == nil {
		h.w.fail("a connection begins with initialize, and nobody knows that the server takes that")
	}
}

// goesBack notes that a server that bore both requests, and does not bear server/discover alone, is
// begun with once more, by initialize, and reports whether it is.
func (h *oracle) goesBack() bool {
	e := &h.era
	goes := e.borne && !e.late && h.pin == "" && !h.anewDone
	if goes {
		h.w.counts.add("race", "begun with initialize, which was borne before")
		e.wants = negotiate.WithInitialize
	}
	return goes
}

// greetsInVain notes what becomes of an initialize that is not answered in its time, where
// server/discover is not either, or was. The server may be starting, so that time is two minutes at the
// least, whatever the user grants a request.
func (h *oracle) greetsInVain(c *oracleRow) {
	e := &h.era
	over := c.origin == FromHandshake && c.req != nil && c.req.method == "initialize" && c.epoch == h.w.epoch && c.state == Running && c.idle > 0 && c.ran-c.heard >= max(c.idle, 2*time.Minute)
	if !over || h.left || !e.beside || e.greeted != eraUnanswered || h.initialized {
		return
	}
	switch e.probed {
	case eraUnanswered:
		if h.web == nil {
			h.wantsAgain(negotiate.WithInitialize)
			h.guessed = h.guessed || e.wants != 0
		}
	case eraSaysModern, eraSaysAgain:
		e.until = time.Time{}
		if h.wantsAgain(negotiate.WithDiscover); e.wants == 0 {
			h.w.counts.add("race", "initialize ignored by a modern server")
			h.move(c, Running, Failed)
			e.late = true
			h.web.noSession()
			if e.probed == eraSaysModern {
				h.becomesModern()
			}
		}
	default:
	}
}

// brokenEnds is what becomes of an initialize whose exchange ended while the other
// answer was awaited.
func (h *oracle) brokenEnds(counts bool) {
	x := h.era.broken
	if x == nil {
		return
	}
	h.era.broken = nil
	switch c := x.req.row; {
	case counts && h.triesOld(x) && c.state == Failed:
		h.w.counts.add("race", "the older transport is tried with another row")
		h.rootsDeclared, h.rootsNews, h.rootsOld = len(h.w.s.Config().Roots) > 0, 0, h.rootsOld+h.rootsNews
		h.triesOlder()
	case counts && h.triesOld(x):
		h.goesOld(c)
	case c.state == Running:
		h.move(c, Running, Failed)
	}
}

// triesOlder begins the try of the older transport, with which a server/discover that is out is over.
func (h *oracle) triesOlder() {
	h.web.old, h.web.oldSince, h.initOut = true, h.now, false
	if d := h.era.discover; d != nil && d.row.epoch == h.w.epoch && d.row.state == Running {
		d.row.waits = false
		h.move(d.row, Running, Failed)
	}
}

// holdsBroken takes the end of the exchange of a request of the opening, and
// reports whether what becomes of its row has to wait.
func (h *oracle) holdsBroken(c *oracleRow, x *oracleExchange) bool {
	e := &h.era
	switch {
	case c.req.method == "server/discover":
		h.move(c, Running, Failed)
		e.hungUp = !x.opened || x.head.isSuccess() && x.head.Media == mediaStream && x.messages == 0
		h.probeSays(eraSaysOther)
	case c.req.method == "initialize" && e.beside:
		e.broken = x
		if h.initializeSays(eraBroke); e.broken != nil { // its row is over, whatever comes of the other one
			h.move(c, Running, Failed)
		}
	default:
		return false
	}
	return true
}

// eraTick is the end of the time for which an answer waits.
func (h *oracle) eraTick() {
	e := &h.era
	if e.until.IsZero() || h.now.Before(e.until) || h.left || !h.live {
		return
	}
	h.w.counts.add("race", "the other answer did not come")
	e.until = time.Time{}
	if e.probed == eraUnanswered {
		e.probed, e.vain = eraSaysOther, true // it is not waited for any more
	}
	h.bothSay()
}

// lateProbe is an answer to server/discover that comes after the handshake. Another
// connection is begun, unless the user has called something on this one: a subscription
// that belay has begun again does not count, as that is begun once more.
func (h *oracle) lateProbe(a eraAnswer) {
	e := &h.era
	h.w.counts.add("race", "server/discover answered late")
	if e.ready.IsZero() || h.left || h.modern || a == eraSaysOther && !e.outsideList() || h.now.Sub(e.ready) > time.Minute || h.w.s.Status().Waiting > 0 || h.wroteIn == h.w.epoch {
		return
	}
	for _, c := range h.rows {
		if c.epoch == h.w.epoch && c.origin == FromUser && !c.carriedOn {
			return
		}
	}
	h.wantsAgain(negotiate.WithDiscover)
}

// probesAgain reports whether a server/discover is made again, after a login, beside
// which initialize is out.
func (h *oracle) probesAgain(out Output) bool {
	c := h.rows[out.Call]
	return h.era.beside && !h.initialized && c != nil && c.origin == FromHandshake
}

// keepsUnsent notes a call of the user's that was never sent, and that the
// connection which is begun by itself makes.
func (h *oracle) keepsUnsent(c *oracleRow, again bool) {
	if again && c.origin == FromUser && !c.last.Sub.Is {
		h.unsent = append(h.unsent, c)
	}
}

// madeAs is the row that was not sent, if this one is made in its place. Each is
// made once.
func (h *oracle) madeAs(row Row) *oracleRow {
	for i, old := range h.unsent {
		if strings.Contains(row.Note, "#"+old.last.Wire.String()+" ") && strings.Contains(row.Note, "which was not sent") {
			h.w.counts.add("race", "call made on the connection that was begun again")
			h.unsent = slices.Delete(h.unsent, i, i+1)
			return old
		}
	}
	return nil
}

// handshakeEnds holds that the handshake is ended only when it decides: neither
// with a server that has answered server/discover, nor before that had its time.
func (h *oracle) handshakeEnds() {
	e := &h.era
	switch {
	case e.beside && !e.second && (e.probed == eraSaysModern || e.probed == eraSaysAgain):
		h.w.fail("a handshake with a server that has answered server/discover")
	case !e.until.IsZero():
		h.w.fail("a handshake at %v, and server/discover had until %v", h.now, e.until)
	case e.wants != 0:
		h.w.fail("a handshake on a connection that is to be begun again")
	}
	e.ready = h.now
}

// settled notes in which era the latest request of the opening asks. The roots
// that are declared in a handshake are those of that moment.
func (h *oracle) settled() {
	e, core := &h.era, h.w.s.conn.era
	if !h.probing && !h.modern && !h.left && h.live && h.initOut && core.Asked().IsModern() {
		h.probing, h.initOut = true, false // initialize was refused, and server/discover asks once more: it may list what can be greeted
		e.late, e.beside, e.probed, e.greeted = true, false, eraUnanswered, eraUnanswered
		h.web.noSession()
	}
	if h.modern && h.live && !h.left && h.w.s.Status().Phase == Connecting {
		h.anew()
	}
	if h.probing && !h.left && h.live && !core.Asked().IsModern() {
		h.probing = false
		h.rootsDeclared, h.rootsNews, h.rootsOld = len(h.w.s.Config().Roots) > 0, 0, h.rootsOld+h.rootsNews
		if e.late {
			h.brokenEnds(true)
		}
		if e.discover != nil && e.probed == eraUnanswered {
			e.beside = true
			h.w.counts.add("race", "server/discover not answered")
			if waited := h.now.Sub(e.discover.row.began); waited < max(h.w.s.Config().DiscoverLimit, e.least) || h.pin != "" {
				h.w.fail("initialize follows server/discover after %v, it had %v", waited, max(h.w.s.Config().DiscoverLimit, e.least))
			}
		}
	}
}

// anew notes that the era is asked for once more, which only a server may cause
// that refuses the revision, once.
func (h *oracle) anew() {
	h.w.counts.add("race", "negotiated anew")
	if !h.outdated || h.anewDone {
		h.w.fail("the revision is negotiated anew; refused %v, done before %v", h.outdated, h.anewDone)
	}
	h.anewDone = true
	h.modern, h.probing, h.initialized, h.initOut = false, true, false, false
	h.era = oracleEra{began: h.now}
}

// probeGivenUp is a row of the opening that failed although nothing came for it:
// only server/discover may, when its time is over and the other answer counts.
func (h *oracle) probeGivenUp(c *oracleRow) {
	cfg := h.w.s.Config()
	if c.req == nil || c.req.method != "server/discover" || h.pin != "" || h.now.Sub(c.began) < cfg.DiscoverLimit || !h.era.until.IsZero() {
		return
	}
	c.waits = false
	h.move(c, Running, Failed)
}

// endsOnProbe reports whether another connection is to be begun when this one ends:
// because the answers want it, or because the end is the server's way to refuse
// server/discover.
func (h *oracle) endsOnProbe(byUs bool) bool {
	e := &h.era
	if e.wants != 0 {
		return true
	}
	agreed := e.greeted == eraGreeted && !e.unfit && e.until.IsZero()
	if agreed || h.web != nil || byUs || h.left || h.modern || h.initialized || h.anewDone || h.pin != "" {
		return false
	}
	switch {
	case h.goesBack():
		return true
	case e.open && e.greeted != eraGreeted && (e.discover == nil || e.probed == eraUnanswered):
		h.w.counts.add("race", "begun with a third time")
		e.wants = negotiate.WithDiscover
		return true
	case e.second || e.late || e.discover == nil:
		return false
	}
	h.w.counts.add("race", "server ended on server/discover")
	if e.wants = negotiate.WithInitialize; e.beside && (e.probed == eraSaysModern || e.probed == eraSaysAgain) {
		e.wants = negotiate.WithDiscover
	}
	if e.beside && e.probed == eraUnanswered && e.greeted != eraGreeted {
		e.leaves, e.first = true, h.now.Sub(e.began)
	}
	return true
}

// envelope holds that every request of the modern era says who asks, what it can
// do and in which revision, and that no other one does.
func (h *oracle) envelope(out Output, m message) {
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
	want := h.modern || m.method() == "server/discover" && (h.probing || h.probesAgain(out))
	if version != want || info != want || declared != want {
		h.w.fail("the era is modern: %v, and the request is %s", want, out.Data)
	}
	if bytes.Contains(caps, []byte("listChanged")) {
		h.w.fail("roots that change are declared: %s", out.Data)
	}
}

// becomesModern is the answer to server/discover that settles the revision: it came over
// the one endpoint, and what else was tried is over.
func (h *oracle) becomesModern() {
	h.modern, h.probing, h.initialized = true, false, true
	if h.web != nil {
		h.web.old, h.web.endpoint = false, false
	}
}
