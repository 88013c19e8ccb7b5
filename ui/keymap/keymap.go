// Package keymap holds everything about a key in one [Binding]: its keys, name, action, and
// place, and the reason why the action is not possible right now. Dispatch, the footer, the
// help, the palette and docs/keys.md all read the same value, so that none of them can tell a
// different story.
//
// Of Bubbles, key is taken: a [key.Binding] says which keys an action has, how they are
// written for people, and what the footer calls it. A Binding is more than that, as a
// key.Binding has no action and no place where it works. It is also just enabled or not,
// and belay tells the user the reason.
//
// Of Bubbles, help was weighed and not taken. The lines that it makes leave disabled keys
// out, which belay lists with their reason, and are styled strings, where the footer is
// cells of a canvas, some of which can be clicked.
package keymap

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Scope is a set of places where a key works.
type Scope uint64

// Binding is one thing that can be done. S is the state that it acts on.
type Binding[S any] struct {
	Name string // what it is called: "cancel"; unique

	// Key has the keys as [tea.Key.String] writes them; a command of the palette
	// may have none. Its help is how the keys are written for people, see
	// [Binding.KeyText], and one or two words for the footer. It is always enabled:
	// Disabled says when something cannot be done.
	Key   key.Binding
	Typed bool // it takes all text that is typed, where no key is bound

	Help  string // a sentence without a full stop, for the help and docs/keys.md
	Group string // the heading that it stands under
	Where Scope
	First bool // its keys are its own where others of theirs work as well, wherever it is listed

	// Command is what the palette calls it, without the colon, and Arg what
	// comes behind ("LEVEL"; in brackets when it may be left out). Empty: it is
	// not in the palette.
	Command, Arg string

	// Footer orders the hints of the footer; 0 leaves it out. A shy one is there only while
	// it can be done.
	Footer int
	Shy    bool

	// Disabled says in a sentence why it cannot be done now, or "". Nil: it
	// always can.
	Disabled func(S) string
	// Run does it. arg is what was typed behind the command, or "". Where there is
	// no command it is the key, or the text that was typed.
	Run func(s S, arg string) tea.Cmd
}

// Reason is why b cannot be done now; empty when it can.
func (b *Binding[S]) Reason(s S) string {
	if b.Disabled == nil {
		return ""
	}
	return b.Disabled(s)
}

// KeyText is how the keys are written for people: as the help of Key says, or else as
// they are called, with blanks between them.
func (b *Binding[S]) KeyText() string {
	if shown := b.Key.Help().Key; shown != "" {
		return shown
	}
	return strings.Join(b.Key.Keys(), " ")
}

// In reports whether b works in the scope.
func (b *Binding[S]) In(s Scope) bool { return b.Where&s != 0 }

// Map is a set of bindings. Make one with [New].
type Map[S any] struct {
	all   []*Binding[S]
	byKey map[string][]*Binding[S]
	typed []*Binding[S]
}

// New makes a map of the bindings, in the order in which help shows them. It
// fails when two bindings have the same name or command, or the same key in
// the same place, or when one lacks its words or has a Key that is not enabled.
func New[S any](bindings []Binding[S]) (*Map[S], error) {
	m := &Map[S]{byKey: map[string][]*Binding[S]{}}
	names := map[string]bool{}
	for i := range bindings {
		b := &bindings[i]
		if err := check(b); err != nil {
			return nil, err
		}
		for _, name := range []string{b.Name, ":" + b.Command} {
			if name != ":" && names[name] {
				return nil, fmt.Errorf("keymap: two bindings are called %q", name)
			}
			names[name] = true
		}
		if b.Typed {
			for _, other := range m.typed {
				if other.Where&b.Where != 0 {
					return nil, fmt.Errorf("keymap: text is for both %q and %q in one place", other.Name, b.Name)
				}
			}
			m.typed = append(m.typed, b)
		}
		for _, k := range b.Key.Keys() {
			for _, other := range m.byKey[k] {
				if other.Where&b.Where != 0 {
					return nil, fmt.Errorf("keymap: %q is both %q and %q in one place", k, other.Name, b.Name)
				}
			}
			if b.First {
				m.byKey[k] = slices.Insert(m.byKey[k], 0, b)
				continue
			}
			m.byKey[k] = append(m.byKey[k], b)
		}
		m.all = append(m.all, b)
	}
	return m, nil
}

