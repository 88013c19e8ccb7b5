package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// The simulator's rounds: answers that ask for input, what the user does about
// them, and what the oracle knows of it.

// goodRounds are results that a modern server may give to a call; what must be
// declared for them is looked at.
var goodRounds = []string{
	inputRequired(asking(askName) + `,"requestState":"s"`),
	inputRequired(asking(askName + "," + askStory)),
	inputRequired(asking(askURL) + `,"requestState":"\u0041\ud800\/"`),
	inputRequired(asking(askRoots)),
	inputRequired(asking(askRoots) + `,"requestState":"where"`),
	inputRequired(asking(askRoots + "," + strings.Replace(askName, `"name"`, `"n\u0061me"`, 1))),
	inputRequired(`"requestState":""`),
	inputRequired(asking("")),
}

// badRounds are results that no server may give.
var badRounds = []string{
	inputRequired(`"bad":true`),
	inputRequired(`"bad":true,"requestState":null`),
	inputRequired(`"bad":true,"inputRequests":[]`),
	inputRequired(`"bad":true,` + asking(askName+","+askName)),
	inputRequired(`"bad":true,` + asking(askName+`,"x":{"method":"ping"}`)),
	inputRequired(`"bad":true,` + asking(`"x":{"method":"elicitation/create","params":{"refuse":true}}`)),
	inputRequired(`"bad":true,` + asking(`"x":{"method":"sampling/createMessage","params":{"refuse":true,"messages":[]}}`)),
	inputRequired(`"bad":true,` + asking(`"x":{"method":"elicitation/create","params":{"mode":"voice","message":"m","refuse":true}}`)),
}

// round answers a request with a round, if it is one that this server would.
func (p *peer) round(j *job) bool {
	switch {
	case !p.w.oracle.modern && p.rng.IntN(20) > 0:
		return false
	case p.stuck != "" && p.rng.IntN(8) > 0:
		p.say(pick(p.rng, 0, 20*time.Millisecond), j, `{"jsonrpc":"2.0","id":%s,"result":%s}`, j.id, p.stuck)
	case p.rng.IntN(3) == 0:
		result := pick(p.rng, goodRounds...)
		if p.rng.IntN(6) == 0 {
			result = pick(p.rng, badRounds...)
		}
		p.say(pick(p.rng, 0, 20*time.Millisecond, 800*time.Millisecond), j, `{"jsonrpc":"2.0","id":%s,"result":%s}`, j.id, result)
	default:
		return false
	}
	return true
}

// oracleRounds is what the oracle knows of the rounds of a row.
type oracleRounds struct {
	round *oracleRound // between two requests; nil: not
	all   []*oracleRound
	most  int                        // rounds before it is held
	empty int                        // rounds in a row that asked for nothing
	first map[string]json.RawMessage // the parameters of the first request
}

// oracleRound is what the next request of a row has to carry, and when it may go.
type oracleRound struct {
	asks    map[string]*oracleQuestion
	roots   map[string]bool // asked for, and whether they are known
	asked   bool
	state   json.RawMessage
	answers map[string]string
	retryAt time.Time
	held    bool
}

// ready reports whether the next request has to go now.
func (ro *oracleRound) ready(now time.Time) bool {
	for _, a := range ro.asks {
		if !a.userSaid {
			return false
		}
	}
	for _, known := range ro.roots {
		if !known {
			return false
		}
	}
	return !ro.held && !ro.retryAt.After(now)
}

// roundIn is the answer to a request of a row, if it is a round: one that is to
// be taken, or one that ends the row.
func (h *oracle) roundIn(key string, m message) (ro *oracleRound, is bool) {
	var result struct {
		Type     string                     `json:"resultType"`
		Bad      bool                       `json:"bad"`
		State    json.RawMessage            `json:"requestState"`
		Requests json.RawMessage            `json:"inputRequests"`
		Params   map[string]json.RawMessage `json:"-"`
	}
	r := h.reqs[key]
	if r == nil || r.row == nil || r.row.origin == FromHandshake || m["error"] != nil || json.Unmarshal(m["result"], &result) != nil || result.Type != "input_required" {
		return nil, false
	}
	ro = &oracleRound{
		asks: map[string]*oracleQuestion{}, roots: map[string]bool{}, answers: map[string]string{}, asked: result.Requests != nil, state: result.State,
	}
	if result.Bad || !h.before.rev.IsModern() || !slices.Contains([]string{"tools/call", "prompts/get", "resources/read"}, r.method) {
		return nil, true
	}
	var requests map[string]struct {
		Method string `json:"method"`
		Params struct {
			Mode string `json:"mode"`
		} `json:"params"`
	}
	_ = json.Unmarshal(result.Requests, &requests)
	for name, q := range requests {
		need := map[string]string{"roots/list": `"roots"`, "sampling/createMessage": `"sampling"`, "elicitation/create": `"form"`}[q.Method]
		if q.Params.Mode == "url" {
			need = `"url"`
		}
		if !strings.Contains(r.declared, need) {
			return nil, true
		}
		if q.Method == "roots/list" {
			cfg := h.w.s.Config()
			ro.roots[name] = !cfg.CheckRoots || len(cfg.Roots) == 0
			continue
		}
		ro.asks[name] = &oracleQuestion{round: ro, name: name, method: q.Method, epoch: h.w.epoch}
	}
	if len(ro.asks) > 0 && h.w.s.Status().Waiting+len(ro.asks) > 100 {
		return nil, true
	}
	return ro, true
}

