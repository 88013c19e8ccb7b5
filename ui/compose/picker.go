package compose

import (
	"cmp"
	"context"
	"errors"
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/item"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/rank"
	"belay/ui/remedy"
	"belay/ui/scope"
)

// Picker chooses what to call. It takes text at once; enter takes the top.
type Picker struct {
	c       *Composer
	catalog session.CatalogView
	listing
	unlisted bool  // what is in the catalog is still to be got ready
	unranked bool  // order is still that of an earlier text
	order    []int // of items, best first; what must not be called comes last
	text     edit.Line
	at       int // the position in order
	top      int
	height   int
	cut      bool // the list shows a part of the chosen name, or nothing of it
	said     said
}

// Open lists what can be called.
func (c *Composer) Open() tea.Cmd {
	p := &Picker{c: c}
	_, _ = c.host.Do(session.Look{}) // which is never refused
	c.host.View(func(s *session.Session) { p.catalog = s.Catalog() })
	p.load()
	c.host.Push(p)
	return nil
}

// pull takes over a catalog that changed while the picker is open.
func (p *Picker) pull(s *session.Session) {
	c := s.Catalog()
	if c.Rev == p.catalog.Rev {
		return
	}
	p.catalog = c
	p.load()
}

// nameMost bounds the column of the names.
const nameMost = 40

// What the picker gets ready and ranks between two keys: so many things, with so many bytes of texts. More
// is done beside the screen.
const (
	listedAtOnce = 1000
	textAtOnce   = 128 << 10
)

// listing is what of a catalog the picker finds things in. Once it was made, nothing of it changes.
type listing struct {
	items    []mcp.Item // of all lists, tools first; then what must not be called
	callable int        // how many of items may be called
	texts    []rank.Text
	size     int // bytes of texts
	names    int // columns of the longest name, whatever is typed
	longest  int // about how many lines the longest description has, with the name where it is long
}

// ranking is the things of a listing that fit a text, in the order of their fit.
type ranking struct {
	query string
	order []int
}

// load gets what is in the catalog ready, or leaves it to be done beside the screen.
func (p *Picker) load() {
	if p.unlisted = isLong(&p.catalog); p.unlisted {
		return
	}
	l := listingOf(&p.catalog)
	r, _ := l.ranked(context.Background(), p.text.String())
	p.takeListing(l, r)
}

// isLong reports whether a catalog is too long to be got ready between two keys.
func isLong(c *session.CatalogView) bool {
	var all [][]mcp.Item
	n := 0
	for k := range c.Lists {
		l := &c.Lists[k]
		all = append(all, l.Items, l.Coming, l.Excluded)
		n += len(l.Items) + len(l.Coming) + len(l.Excluded)
	}
	if n > listedAtOnce {
		return true
	}
	size := 0
	for _, items := range all {
		for i := range items {
			it := &items[i]
			size += rank.Size(it.Name, it.Title, it.Description, it.URI)
		}
	}
	return size > textAtOnce
}

// takeListing takes a listing over, with its order for a text. Whoever has moved to an item stays on it, so
// that enter takes no other one.
func (p *Picker) takeListing(l listing, r ranking) {
	was, moved := p.chosen()
	moved = moved && p.at > 0
	p.listing, p.unlisted = l, false
	p.order, p.unranked = r.order, r.query != p.text.String()
	p.at, p.top = 0, 0
	if !moved {
		return
	}
	if i := slices.IndexFunc(p.order, func(i int) bool {
		it := &p.items[i]
		return it.Kind == was.Kind && it.Name == was.Name && it.URI == was.URI
	}); i > 0 {
		p.at = i
	}
}

// listingOf gets the things of a catalog ready to be found.
func listingOf(c *session.CatalogView) listing {
	p := listing{names: 12}
	var unfit []mcp.Item
	for k := range c.Lists {
		l := &c.Lists[k]
		p.add(l.Items)
		more := l.More()
		p.add(slices.DeleteFunc(slices.Clone(more), isUnfit))
		unfit = append(unfit, l.Excluded...)
		unfit = append(unfit, slices.DeleteFunc(slices.Clone(more), func(it mcp.Item) bool { return !isUnfit(it) })...)
	}
	p.callable = len(p.items)
	p.add(unfit)
	return p
}

func isUnfit(it mcp.Item) bool { return it.Unfit != "" }

func (p *listing) add(items []mcp.Item) {
	for i := range items {
		it := &items[i]
		p.items = append(p.items, *it)
		p.size += rank.Size(it.Name, it.Title, it.Description, it.URI)
		p.names = max(p.names, safe.Width(wording.NameIn(it.Name, nameMost+1)))
		lines := linesOf(it.Description)
		if len(it.Name) > nameMost {
			lines += linesOf(it.Name)
		}
		p.longest = max(p.longest, lines)
		p.texts = append(p.texts, rank.Of(it.Name, it.Title, it.Description, it.URI))
	}
}

