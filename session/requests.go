package session

import (
	"strings"
	"time"
)

// request is one wire ID of ours. A call owns one or more of them; the probe
// belongs to no call.
type request struct {
	id     ID
	method string
	token  ID // its progress token; zero when it has none
	call   *call
	list   ListKind // of a list that belay fetches by itself
	isList bool
	probe  bool

	order   uint64    // in which it was handed out; 0: not yet
	handed  time.Time // zero: still inside the core
	written time.Time // its last byte

	out     *pending  // its output
	retired time.Time // when it left the table of those that await an answer
	outcome FrameKind // FrameResult, FrameError or FrameMalformed once answered
}

// pastLimit bounds how many requests that ended are remembered, to tell a late
// answer from an unknown one. IDs are never reused, so forgetting one costs
// only the label (CXL-34, SD0-11).
const pastLimit = 1 << 16

// ours is the table of our own requests. Theirs is another one: the same ID
// may live in both, and they never meet (CXS-01, SD3-34).
type ours struct {
	nextID int64
	open   map[ID]*request // await an answer
	tokens map[ID]*request // progress tokens of those
	past   map[ID]*request
	ring   []ID // of past, oldest first, from head on
	head   int
}

func (o *ours) init(first int64) {
	o.nextID = first
	o.open = map[ID]*request{}
	o.tokens = map[ID]*request{}
	o.past = map[ID]*request{}
}

// issue gives out the next ID. It counts on across epochs (BASE-04).
func (o *ours) issue() ID {
	id := IntID(o.nextID)
	o.nextID++
	return id
}

// tokenPrefix starts every progress token of belay's: tokens are strings, made
// from the ID of their request, so they are as unique (PRG-01, PRG-02).
const tokenPrefix = "belay-"

func tokenFor(id ID) ID { return StringID(tokenPrefix + id.String()) }

// requestOf finds the request behind a token, also when it has ended.
func (o *ours) requestOf(token ID) (r *request, ended bool) {
	if r := o.tokens[token]; r != nil {
		return r, false
	}
	digits, ok := strings.CutPrefix(token.text, tokenPrefix)
	if !ok || token.kind != idString {
		return nil, false
	}
	id, ok := ParseID([]byte(digits))
	if !ok {
		return nil, false
	}
	r = o.past[id]
	return r, r != nil && r.token == token
}

func (o *ours) add(r *request) {
	o.open[r.id] = r
	if !r.token.IsZero() {
		o.tokens[r.token] = r
	}
}

// retire moves a request to those that are only remembered.
func (o *ours) retire(r *request, now time.Time) {
	if o.open[r.id] != r {
		return
	}
	delete(o.open, r.id)
	if o.tokens[r.token] == r {
		delete(o.tokens, r.token)
	}
	r.retired = now
	o.past[r.id] = r
	o.ring = append(o.ring, r.id)
	if len(o.ring)-o.head > pastLimit {
		delete(o.past, o.ring[o.head])
		o.head++
	}
	if o.head > pastLimit {
		o.ring = append([]ID(nil), o.ring[o.head:]...)
		o.head = 0
	}
}
