// Package compose makes calls: the list of what can be called, the form for the
// arguments and options of a call, and what the server suggests while they are typed.
package compose

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/ui/beside"
	"belay/ui/panel"
)

// PickerGroup is the heading of the keys of the list.
const PickerGroup = "In the list of what can be called"

// Composer opens lists and forms, and remembers what was typed into them. Make one
// with [New].
type Composer struct {
	host    panel.Host
	values  *beside.Values
	memory  Memory
	listing beside.Work // what can be called is got ready to be found

	drafts      map[string]*Form // forms that were left with esc
	suggestions suggestions
	complained  bool // that the memory has failed was told
}

// New is a composer without drafts.
func New(h panel.Host, v *beside.Values, m Memory) *Composer {
	return &Composer{host: h, values: v, memory: m, drafts: map[string]*Form{}}
}

// IsFilling reports whether a form is being filled in.
func (c *Composer) IsFilling() bool {
	_, ok := c.host.Screen().Top.(*Form)
	return ok
}

// Pull takes over what can be called, if the list of that is open and has changed.
func (c *Composer) Pull(s *session.Session) {
	if p, ok := c.host.Screen().Top.(*Picker); ok {
		p.pull(s)
	}
}

// Read begins to get ready what can be called, and the arguments of earlier calls that a form
// offers, where that is still to be done.
func (c *Composer) Read(ctx context.Context) tea.Cmd {
	return tea.Batch(c.readList(ctx), c.readEarlier())
}

func (c *Composer) readList(ctx context.Context) tea.Cmd {
	p, ok := c.host.Screen().Top.(*Picker)
	if !ok || !p.unlisted {
		return c.listing.Want(ctx, nil, nil)
	}
	catalog := p.catalog
	key := listKey{p, catalog.Rev}
	return c.listing.Want(ctx, key, func(context.Context) tea.Msg { return listMsg{key, listingOf(&catalog)} })
}

// Update takes what came of work beside the screen, and asks for suggestions. It says
// false for a message about anything else.
func (c *Composer) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case suggestMsg:
		c.askSuggestions(msg)
	case listMsg:
		c.onListed(msg)
	case earlierMsg:
		return c.onEarlier(msg), true
	case rememberedMsg:
		return c.onRemembered(msg.err), true
	default:
		return nil, false
	}
	return nil, true
}

// listKey is a catalog that a picker shows.
type listKey struct {
	of  *Picker
	rev uint64
}

// listMsg is what can be called, got ready to be found.
type listMsg struct {
	of      any
	listing listing
}

// onListed takes what can be called, if it is still what the picker shows.
func (c *Composer) onListed(msg listMsg) {
	if c.listing.Done(msg.of) {
		msg.of.(listKey).of.takeListing(msg.listing)
	}
}