// ranked ranks the things by a text, for as long as somebody waits; ok is false when nobody does.
func (p *listing) ranked(ctx context.Context, query string) (r ranking, ok bool) {
	order, ok := rank.Search(ctx, query, p.texts)
	callable := make([]int, 0, len(order))
	var unfit []int
	for _, i := range order {
		if i < p.callable {
			callable = append(callable, i)
		} else {
			unfit = append(unfit, i)
		}
	}
	return ranking{query, append(callable, unfit...)}, ok
}

// isLong reports whether ranking the things takes longer than a key may wait.
func (p *listing) isLong() bool { return len(p.items) > listedAtOnce || p.size > textAtOnce }

// find looks for the typed text, or leaves the search to be done beside the screen. Until then the list stays
// in its order, from its top, and no key takes anything of it.
func (p *Picker) find() {
	p.at, p.top = 0, 0
	if p.unranked = p.isLong(); !p.unranked {
		r, _ := p.ranked(context.Background(), p.text.String())
		p.order = r.order
	}
}

// takeRanking takes the order for the typed text. Whoever has moved meanwhile stays on the item.
func (p *Picker) takeRanking(r ranking) {
	was := -1
	if p.at > 0 && p.at < len(p.order) {
		was = p.order[p.at]
	}
	p.order, p.unranked = r.order, false
	p.at, p.top = max(0, slices.Index(p.order, was)), 0
}

// left is 1 for an item that must not be called, else 0.
func (p *Picker) left(i int) int {
	if i >= p.callable {
		return 1
	}
	return 0
}

// Scope is where its keys work.
func (p *Picker) Scope() keymap.Scope { return scope.Picker }

// move moves the choice by n.
func (p *Picker) move(n int) {
	p.at = max(0, min(p.at+n, len(p.order)-1))
}

func (p *Picker) chosen() (mcp.Item, bool) {
	if p.at >= len(p.order) {
		return mcp.Item{}, false
	}
	return p.items[p.order[p.at]], true
}

// Key changes what is looked for.
func (p *Picker) Key(k tea.KeyPressMsg) tea.Cmd {
	if _, changed := p.text.Key(panel.FieldKey(k)); changed {
		p.find()
	}
	return nil
}

// Paste adds to what is looked for.
func (p *Picker) Paste(text string) tea.Cmd {
	p.text.Insert(text)
	p.find()
	return nil
}

// Close calls nothing.
func (p *Picker) Close() tea.Cmd {
	p.c.host.Pop(p)
	return nil
}

// rest are the lines of the picker that are no items: the text field, a rule, the
// lines about the chosen item, an empty line, the keys and the frame.
func (p *Picker) rest() int {
	const few, more, beside = 7, 9, 7
	h := p.c.host.Screen().Layout.Body.Dy()
	if h < 20 {
		return few
	}
	list := min(len(p.items), h/4+1) // which keeps so many
	return max(more, min(beside+p.longest, h-2-list))
}

// Draw draws the list, and what is said of the chosen thing.
func (p *Picker) Draw(frame *panel.Frame) *image.Point {
	w := min(100, frame.Layout.Body.Dx()-4)
	g := frame.Box(w, min(frame.Layout.Body.Dy()-2, max(len(p.items), 8)+p.rest()), "New call", frame.Styles.FrameFocus)
	field := g.Sub(1, 0, g.W()-2, 1)
	field.Fill(frame.Styles.Input)
	shown, cursor := p.text.View(field.W() - 2)
	if p.text.Empty() {
		field.Put(1, 0, "type a name", frame.Styles.Placeholder)
	} else {
		field.Put(1, 0, shown, frame.Styles.Input)
	}
	p.height = max(0, g.H()-p.rest()+1)
	p.drawItems(frame, g.Sub(1, 1, g.W()-2, p.height))
	y := 1 + p.height
	g.Repeat(1, y, g.W()-2, string(frame.Glyphs.Rule), frame.Styles.Faint)
	p.drawAbout(frame, g.Sub(1, y+1, g.W()-2, g.H()-y-2))
	frame.Hint(g.Row(g.H()-1), 1, scope.Picker)
	return field.Cursor(1+cursor, 0)
}

// problems says why nothing can be called any more, or which lists could not be had, or are not
// whole yet.
func (p *Picker) problems() safe.Text {
	if err := p.gone(); err != nil {
		return panel.ErrorWords(err)
	}
	var t safe.Text
	for k, l := range p.catalog.Lists {
		var is safe.Text
		switch {
		case l.Loading && len(l.Coming) > 0:
			is = wording.Thousands(len(l.Coming)) + " came, the rest is being fetched" + p.c.host.Screen().Glyphs.Dots
		case l.Problem == "":
			continue
		case l.Stale:
			is = "stale, " + remedy.With(safe.LineN(l.Problem, 200), l.Remedy)
		default:
			is = remedy.With(safe.LineN(l.Problem, 200), l.Remedy)
		}
		if t != "" {
			t += " · "
		}
		t += item.Kind(mcp.ListKind(k)) + "s: " + is
	}
	return t
}

