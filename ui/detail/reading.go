package detail

import (
	tea "charm.land/bubbletea/v2"

	"belay/session/mcp"
)

// reading is the result that was read last. A long one is read outside of Update,
// so that no key waits for it.
type reading struct {
	at    *byte // where the result lies: what the core hands out never changes
	n     int
	parts mcp.ResultParts
	done  bool
}

func (r *reading) is(raw []byte) bool { return len(raw) > 0 && r.at == &raw[0] && r.n == len(raw) }

// readMsg is a result that was read.
type readMsg reading

// shownResult is the result that the detail pane has, in time or late; nil when
// there is none.
func (p *Pane) shownResult() []byte {
	d := &p.d
	switch {
	case !p.known:
		return nil
	case d.Late != nil:
		return d.Late.Shown().Result
	}
	return d.Result
}

// readAtOnce is how many bytes of a result are read between two keys.
const readAtOnce = 16 << 10

// of is what a result consists of, and false while it is being read.
func (r *reading) of(raw []byte) (mcp.ResultParts, bool) { return r.parts, r.is(raw) && r.done }

// Read reads the shown result, or begins to, if it is a long one.
func (p *Pane) Read() tea.Cmd {
	raw := p.shownResult()
	switch {
	case len(raw) == 0 || p.reading.is(raw):
		return nil
	case len(raw) <= readAtOnce:
		p.reading = reading{at: &raw[0], n: len(raw), parts: mcp.ParseResult(raw), done: true}
		return nil
	}
	r := reading{at: &raw[0], n: len(raw)}
	p.reading = r
	return func() tea.Msg {
		r.parts, r.done = mcp.ParseResult(raw), true
		return readMsg(r)
	}
}

// Update takes a result that was read beside the screen, unless the user has moved on.
// It says false for a message about anything else.
func (p *Pane) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	r, ok := msg.(readMsg)
	if ok && p.reading.at == r.at && p.reading.n == r.n {
		p.reading = reading(r)
		p.reader.Forget()
	}
	return nil, ok
}
