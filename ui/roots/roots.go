// Package roots is the command :root and the page of the directories that belay names
// to the server.
package roots

import (
	"net/url"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/write"
)

// Backend is what the roots need from outside beside the session.
type Backend interface {
	// Root makes a root of a directory, and says why it cannot be one. It may block.
	Root(dir string) (session.Root, error)
}

// Roots are the directories. Make them with [New].
type Roots struct {
	host    panel.Host
	backend Backend
	page    *dialog.Page // that was opened last; nil: none was
}

// New are the roots of the session that the host shows.
func New(h panel.Host, b Backend) *Roots { return &Roots{host: h, backend: b} }

// Commands are what the user types about the roots.
func Commands() []keymap.Binding[*Roots] {
	return []keymap.Binding[*Roots]{{
		Name: "roots", Group: "Commands", Command: "root", Arg: "[add DIR or remove DIR]",
		Help: "the directories that belay names to the server: list, add, remove", Run: (*Roots).Command,
	}}
}

// Command is :root: it lists the roots, adds one, or takes one away.
func (r *Roots) Command(arg string) tea.Cmd {
	word, dir, _ := strings.Cut(arg, " ")
	dir = strings.TrimSpace(dir)
	switch {
	case arg == "":
		r.open()
		return nil
	case word == "add" && dir != "":
		return r.find(dir, func(root session.Root, err error) tea.Cmd {
			if err != nil {
				return r.host.Say(panel.Refused("not added: " + safe.LineN(err.Error(), 200)))
			}
			return r.add(root)
		})
	case word == "remove" && dir != "":
		return r.find(dir, func(root session.Root, err error) tea.Cmd {
			if err != nil { // it may be gone from the disk
				root = session.Root{URI: dir, Name: dir}
			}
			return r.remove(root, dir)
		})
	}
	return r.host.Say(panel.Refused("type :root, :root add DIR or :root remove DIR"))
}

// find makes a root of a directory, outside of Update.
func (r *Roots) find(dir string, then func(root session.Root, err error) tea.Cmd) tea.Cmd {
	find := r.backend.Root
	return func() tea.Msg {
		root, err := find(dir)
		return panel.Done{Then: func() tea.Cmd { return then(root, err) }}
	}
}

func (r *Roots) all() (roots []session.Root) {
	r.host.View(func(s *session.Session) { roots = slices.Clone(s.Config().Roots) })
	return roots
}

func (r *Roots) add(root session.Root) tea.Cmd {
	roots := r.all()
	if slices.ContainsFunc(roots, func(o session.Root) bool { return o.URI == root.URI }) {
		return r.host.Say(panel.Refused(rootWords(root) + " is a root already"))
	}
	return r.set(append(roots, root), "added the root "+rootWords(root), "declared from the next :restart on")
}

// remove takes away the root of a directory, which may be named by its path
// or its name as well.
func (r *Roots) remove(root session.Root, typed string) tea.Cmd {
	roots := r.all()
	i := slices.IndexFunc(roots, func(o session.Root) bool {
		return o.URI == root.URI || o.Name == typed || rootPath(o) == strings.TrimSuffix(typed, "/")
	})
	if i < 0 {
		return r.host.Say(panel.Refused(safe.QuotedCut(typed, 60) + " is no root; :root lists them"))
	}
	gone := roots[i]
	return r.set(slices.Delete(roots, i, i+1), "removed the root "+rootWords(gone), "this server was told of none")
}

// set says how the roots changed, and what that means for a server to which
// belay declared no roots.
func (r *Roots) set(roots []session.Root, done, untold safe.Text) tea.Cmd {
	reply, err := r.host.Do(session.SetRoots{Roots: roots})
	if err != nil {
		return r.host.Say(panel.Error(err))
	}
	if !reply.Told && rootsUntold(r.host.Screen().Status) {
		done = safe.Cut(done, 42) + " · " + untold
	}
	if r.page != nil {
		r.page.Redo()
	}
	return r.host.Say(panel.Said(done))
}

// rootsFile is what the page of roots is saved as.
const rootsFile = "roots.txt"

// rootsUntold reports whether the server was told at the start that belay has no
// roots. Until 2025-11-25 it cannot be told otherwise on that connection.
func rootsUntold(s *session.Status) bool {
	return (s.Phase == session.Ready || s.Phase == session.Connecting) && !s.RootsTold && !s.Revision.IsModern()
}

func rootPath(r session.Root) string {
	u, err := url.Parse(r.URI)
	if err != nil {
		return ""
	}
	return u.Path
}

func rootWords(r session.Root) safe.Text { return safe.QuotedCut(rootPath(r), 80) }

// open lists what the server is told of.
func (r *Roots) open() {
	if r.page != nil {
		r.host.Pop(r.page)
	}
	r.page = &dialog.Page{Host: r.host, Title: "Roots", Name: rootsFile, Build: func(d *write.Writer, s panel.Screen) {
		roots := r.all()
		var gone []session.Root
		r.host.View(func(core *session.Session) { gone = core.UnreadableRoots() })
		d.Add(0, doc.Span{Text: "The directories that belay names to a server that asks for roots. It reads nothing in them itself.", Style: d.Styles.Muted})
		if s.Status.Revision.IsModern() {
			d.Add(0, doc.Span{Text: "2026-07-28 advises against roots in what is new: they are here to try servers with.", Style: d.Styles.Warn})
		}
		d.Blank()
		for _, r := range roots {
			uri, style := safe.LineN(r.URI, 1000), d.Styles.Text
			if slices.Contains(gone, r) {
				uri, style = uri+" · cannot be read now, and is not named", d.Styles.Warn
			}
			d.Field(safe.Cut(safe.LineN(r.Name, 40), 10), uri, style)
		}
		if len(roots) == 0 {
			d.Add(0, doc.Span{Text: "There are none.", Style: d.Styles.Text})
		}
		d.Blank()
		if rootsUntold(s.Status) {
			d.Add(0, doc.Span{
				Text: "This server was told at its start that there are none, and asks for none: what you add is declared from the next :restart on. " +
					"With --root DIR on the command line it is declared from the first.",
				Style: d.Styles.Warn,
			})
			d.Blank()
		}
		d.Add(0, doc.Span{Text: ":root add DIR and :root remove DIR change them.", Style: d.Styles.Muted})
	}}
	r.host.Push(r.page)
}
