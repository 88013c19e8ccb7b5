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
	listing beside.Work // what can be called is got ready to be found, or ranked

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
	switch {
	case !ok:
		return c.listing.Want(ctx, nil, nil)
	case p.unlisted:
		key, catalog, query := listKey{p, p.catalog.Rev}, p.catalog, p.text.String()
		return c.listing.Want(ctx, key, func(ctx context.Context) tea.Msg {
			l := listingOf(&catalog)
			r, ok := l.ranked(ctx, query)
			if !ok { // nobody waits
				return nil
			}
			return listMsg{key, l, r}
		})
	case p.unranked:
		key, l := rankKey{p, p.catalog.Rev, p.text.String()}, p.listing
		return c.listing.Want(ctx, key, func(ctx context.Context) tea.Msg {
			r, ok := l.ranked(ctx, key.query)
			if !ok {
				return nil
			}
			return rankMsg{key, r}
		})
	}
	return c.listing.Want(ctx, nil, nil)
}

// Update takes what came of work beside the screen, and asks for suggestions. It says
// false for a message about anything else.
func (c *Composer) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case suggestMsg:
		c.askSuggestions(msg)
	case listMsg:
		c.onListed(msg)
	case rankMsg:
		c.onRanked(msg)
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

// listMsg is what can be called, got ready to be found, and its order for the text typed by then.
type listMsg struct {
	of      listKey
	listing listing
	ranking ranking
}

// onListed takes what can be called, if it is still what the picker shows.
func (c *Composer) onListed(msg listMsg) {
	if c.listing.Done(msg.of) {
		msg.of.of.takeListing(msg.listing, msg.ranking)
	}
}

// rankKey is a text that is looked for in what a picker shows.
type rankKey struct {
	of    *Picker
	rev   uint64 // of the catalog
	query string
}

// rankMsg is the order of what can be called for a text.
type rankMsg struct {
	of      rankKey
	ranking ranking
}

// onRanked takes the order of what can be called, if its text is still the one that is typed.
func (c *Composer) onRanked(msg rankMsg) {
	if c.listing.Done(msg.of) {
		msg.of.of.takeRanking(msg.ranking)
	}
}
