package session

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"belay/session/mcp"
)

// peer is the model server: it reads lines, and says things when they are due.
// How it behaves is decided when it is made.
type peer struct {
	w         *simulation
	rng       *rand.Rand
	odd       *rand.Rand // of what came to this model later: it leaves the other numbers alone
	greets    greeting
	era       eraConduct
	up        time.Time // from then on it reads
	asked1    bool      // whether it was asked what it is
	behaviour serverBehaviour
	stuck     string        // the round that it answers most requests with
	pings     time.Duration // how long it takes to answer one; negative: never
	caps      string
	queue     []packet
	jobs      []*job   // requests that it has not answered
	site      *site    // over HTTP
	pipe      *pipe    // over HTTP: by which what it says now goes
	asked     []string // IDs of its own requests, as they were written
}

// packet is something to say, and when.
type packet struct {
	due  time.Time
	line string
	job  *job // it is for this request; not said when that is over
	dies bool

	pipe *pipe  // over HTTP: how it goes
	act  func() // over HTTP: something else than a line
}

// job is a request that the server works on.
type job struct {
	id, token, method string
	count             int
	over              bool
	pipe              *pipe
}

// greeting is what the server does about initialize.
type greeting uint8

const (
	greetsWell greeting = iota
	greetsOlder
	greetsUnknown
	greetsWithoutName
	greetsWithNonsense
	greetsWithError
	greetsWithList
	greetsNever
	greetsByEnding // it does not bear the request
)

// serverBehaviour is what the server does when a request is cancelled.
type serverBehaviour uint8

const (
	heeds serverBehaviour = iota
	ignores
	answersAtOnce
	answersLate
	answersWithError
	keepsTalking
	dies
	numConducts
)

func newPeer(w *simulation) *peer {
	seed := w.rng.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	p := &peer{w: w, rng: rng, odd: rand.New(rand.NewPCG(seed, 4)), behaviour: serverBehaviour(rng.IntN(int(numConducts)))}
	if rng.IntN(5) == 0 {
		p.greets = greeting(1 + rng.IntN(int(greetsNever)))
	}
	p.era = pick(rng, eraLegacy, eraDual, eraConduct(rng.IntN(int(numEraConducts))))
	p.starts(rand.New(rand.NewPCG(seed, 3)))
	p.bears(rand.New(rand.NewPCG(seed, 5)))
	if rng.IntN(5) == 0 {
		p.stuck = pick(rng, goodRounds...)
	}
	p.pings = pick(rng, 0, 5*time.Millisecond, 300*time.Millisecond, 3*time.Second, -1)
	if w.web != nil {
		p.site = newSite(rng)
	}
	p.caps = pick(rng, `{}`, `{"logging":{}}`, `{"logging":{},"tools":{"listChanged":true}}`,
		`{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"completions":{}}`)
	return p
}

// say queues a line.
func (p *peer) say(after time.Duration, j *job, format string, args ...any) {
	q := packet{due: p.w.now.Add(after), line: fmt.Sprintf(format, args...), job: j, pipe: p.pipe}
	if j != nil {
		q.pipe = j.pipe
	}
	p.queue = append(p.queue, q)
}

// due is when the server has something to say.
func (p *peer) due() (time.Time, bool) {
	var t time.Time
	for _, q := range p.queue {
		t = earlier(t, q.due)
	}
	return t, !t.IsZero()
}

// speak says the first thing that is due, and false when nothing is.
func (p *peer) speak() bool {
	best := -1
	for i, q := range p.queue {
		if !q.due.After(p.w.now) && (best < 0 || q.due.Before(p.queue[best].due)) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	q := p.queue[best]
	p.queue = slices.Delete(p.queue, best, best+1)
	switch {
	case q.act != nil:
		q.act()
	case q.dies && p.site != nil:
		p.restarts()
	case q.dies:
		p.w.closed(false)
	case q.job != nil && q.job.over:
	case p.site != nil:
		p.deliver(q.pipe, q.line)
	default:
		p.w.receive(p.w.exchange(), []byte(q.line))
	}
	return true
}

// read takes a line that belay wrote.
func (p *peer) read(line []byte) {
	var m message
	if json.Unmarshal(line, &m) != nil {
		return
	}
	switch method := m.method(); {
	case method == "initialize":
		p.initialize(string(m["id"]), m["params"])
	case method == "notifications/cancelled":
		p.cancelled(m)
	case method == "server/discover" && (!p.asked1 || p.rng.IntN(3) == 0):
		p.asked1 = true
		p.discover(string(m["id"]))
	case method == "ping" || method == "server/discover":
		if p.pings >= 0 {
			p.say(p.pings, nil, `{"jsonrpc":"2.0","id":%s,"result":{}}`, m["id"])
		}
	case method != "" && m["id"] != nil:
		p.request(m)
	}
}

func (p *peer) initialize(id string, params json.RawMessage) {
	var offer struct {
		Version string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &offer)
	well := `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"peer","version":"1"},"instructions":"be kind"}}`
	delay := pick(p.rng, 0, time.Millisecond, time.Second) + p.starting()
	switch p.greets {
	case greetsWell:
		p.say(delay, nil, well, id, offer.Version, p.caps)
	case greetsOlder:
		p.say(delay, nil, well, id, pick(p.rng, mcp.Rev20241105, mcp.Rev20250326, mcp.Rev20250618), p.caps)
	case greetsUnknown:
		p.say(delay, nil, well, id, "1999-01-01", p.caps)
	case greetsWithoutName:
		p.say(delay, nil, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{}}}`, id, offer.Version)
	case greetsWithNonsense:
		p.say(delay, nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, pick(p.rng, `7`, `[]`, `{"isError":true}`))
	case greetsWithError:
		p.say(delay, nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"not today"}}`, id)
	case greetsWithList:
		p.say(delay, nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Unsupported","data":{"supported":["2024-11-05"],"requested":%q}}}`, id, offer.Version)
	case greetsByEnding:
		p.queue = append(p.queue, packet{due: p.w.now.Add(delay), dies: true})
	case greetsNever:
	}
}

