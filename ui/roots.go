package ui

import (
	"net/url"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/doc"
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
		return m.findRoot(dir, func(m *Model, r session.Root, err error) tea.Cmd {
			if err != nil {
				return m.say("not added: "+safe.LineN(err.Error(), 200), refused)
			}
			return m.addRoot(r)
		})
	case word == "remove" && dir != "":
		return m.findRoot(dir, func(m *Model, r session.Root, err error) tea.Cmd {
			if err != nil { // it may be gone from the disk
				r = session.Root{URI: dir, Name: dir}
			}
			return m.removeRoot(r, dir)
		})
	}
	return m.say("type :root, :root add DIR or :root remove DIR", refused)
}

// findRoot makes a root of a directory, outside of Update.
func (m *Model) findRoot(dir string, then func(m *Model, r session.Root, err error) tea.Cmd) tea.Cmd {
	find := m.backend.Root
	return func() tea.Msg {
		r, err := find(dir)
		return doneMsg{then: func(m *Model) tea.Cmd { return then(m, r, err) }}
	}
}

func (m *Model) roots() (roots []session.Root) {
	m.backend.View(func(s *session.Session) { roots = slices.Clone(s.Config().Roots) })
	return roots
}

func (m *Model) addRoot(r session.Root) tea.Cmd {
	roots := m.roots()
	if slices.ContainsFunc(roots, func(o session.Root) bool { return o.URI == r.URI }) {
		return m.say(rootWords(r)+" is a root already", refused)
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
		return m.say(safe.QuotedCut(typed, 60)+" is no root; :root lists them", refused)
	}
	gone := roots[i]
	return m.setRoots(slices.Delete(roots, i, i+1), "removed the root "+rootWords(gone), "this server was told of none")
}

// setRoots says how the roots changed, and what that means for a server to which
// belay declared no roots.
func (m *Model) setRoots(roots []session.Root, done, untold safe.Text) tea.Cmd {
	reply, err := m.backend.Do(session.SetRoots{Roots: roots})
	if err != nil {
		return m.sayError(err)
	}
	if !reply.Told && m.rootsUntold() {
		done = safe.Cut(done, 42) + " · " + untold
	}
	if p, ok := m.rootsPage(); ok {
		p.doc = nil // it is made anew
	}
	return m.say(done, said)
}

// rootsPage is the page of roots, if it is open.
func (m *Model) rootsPage() (*page, bool) {
	for _, d := range m.stack {
		if p, ok := d.(*page); ok && p.name == rootsFile {
			return p, true
		}
	}
	return nil, false
}

// rootsFile is what the page of roots is saved as.
const rootsFile = "roots.txt"

// rootsUntold reports whether the server was told at the start that belay has no
// roots. Until 2025-11-25 it cannot be told otherwise on that connection.
func (m *Model) rootsUntold() bool {
	s := &m.snap.status
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
	m.push(&page{title: "Roots", name: rootsFile, build: func(m *Model, d *write.Writer) {
		roots := m.roots()
		var gone []session.Root
		m.backend.View(func(s *session.Session) { gone = s.UnreadableRoots() })
		d.Add(0, doc.Span{Text: "The directories that belay names to a server that asks for roots. It reads nothing in them itself.", Style: m.styles.Muted})
		if m.snap.status.Revision.Modern() {
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
		if m.rootsUntold() {
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