// roundAnswered is a round as the answer to a row's request; nil: one that must
// not be taken.
func (h *oracle) roundAnswered(c *oracleRow, ro *oracleRound) {
	switch {
	case c.state == Running && ro == nil:
		h.w.counts.add("race", "round refused")
		h.given(c)
		h.move(c, Running, Failed)
	case c.state == Running:
		c.all = append(c.all, ro)
		h.rounds[c.id] = c.all
		if c.most == 0 {
			c.most = h.w.s.Config().MaxRounds
		}
		c.round = ro
		if ro.held = len(c.all) > c.most; ro.held {
			h.w.counts.add("race", "row held after too many rounds")
		}
		if len(ro.asks)+len(ro.roots) > 0 {
			c.empty = 0
		} else if c.empty++; !ro.held {
			ro.retryAt = h.now.Add(min(30*time.Second, 500*time.Millisecond<<min(c.empty-1, 10)))
		}
		h.noTokens(c)
		h.dirty[c.id] = true
	case c.state == Cancelling && c.cancel.order == 0 && c.cancel.former == nil && !h.before.rev.IsModern():
		h.w.counts.add("race", "round refused before the cancel left")
		c.cancel.takenBack = true
		h.given(c)
		h.move(c, Cancelling, Failed)
	case c.state == Cancelling && c.cancel.order == 0 && c.cancel.former == nil:
		h.w.counts.add("race", "round before the cancel left")
		c.cancel.takenBack, c.cancel.nothing = true, true
		h.move(c, Cancelling, Cancelled)
	default:
		h.rowAnswered(c, gotResult)
	}
}

// noTokens forgets the progress tokens of a row, whose request has ended: it had them last, and not the row
// that had them before.
func (h *oracle) noTokens(c *oracleRow) {
	maps.DeleteFunc(h.tokens, func(token string, of *oracleRow) bool {
		if of == c {
			delete(h.older, token)
		}
		return of == c
	})
}

// again is the next request of a row. It carries what it was made with at first,
// all that was asked for, and the state as it was.
func (h *oracle) again(c *oracleRow, out Output, m message) {
	ro := c.round
	if c.state != Running || !ro.ready(h.now) {
		h.w.fail("row %d (%v) is not to be made again yet: %+v: %s", c.id, c.state, *ro, out.Data)
		return
	}
	var params map[string]json.RawMessage
	_ = json.Unmarshal(m["params"], &params)
	var responses map[string]json.RawMessage
	if (params["inputResponses"] != nil) != ro.asked || string(params["requestState"]) != string(ro.state) {
		h.w.fail("row %d: the state was %s, asked %v: %s", c.id, ro.state, ro.asked, out.Data)
	}
	_ = json.Unmarshal(params["inputResponses"], &responses)
	for name, want := range ro.answers {
		if string(responses[name]) != want {
			h.w.fail("row %d: %s was answered %s: %s", c.id, name, want, out.Data)
		}
	}
	for name := range ro.roots {
		if !strings.HasPrefix(string(responses[name]), `{"roots":[`) {
			h.w.fail("row %d: the roots are %s: %s", c.id, responses[name], out.Data)
		}
	}
	if len(responses) != len(ro.asks)+len(ro.roots) {
		h.w.fail("row %d: %d answers, asked for %d: %s", c.id, len(responses), len(ro.asks)+len(ro.roots), out.Data)
	}
	for _, name := range []string{"inputResponses", "requestState", "_meta"} {
		delete(params, name)
	}
	if !maps.EqualFunc(params, c.first, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
		h.w.fail("row %d was made with %s, and again with %s", c.id, c.first, out.Data)
	}
	h.w.counts.add("race", "call made again")
	c.round, c.last.Progress, c.progress = nil, ProgressView{}, ProgressView{}
}

// made keeps what a row was made with at first.
func (c *oracleRow) made(m message) {
	_ = json.Unmarshal(m["params"], &c.first)
	delete(c.first, "_meta")
	if c.first == nil {
		c.first = map[string]json.RawMessage{}
	}
}

// stoppedBetween is a cancel of a row with nothing in flight.
func (h *oracle) stoppedBetween(c *oracleRow) {
	if c.round.ready(h.now) {
		h.w.counts.add("race", "cancel before the next request left")
	} else {
		h.w.counts.add("race", "cancel between rounds")
	}
	c.cancel.takenBack, c.cancel.nothing = true, true
	h.closeRound(c)
	h.move(c, Running, Cancelled)
}