// answers to a request, by kind.
var answers = []string{
	`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`,
	`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"isError":true}}`,
	`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"broken","data":{"why":"no idea"}}}`,
	`{"jsonrpc":"2.0","id":%s,"result":[1]}`,
	`{"jsonrpc":"2.0","id":%s,"result":{},"error":{"code":1,"message":"both"}}`,
	`{"jsonrpc":"2.0","id":%s}`,
	`{"jsonrpc":"2.0","id":%s,"error":{"code":"E1"}}`,
	`{"jsonrpc":"2.0","id":%s,"error":"oops"}`,
	`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"nme":1}],"nextCursor":"more"}}`,
	`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"b"}]}}`,
	`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"c"}],"nextCursor":"` + strings.Repeat("c", maxCursor) + `"}}`,
	neededAnswer,
	neededAnswer,
	`{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"visit","data":{"elicitations":[{"message":"m","requestedSchema":{}},{"mode":"url","message":"m","url":"https://a.b"}]}}}`,
	`{"jsonrpc":"2.0","id":%s,"result":{"content":null},"error":null}`,
	`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[]}}`,
	`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"hologram","content":[]}}`,
	`{"jsonrpc":"2.0","id":%s,"error":{"code":-32050,"message":"reserved"}}`,
	`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"not any more","data":{"supported":["2026-07-28","2027-01-01"]}}}`,
	`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"not any more","data":{"supported":["2025-06-18"]}}}`,
	`{"jsonrpc":"2.0","id":%s,"error":{"code":-32800,"message":"stopped"}}`,
}

// twoTools are the same tools in one order and the other.
var twoTools = [2]string{`{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}}`, `{"name":"b","inputSchema":{}},{"name":"a","inputSchema":{}}`}

// crowdedCompletion has more values than are allowed.
var crowdedCompletion = `{"jsonrpc":"2.0","id":%s,"result":{"completion":{"values":[` + strings.Repeat(`"v",`, MaxCompletions) + `"v"]}}}`

// neededAnswer is an error that asks for two URL elicitations.
const neededAnswer = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"visit","data":{"elicitations":[{"mode":"url","message":"m","url":"https://a.b","elicitationId":"e1"},{"mode":"url","message":"m","url":"https://a.b","elicitationId":"e2"}]}}}`

func (p *peer) request(m message) {
	j := &job{id: string(m["id"]), method: m.method(), pipe: p.pipe}
	var params struct {
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(m["params"], &params)
	j.token = string(params.Meta.Token)
	p.jobs = append(p.jobs, j)
	if p.standing(j) || p.round(j) {
		return
	}
	if strings.HasSuffix(j.method, "/list") && p.rng.IntN(4) > 0 {
		kind, _, _ := strings.Cut(j.method, "/")
		entries := ""
		if kind == "tools" {
			entries = twoTools[len(p.jobs)%2]
		}
		p.answer(j, 0, `{"jsonrpc":"2.0","id":%s,"result":{"`+kind+`":[`+entries+`]`+pick(p.rng, listEnds...)+`}}`)
		return
	}
	if j.method == "completion/complete" && p.rng.IntN(2) == 0 {
		p.answer(j, 0, crowdedCompletion)
		return
	}
	switch p.rng.IntN(6) {
	case 0: // never
	case 1, 2:
		p.talk(j)
	default:
		p.answer(j, pick(p.rng, 0, time.Millisecond, 40*time.Millisecond, 700*time.Millisecond, 4*time.Second), answers[min(p.rng.IntN(20), len(answers)-1)%len(answers)])
	}
}

// answer ends a job after a while.
func (p *peer) answer(j *job, after time.Duration, format string) {
	p.say(after, j, format, j.id)
}

// talk sends progress every now and then.
func (p *peer) talk(j *job) {
	if j.token == "" {
		return
	}
	step := pick(p.rng, 20*time.Millisecond, 900*time.Millisecond, 3300*time.Millisecond)
	for i := range 1 + p.rng.IntN(8) {
		j.count++
		p.say(time.Duration(i+1)*step, j, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":8,"message":"m"}}`, j.token, j.count)
	}
}

// find is the job of an ID.
func (p *peer) find(id string) *job {
	for _, j := range p.jobs {
		if j.id == id {
			return j
		}
	}
	return nil
}

// cancelled is a cancel that belay sent.
func (p *peer) cancelled(m message) {
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(m["params"], &params)
	j := p.find(string(params.ID))
	if j == nil || j.over {
		return
	}
	p.pipe = j.pipe
	switch p.behaviour {
	case heeds:
		j.over = true
	case ignores:
	case answersAtOnce:
		j.over = true
		p.say(pick(p.rng, 0, time.Millisecond, 30*time.Millisecond), nil, answers[p.rng.IntN(3)], j.id)
	case answersLate:
		j.over = true
		p.say(pick(p.rng, 500*time.Millisecond, 5500*time.Millisecond, 20*time.Second), nil, answers[p.rng.IntN(2)], j.id)
	case answersWithError:
		j.over = true
		p.say(pick(p.rng, 200*time.Millisecond, 2*time.Second), nil, answers[2], j.id)
	case keepsTalking:
		p.talk(j)
		p.talk(j)
	case dies:
		p.queue = append(p.queue, packet{due: p.w.now.Add(pick(p.rng, 0, time.Second, 6*time.Second)), dies: true})
	default:
	}
}