func check[S any](b *Binding[S]) error {
	keys := b.Key.Keys()
	switch {
	case b.Name == "" || b.Help == "" || b.Group == "" || b.Run == nil:
		return fmt.Errorf("keymap: %q lacks its name, help, group or action", b.Name)
	case len(keys) == 0 && b.Command == "" && !b.Typed:
		return fmt.Errorf("keymap: %q has neither a key nor a command", b.Name)
	case (len(keys) > 0 || b.Typed) && b.Where == 0:
		return fmt.Errorf("keymap: %q works nowhere", b.Name)
	case len(keys) > 0 && !b.Key.Enabled():
		return fmt.Errorf("keymap: %q is disabled without a reason", b.Name)
	case b.Footer != 0 && b.Key.Help().Desc == "":
		return fmt.Errorf("keymap: %q is in the footer without a word", b.Name)
	}
	return nil
}

// All are the bindings in their order. They are not to be changed.
func (m *Map[S]) All() []*Binding[S] { return m.all }

// Find is the binding of a key in a scope, also when it is disabled. The name is that of
// [tea.Key.String].
func (m *Map[S]) Find(scope Scope, name string) (*Binding[S], bool) {
	for _, b := range m.byKey[name] {
		if b.In(scope) {
			return b, true
		}
	}
	return nil, false
}

// Typed is the binding that takes what is typed in a scope.
func (m *Map[S]) Typed(scope Scope) (*Binding[S], bool) {
	for _, b := range m.typed {
		if b.In(scope) {
			return b, true
		}
	}
	return nil, false
}

// Named is the binding with that name.
func (m *Map[S]) Named(name string) (*Binding[S], bool) {
	i := slices.IndexFunc(m.all, func(b *Binding[S]) bool { return b.Name == name })
	if i < 0 {
		return nil, false
	}
	return m.all[i], true
}

// Footer are the bindings of a scope that the footer shows, most important
// first.
func (m *Map[S]) Footer(scope Scope) []*Binding[S] {
	var hints []*Binding[S]
	for _, b := range m.all {
		if b.Footer != 0 && b.In(scope) {
			hints = append(hints, b)
		}
	}
	slices.SortStableFunc(hints, func(a, b *Binding[S]) int { return a.Footer - b.Footer })
	return hints
}

// Commands are the bindings of the palette, by name.
func (m *Map[S]) Commands() []*Binding[S] {
	var cmds []*Binding[S]
	for _, b := range m.all {
		if b.Command != "" {
			cmds = append(cmds, b)
		}
	}
	slices.SortFunc(cmds, func(a, b *Binding[S]) int { return strings.Compare(a.Command, b.Command) })
	return cmds
}

// Groups are the headings in the order of their first binding.
func (m *Map[S]) Groups() []string {
	var groups []string
	for _, b := range m.all {
		if !slices.Contains(groups, b.Group) {
			groups = append(groups, b.Group)
		}
	}
	return groups
}

// Lift makes bindings of a part those of the whole that has the part.
func Lift[S, P any](bindings []Binding[P], part func(S) P) []Binding[S] {
	lifted := make([]Binding[S], 0, len(bindings))
	for _, b := range bindings {
		l := Binding[S]{
			Name: b.Name, Key: b.Key, Typed: b.Typed, Help: b.Help, Group: b.Group, Where: b.Where, First: b.First,
			Command: b.Command, Arg: b.Arg, Footer: b.Footer, Shy: b.Shy,
			Run: func(s S, arg string) tea.Cmd { return b.Run(part(s), arg) },
		}
		if b.Disabled != nil {
			l.Disabled = func(s S) string { return b.Disabled(part(s)) }
		}
		lifted = append(lifted, l)
	}
	return lifted
}

// Disable gives those of the bindings that match one more reason why they cannot be done.
func Disable[S any](bindings []Binding[S], match func(*Binding[S]) bool, why func(S) string) []Binding[S] {
	out := slices.Clone(bindings)
	for i := range out {
		b := &out[i]
		if !match(b) {
			continue
		}
		other := b.Disabled
		b.Disabled = func(s S) string {
			if reason := why(s); reason != "" || other == nil {
				return reason
			}
			return other(s)
		}
	}
	return out
}

// Do makes an action of one that takes no argument.
func Do[S any](f func(S)) func(S, string) tea.Cmd {
	return func(s S, _ string) tea.Cmd {
		f(s)
		return nil
	}
}

// Cmd makes an action of one that takes no argument and returns a command.
func Cmd[S any](f func(S) tea.Cmd) func(S, string) tea.Cmd {
	return func(s S, _ string) tea.Cmd { return f(s) }
}