// gone is why nothing can be called since the connection ended; nil: it did not.
func (p *Picker) gone() error {
	if s := p.c.host.Screen().Status; s.Phase == session.Disconnected {
		return s.CheckCall()
	}
	return nil
}

// isWhole reports whether all lists were fetched to their ends.
func (p *Picker) isWhole() bool {
	for k := range p.catalog.Lists {
		if l := &p.catalog.Lists[k]; l.Loading || l.Problem != "" {
			return false
		}
	}
	return true
}

func (p *Picker) drawItems(frame *panel.Frame, g canvas.Region) {
	p.cut = true
	if t := p.problems(); t != "" && len(p.order) > 0 && g.H() > 1 {
		g.Put(1, 0, safe.Cut(t, g.W()-2), frame.Styles.Bad)
		g = g.Sub(0, 1, g.W(), g.H()-1)
	}
	if len(p.order) == 0 {
		g.Put(1, 0, p.emptyWords(), frame.Styles.Muted)
		return
	}
	p.top = max(min(p.top, p.at), p.at-g.H()+1)
	frame.Thumb(g, p.top, len(p.order))
	nameWidth := min(p.names, nameMost, g.W()/2)
	for y := range g.H() {
		i := p.top + y
		if i >= len(p.order) {
			return
		}
		it := p.items[p.order[i]]
		row := g.Row(y)
		kind, kindStyle, nameStyle, aboutStyle := item.Kind(it.Kind), frame.Styles.Muted, frame.Styles.Strong, frame.Styles.Muted
		about := item.Twins(&it)
		if text := cmp.Or(it.Description, it.Title, it.URI); text != "" {
			about += frame.Glyphs.Quote + " " + safe.LineN(safe.Unbroken(text, 4*row.W()), row.W())
		}
		if is := item.Fault(&it); is != "" {
			about, aboutStyle = item.Twins(&it)+is, frame.Styles.Warn
		}
		if p.left(p.order[i]) > 0 {
			kind, kindStyle, nameStyle, about = "left out", frame.Styles.Warn, frame.Styles.Muted, safe.LineN(it.Unfit, row.W())
		}
		row.Put(1, 0, kind, kindStyle)
		room := row.W() - 12
		if about != "" { // which leaves its room to the name
			room = max(nameWidth, room-2-safe.Width(about))
		}
		name := wording.NameIn(it.Name, room)
		at := max(11+nameWidth, row.Put(11, 0, name, nameStyle)) + 2
		row.Put(at, 0, safe.Cut(about, row.W()-at-1), aboutStyle)
		if i == p.at {
			p.cut = name != wording.NameIn(it.Name, room+1)
			frame.Select(row, !p.unranked)
		}
	}
}

// emptyWords say why the list is empty.
func (p *Picker) emptyWords() safe.Text {
	if p.c.host.Screen().Status.Phase == session.Connecting {
		return "belay is still connecting" + p.c.host.Screen().Glyphs.Dots + " this list fills in by itself"
	}
	if p.unlisted {
		return "what the server offers is being listed" + p.c.host.Screen().Glyphs.Dots
	}
	if p.unranked {
		return seeking + p.c.host.Screen().Glyphs.Dots
	}
	if !p.text.Empty() && p.isWhole() {
		return "nothing has that name · :send takes any method"
	}
	if !p.text.Empty() {
		t := safe.Text("nothing that came has that name")
		if why := p.problems(); why != "" {
			return t + " · " + why
		}
		return t + " · the lists are being fetched" + p.c.host.Screen().Glyphs.Dots
	}
	for _, l := range p.catalog.Lists {
		if l.Loading {
			return "the lists are being fetched" + p.c.host.Screen().Glyphs.Dots
		}
	}
	if why := p.problems(); why != "" {
		return why
	}
	return "the server offers nothing to call · :reload tools asks it anyway"
}

// seeking is the reason why nothing is taken of a list in the order of an earlier text.
const seeking = "what was typed is still being looked for"

// subscribe hears of the changes of the chosen resource.
func (p *Picker) subscribe() tea.Cmd {
	it, _ := p.chosen()
	p.c.host.Pop(p)
	return p.c.host.Want(panel.Subscribe{URI: it.URI})
}

func (p *Picker) noResource() string {
	if p.unranked {
		return seeking
	}
	if it, ok := p.chosen(); !ok || it.Kind != mcp.Resources {
		return "only a resource can be subscribed to"
	}
	return NoSubscribing(p.c.host.Screen().Status)
}

// NoSubscribing is why no resource can be subscribed to.
func NoSubscribing(s *session.Status) string {
	return WhyNot(s.CheckSubscribe(mcp.Filter{URIs: []string{"x:"}}))
}

// WhyNot says why a subscription is refused, and what to do instead.
func WhyNot(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, session.ErrUndeclared):
		return string(panel.ErrorWords(err)) + "; :send can ask it anyway"
	case errors.Is(err, session.ErrNotSupported):
		return string(panel.ErrorWords(err)) + "; :subscribe URI is for resources"
	}
	return string(panel.ErrorWords(err))
}
