package ui

import (
	"net/url"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/write"
)

// rootCommand is :root: it lists the roots, adds one, or takes one away.
func (m *Model) rootCommand(arg string) tea.Cmd {
	word, dir, _ := strings.Cut(arg, " ")
	dir = strings.TrimSpace(dir)
	switch {
	case arg == "":
		m.openRoots()
		return nil
	case word == "add" && dir != "":
		return m.findRoot(dir, func(r session.Root, err error) tea.Cmd {
			if err != nil {
				return m.say(panel.Refused("not added: " + safe.LineN(err.Error(), 200)))
			}
			return m.addRoot(r)
		})
	case word == "remove" && dir != "":
		return m.findRoot(dir, func(r session.Root, err error) tea.Cmd {
			if err != nil { // it may be gone from the disk
				r = session.Root{URI: dir, Name: dir}
			}
			return m.removeRoot(r, dir)
		})
	}
	return m.say(panel.Refused("type :root, :root add DIR or :root remove DIR"))
}

// findRoot makes a root of a directory, outside of Update.
func (m *Model) findRoot(dir string, then func(r session.Root, err error) tea.Cmd) tea.Cmd {
	find := m.backend.Root
	return func() tea.Msg {
		r, err := find(dir)
		return panel.Done{Then: func() tea.Cmd { return then(r, err) }}
	}
}

func (m *Model) roots() (roots []session.Root) {
	m.backend.View(func(s *session.Session) { roots = slices.Clone(s.Config().Roots) })
	return roots
}

func (m *Model) addRoot(r session.Root) tea.Cmd {
	roots := m.roots()
	if slices.ContainsFunc(roots, func(o session.Root) bool { return o.URI == r.URI }) {
		return m.say(panel.Refused(rootWords(r) + " is a root already"))
	}
	return m.setRoots(append(roots, r), "added the root "+rootWords(r), "declared from the next :restart on")
}

// removeRoot takes away the root of a directory, which may be named by its path
// or its name as well.
func (m *Model) removeRoot(r session.Root, typed string) tea.Cmd {
	roots := m.roots()
	i := slices.IndexFunc(roots, func(o session.Root) bool {
		return o.URI == r.URI || o.Name == typed || rootPath(o) == strings.TrimSuffix(typed, "/")
	})
	if i < 0 {
		return m.say(panel.Refused(safe.QuotedCut(typed, 60) + " is no root; :root lists them"))
	}
	gone := roots[i]
	return m.setRoots(slices.Delete(roots, i, i+1), "removed the root "+rootWords(gone), "this server was told of none")
}

// setRoots says how the roots changed, and what that means for a server to which
// belay declared no roots.
func (m *Model) setRoots(roots []session.Root, done, untold safe.Text) tea.Cmd {
	reply, err := m.backend.Do(session.SetRoots{Roots: roots})
	if err != nil {
		return m.say(panel.Error(err))
	}
	if !reply.Told && rootsUntold(m.snap.status) {
		done = safe.Cut(done, 42) + " · " + untold
	}
	if p, ok := m.rootsPage(); ok {
		p.Redo() // it is made anew
	}
	return m.say(panel.Said(done))
}

// rootsPage is the page of roots, if it is open.
func (m *Model) rootsPage() (*dialog.Page, bool) {
	for _, d := range m.stack {
		if p, ok := d.(*dialog.Page); ok && p.Name == rootsFile {
			return p, true
		}
	}
	return nil, false
}

// rootsFile is what the page of roots is saved as.
const rootsFile = "roots.txt"

// rootsUntold reports whether the server was told at the start that belay has no
// roots. Until 2025-11-25 it cannot be told otherwise on that connection.
func rootsUntold(s *session.Status) bool {
	return (s.Phase == session.Ready || s.Phase == session.Connecting) && !s.RootsTold && !s.Revision.Modern()
}

func rootPath(r session.Root) string {
	u, err := url.Parse(r.URI)
	if err != nil {
		return ""
	}
	return u.Path
}

func rootWords(r session.Root) safe.Text { return safe.QuotedCut(rootPath(r), 80) }

// openRoots lists what the server is told of.
func (m *Model) openRoots() {
	if p, ok := m.rootsPage(); ok {
		m.pop(p)
	}
	m.push(&dialog.Page{Host: m.host(), Title: "Roots", Name: rootsFile, Build: func(d *write.Writer, s panel.Screen) {
		roots := m.roots()
		var gone []session.Root
		m.backend.View(func(core *session.Session) { gone = core.UnreadableRoots() })
		d.Add(0, doc.Span{Text: "The directories that belay names to a server that asks for roots. It reads nothing in them itself.", Style: m.styles.Muted})
		if s.Status.Revision.Modern() {
			d.Add(0, doc.Span{Text: "2026-07-28 advises against roots in what is new: they are here to try servers with.", Style: m.styles.Warn})
		}
		d.Blank()
		for _, r := range roots {
			uri, style := safe.LineN(r.URI, 1000), m.styles.Text
			if slices.Contains(gone, r) {
				uri, style = uri+" · cannot be read now, and is not named", m.styles.Warn
			}
			d.Field(safe.Cut(safe.LineN(r.Name, 40), 10), uri, style)
		}
		if len(roots) == 0 {
			d.Add(0, doc.Span{Text: "There are none.", Style: m.styles.Text})
		}
		d.Blank()
		if rootsUntold(s.Status) {
			d.Add(0, doc.Span{
				Text: "This server was told at its start that there are none, and asks for none: what you add is declared from the next :restart on. " +
					"With --root DIR on the command line it is declared from the first.",
				Style: m.styles.Warn,
			})
			d.Blank()
		}
		d.Add(0, doc.Span{Text: ":root add DIR and :root remove DIR change them.", Style: m.styles.Muted})
	}})
}