func (h *oracle) closeRound(c *oracleRow) {
	for _, a := range c.round.asks {
		a.closed = true
	}
	c.round = nil
}

// inputSaid is what the user said to an input.
func (h *oracle) inputSaid(a *oracleQuestion, refused bool, as QuestionState, answer, why string) {
	for _, c := range h.rows {
		if c.round != a.round {
			continue
		}
		a.round.answers[a.name] = answer
		if refused {
			h.w.counts.add("race", "input refused")
			c.cancel = h.cancel(cancel.ByUser, why)
			h.stoppedBetween(c)
		}
		return
	}
	h.w.fail("the input %q of no row was answered: %v", a.name, as)
}

// rootsLooked is the end of the look at the roots that rounds wait for.
func (h *oracle) rootsLooked(failure string) {
	for _, id := range h.ids() {
		c := h.rows[id]
		if c.round == nil || c.epoch != h.w.epoch {
			continue
		}
		for name, known := range c.round.roots {
			switch {
			case known:
			case failure == "":
				h.w.counts.add("race", "roots of a round")
				c.round.roots[name] = true
			default:
				h.w.counts.add("race", "roots of a round that cannot be had")
				h.closeRound(c)
				h.move(c, Running, Failed)
			}
			if c.round == nil {
				break
			}
		}
	}
}

// doRetry lets the user go on with a row, or ends the look at the roots that one
// waits for.
func (w *simulation) doRetry(a uint64) {
	if a%2 == 0 && w.rootLook != 0 {
		w.looked(a / 2)
		return
	}
	id := w.someRow(a)
	for _, row := range w.s.InFlight(nil, 1000) {
		if ro := row.Round; a%4 > 0 && (ro.AwaitsRetry || !ro.RetryAt.IsZero()) {
			id = row.ID
		}
	}
	c := w.oracle.rows[id]
	w.input(func() {
		_, err := w.s.Handle(w.now, Retry{Call: id})
		var ro *oracleRound
		if c != nil {
			ro = c.round
		}
		may := ro != nil && (ro.held || !ro.retryAt.IsZero() && ro.retryAt.After(w.oracle.now))
		if err == nil && ro == nil || err != nil && may && !errors.Is(err, errUnknown) {
			w.fail("going on with row %d: %v, its round is %+v", id, err, ro)
		}
		if !w.taken(err) {
			return
		}
		w.counts.add("race", "row goes on by the user's wish")
		if ro.held {
			ro.held = false
			c.most += w.s.Config().MaxRounds
		}
		ro.retryAt = time.Time{}
	})
}

// inputOf is the ask that a question of a round shows.
func (h *oracle) inputOf(p QuestionView) {
	var all []*oracleRound
	if len(p.Candidates) == 1 {
		all = h.rounds[p.Candidates[0]]
	}
	if p.Round > len(all) || all[p.Round-1].asks[p.Key] == nil {
		h.w.fail("question %d is of no round: %+v", p.ID, p)
		return
	}
	a := all[p.Round-1].asks[p.Key]
	a.state = Waiting
	h.questions[p.ID] = a
}

// mustInput is the state that the question of an input has to be in.
func (a *oracleQuestion) mustInput(live bool) QuestionState {
	switch {
	case a.userSaid:
		return a.said
	case a.closed:
		return Dismissed
	case !live:
		return QuestionLost
	}
	return Waiting
}

// dueRounds holds that after a tick no row waits whose time has come.
func (h *oracle) dueRounds() {
	for _, id := range h.ids() {
		c := h.rows[id]
		if c.round == nil || c.round.retryAt.IsZero() || c.round.retryAt.After(h.now) {
			continue
		}
		if row, kept := h.w.s.Row(id); kept && !row.Round.RetryAt.IsZero() {
			h.w.fail("row %d waits to be made again at %v, it is %v", id, row.Round.RetryAt, h.now)
		}
	}
}

// unsentRound is a row whose next request must have left, when nothing is to be
// written.
func (h *oracle) unsentRound() error {
	for _, id := range h.ids() {
		c := h.rows[id]
		if c.round == nil || c.epoch != h.w.epoch || !c.round.ready(h.now) {
			continue
		}
		if row, kept := h.w.s.Row(id); kept && row.Round.RetryAt.IsZero() {
			return fmt.Errorf("row %d is to be made again, and nothing is to be written", id)
		}
	}
	return nil
}

// declares keeps the capabilities that a request declares. Of one that the user
// wrote by hand, it is those that it would have.
func (r *oracleRequest) declares(h *oracle, out Output, m message) {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(m["params"], &p)
	r.declared = string(p.Meta["io.modelcontextprotocol/clientCapabilities"])
	if c := h.w.s.rows.get(out.Call); c != nil && c.Raw {
		r.declared = string(c.req.declared.capabilities(nil, mcp.Rev20260728))
	}
}
