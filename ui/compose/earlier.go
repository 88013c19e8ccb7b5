package compose

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/formview"
	"belay/ui/panel"
)

// earlier are the arguments of earlier calls that a form offers.
type earlier struct {
	asked bool // for the sets, …
	known bool // … which have come
	keyed bool // their key was pressed before that
	sets  []Set
	// The first view holds what was typed, and the others the sets, from when they were first
	// looked at. Each stays as it was left, so that nothing that was typed is lost.
	views []*formview.View
	at    int // the view that is shown
}

// drop forgets the sets. What is shown stays, as what was typed.
func (e *earlier) drop() { *e = earlier{} }

// earlierMsg are the sets that are kept of what a form calls.
type earlierMsg struct {
	of   *Form
	sets []Set
	err  error
}

// readEarlier has the sets read that the form on the screen is to offer.
func (c *Composer) readEarlier() tea.Cmd {
	f, ok := c.host.Screen().Top.(*Form)
	if !ok || f.earlier.asked || c.memory.Forgetful() != "" {
		return nil
	}
	f.earlier.asked = true
	memory, method, name := c.memory, f.method, f.name
	return func() tea.Msg {
		sets, err := memory.Earlier(method, name)
		return earlierMsg{f, sets, err}
	}
}

// onEarlier takes the sets of a form, and the wish to see one of them.
func (c *Composer) onEarlier(msg earlierMsg) tea.Cmd {
	e := &msg.of.earlier
	if e.at != 0 { // a draft that shows one of those that were read before
		return nil
	}
	e.known, e.sets, e.views = true, msg.sets, nil
	keyed := e.keyed
	e.keyed = false
	switch {
	case msg.err != nil:
		return c.onRemembered(msg.err)
	case !keyed || c.host.Screen().Top != panel.Panel(msg.of):
		return nil
	case len(e.sets) == 0:
		return c.host.Say(panel.Refused(noEarlier))
	}
	return msg.of.showEarlier()
}

const noEarlier = "no arguments of earlier calls of this are kept"

// noneEarlier is why there is nothing to be loaded.
func (f *Form) noneEarlier() string {
	switch why := f.c.memory.Forgetful(); {
	case why != "":
		return why
	case f.earlier.known && len(f.earlier.sets) == 0:
		return noEarlier
	}
	return ""
}

// showEarlier puts the next older set into the form, and after the oldest what was typed.
func (f *Form) showEarlier() tea.Cmd {
	e := &f.earlier
	if !e.known {
		e.keyed = true
		return nil
	}
	if e.views == nil {
		e.views = make([]*formview.View, len(e.sets)+1)
	}
	e.views[e.at] = f.Fields
	to := (e.at + 1) % len(e.views)
	if e.views[to] == nil {
		v := f.fresh()
		if err := v.Load(e.sets[to-1].Arguments); err != nil {
			return f.c.host.Say(panel.Error(err))
		}
		e.views[to] = v
	}
	e.at, f.Fields, f.toConfirm = to, e.views[to], nil
	return f.c.host.Say(panel.Said(f.earlierWords()))
}

// earlierWords say which set is shown.
func (f *Form) earlierWords() safe.Text {
	e := &f.earlier
	if e.at == 0 {
		return "what you typed · ctrl+r loads earlier arguments again"
	}
	set := &e.sets[e.at-1]
	words := "arguments " + wording.Thousands(e.at) + " of " + wording.Thousands(len(e.sets)) + ", " + wording.Ago(f.c.host.Screen().Now.Sub(set.Made))
	if len(set.Without) == 0 {
		return words
	}
	return words + " · without " + withoutWords(set.Without, 3) + ", as belay keeps no secrets"
}

// withoutWords name what was left out of a set: so much of it as is read in a glance.
func withoutWords(names []string, most int) (words safe.Text) {
	const width = 66 // of the names, in a sentence of two lines of 80 columns
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			words += ", "
		}
		words += wording.NameIn(name, 30)
	}
	if more := len(names) - most; more > 0 {
		words += " and " + wording.Thousands(more) + " more"
	}
	if safe.Width(words) > width && most > 1 {
		return withoutWords(names, most-1)
	}
	return words
}
