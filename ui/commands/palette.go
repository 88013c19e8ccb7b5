// Package commands has the palette: the line in which a command is typed, and over it
// the list of the commands that fit. What is typed finds names first, by their letters
// in order, and then what the descriptions say.
package commands

import (
	"cmp"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/dialog"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/rank"
	"belay/ui/scope"
)

// Command is something that the palette can do.
type Command struct {
	Name string
	Arg  string // what comes behind the name; in brackets when it may be left out
	Help string
	Why  func() string // why it cannot be done now; empty: it can
}

// usage is the name with what comes behind it.
func (c *Command) usage() safe.Text { return safe.Text(strings.TrimSpace(c.Name + " " + c.Arg)) }

// needsArg reports whether the command does nothing without an argument.
func (c *Command) needsArg() bool { return c.Arg != "" && c.Arg[0] != '[' }

// off is 1 for what cannot be done now, else 0.
func (c *Command) off() int { return min(len(c.Why()), 1) }

// Palette chooses a command. Make one with [New].
type Palette struct {
	host  panel.Host
	run   func(name, arg string) tea.Cmd
	line  dialog.Line
	all   []Command
	texts []rank.Text
	order []int // of all, best first

	at     int  // the position in order of what is chosen; -1: nothing is
	moved  bool // the user has chosen it
	top    int  // the first line that is seen
	height int
}

// New makes a palette of commands, with what was typed in those before it. Run carries
// out the one that is taken.
func New(h panel.Host, all []Command, before *dialog.History, run func(name, arg string) tea.Cmd) *Palette {
	p := &Palette{host: h, run: run, all: all}
	p.line = dialog.Line{Host: h, Label: ":", Placeholder: "type a command", History: before}
	for i := range all {
		p.texts = append(p.texts, rank.Of(all[i].Name, "", all[i].Help, ""))
	}
	p.find()
	return p
}

// Set types a text in the place of what is there.
func (p *Palette) Set(text string) {
	p.line.Text.Set(text)
	p.find()
}

// Scope is where its keys work.
func (p *Palette) Scope() keymap.Scope { return scope.Commands }

// typed takes what was typed apart.
func (p *Palette) typed() (name, arg string, hasArg bool) {
	name, arg, hasArg = strings.Cut(strings.TrimLeft(p.line.Text.String(), " "), " ")
	return name, strings.TrimSpace(arg), hasArg
}

// find finds the commands that fit what was typed. Behind a name is the argument: only
// the command of that name fits then, or those that begin so.
func (p *Palette) find() {
	name, _, hasArg := p.typed()
	p.order = rank.Order(name, p.texts)
	switch {
	case hasArg:
		exact := slices.DeleteFunc(slices.Clone(p.order), func(i int) bool { return p.all[i].Name != name })
		if len(exact) > 0 {
			p.order = exact
		} else {
			p.order = slices.DeleteFunc(p.order, func(i int) bool { return !strings.HasPrefix(p.all[i].Name, name) })
		}
	case name == "":
		slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.all[a].off(), p.all[b].off()) })
	}
	p.at, p.moved, p.top = 0, false, 0
	if name == "" {
		p.at = -1 // a stray enter must not do anything
	}
}

func (p *Palette) chosen() *Command {
	if p.at < 0 || p.at >= len(p.order) {
		return nil
	}
	return &p.all[p.order[p.at]]
}

// IsIdle reports whether nothing is chosen, as no command fits or none was looked for: enter
// runs nothing then.
func (p *Palette) IsIdle() bool { return p.chosen() == nil }

// Empty reports whether no command fits.
func (p *Palette) Empty() bool { return len(p.order) == 0 }

// Scroll moves the choice by n.
func (p *Palette) Scroll(n int) { p.move(n) }

// down moves the choice, or goes on to what was typed after a line that was recalled.
func (p *Palette) down() {
	if p.line.IsRecalled() && !p.moved {
		p.recall(-1)
		return
	}
	p.move(1)
}

// up moves the choice. From an empty line it brings back what was typed before, as in a
// shell, and from such a line what was typed before that.
func (p *Palette) up() {
	if !p.moved && (p.line.Text.Empty() || p.line.IsRecalled()) {
		p.recall(1)
		return
	}
	p.move(-1)
}

func (p *Palette) move(n int) {
	p.at = max(0, min(p.at+n, len(p.order)-1))
	p.moved = true
}

// Key changes what is typed.
func (p *Palette) Key(k tea.KeyPressMsg) tea.Cmd {
	if _, changed := p.line.Text.Key(panel.FieldKey(k)); changed {
		p.find()
	}
	return nil
}

// Paste adds to what is typed.
func (p *Palette) Paste(text string) tea.Cmd {
	p.line.Text.Insert(text)
	p.find()
	return nil
}

// Close does nothing of what is listed.
func (p *Palette) Close() tea.Cmd {
	p.host.Pop(p)
	return nil
}

// recall brings back a line that was typed before.
func (p *Palette) recall(n int) {
	p.line.Recall(n)
	p.find()
}

// complete types the name of what is chosen, or of what fits best.
func (p *Palette) complete() {
	if _, _, hasArg := p.typed(); len(p.order) == 0 || hasArg && !p.moved {
		return
	}
	c := &p.all[p.order[max(p.at, 0)]]
	name := c.Name
	if c.Arg != "" {
		name += " "
	}
	p.Set(name)
}

// take carries out what is chosen. The name of a command that needs an argument is typed first,
// with a blank behind it. Where name and blank are typed, the command says what it wants.
func (p *Palette) take() tea.Cmd {
	name, arg, hasArg := p.typed()
	c := p.chosen()
	switch {
	case c == nil && name == "":
		return p.Close()
	case c == nil:
		p.host.Pop(p)
		return p.host.Say(panel.Refused("there is no command " + safe.QuotedCut(name, 30) + "; : lists them"))
	case c.Name != name && hasArg && !p.moved && len(p.order) > 1:
		p.host.Pop(p)
		return p.host.Say(panel.Refused("several commands begin with " + safe.QuotedCut(name, 30)))
	case (c.Name != name || !hasArg) && c.needsArg() && arg == "" && c.off() == 0:
		p.Set(c.Name + " ")
		return nil
	}
	p.host.Pop(p)
	if c.Name != name && !hasArg {
		arg = ""
	}
	p.line.History.Add(strings.TrimSpace(c.Name + " " + arg))
	return p.run(c.Name, arg)
}

// Draw draws the line over the footer, and the list above it.
func (p *Palette) Draw(f *panel.Frame) *image.Point {
	if !f.IsTiny() {
		p.drawList(f)
	}
	return p.line.Draw(f)
}
