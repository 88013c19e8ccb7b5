package form

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Found are the options that the filter finds, by their place; without a filter
// all of them.
func (n *Node) Found() []int {
	if n.found == nil {
		n.found = make([]int, 0, len(n.Options))
		want := strings.ToLower(n.Filter.String())
		var within []int
		for i := range n.Options {
			switch {
			case strings.HasPrefix(n.Options[i].lower, want):
				n.found = append(n.found, i)
			case strings.Contains(n.Options[i].lower, want):
				within = append(within, i)
			}
		}
		n.found = append(n.found, within...)
	}
	return n.found
}

// Filtered follows a change of the filter. A Choice whose option is filtered out
// takes the first option that is left.
func (n *Node) Filtered() {
	n.found = nil
	found := n.Found()
	if n.Filter.Empty() || len(found) == 0 {
		return
	}
	if n.Kind == Choice {
		if !slices.Contains(found, n.Choice()) {
			n.pick(found[0])
		}
		return
	}
	n.cursor = found[0]
}

// Jump goes to the next option that begins with the text: a Choice takes it. It
// is for options that stand in a row. It says false when there is none.
func (n *Node) Jump(text string) bool {
	from, count := n.cursor, len(n.Options)
	text = strings.ToLower(text)
	for i := range count {
		at := (from + i) % count
		if i == 0 && (n.Kind == Many || n.IsPicked(at)) {
			continue
		}
		if strings.HasPrefix(n.Options[at].lower, text) {
			if n.cursor = at; n.Kind == Choice {
				n.pick(at)
			}
			return true
		}
	}
	return false
}

// ClearFilter empties the filter.
func (n *Node) ClearFilter() {
	if !n.Filter.Empty() {
		n.Filter.Set("")
		n.found = nil
	}
}

// optionsMost is how many values anybody chooses among.
const optionsMost = 20_000

const tooManyOptions = NotShown + "the values to choose among, which are more than 20,000"

// inlineMost is what the titles of options may take together to stand in a row.
const inlineMost = 48

// setOptions takes the options over, each value once.
func (t *Type) setOptions(options []Option) {
	t.places = make(map[string]int, len(options))
	for _, o := range options {
		v, err := compact(o.Value)
		if err != nil {
			continue
		}
		o.Value, o.canon = v, canon(v)
		if _, ok := t.places[o.canon]; ok {
			t.Note = "the schema has an option twice"
			continue
		}
		t.places[o.canon] = len(t.Options)
		t.Options = append(t.Options, o)
	}
	tellApart(t.Options)
	width := 0
	for i := range t.Options {
		o := &t.Options[i]
		o.lower = strings.ToLower(o.Title)
		width += utf8.RuneCountInString(o.Title) + 3
	}
	t.inline = width <= inlineMost
}

// tellApart names the options by their JSON whose titles are blank, or the same
// as another's: the text "1" and the number. A JSON may be what another one is
// called; where that goes on and on, all are named by their JSON.
func tellApart(options []Option) {
	const rounds = 4
	for round := 0; ; round++ {
		again := false
		count := map[string]int{"": 2}
		for i := range options {
			count[strings.TrimSpace(options[i].Title)]++
		}
		for i := range options {
			o := &options[i]
			if count[strings.TrimSpace(o.Title)] < 2 && round < rounds {
				continue
			}
			if raw := string(o.Value); o.Title != raw {
				o.Title, again = raw, true
			}
		}
		if !again || round == rounds {
			return
		}
	}
}

// IsInline reports whether the options are few and short enough to stand in a row.
func (t *Type) IsInline() bool { return t.inline }
