package detail

import (
	"image"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/compose"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// Parts is what of a result can be read or saved by itself: links to resources, binary data, the
// resources that are in it. Nothing of it is fetched or written before the user says so (SRV-22,
// SRV-25; server/resources, server/tools).
type Parts struct {
	host  panel.Host
	parts []mcp.Part
	which []int // their places in the result, from 0
	name  string
	at    int
	top   int
}

// handy are the parts that can be read or saved by themselves.
func handy(parts []mcp.Part) (at []int) {
	for i := range parts {
		if p := &parts[i]; p.Binary || p.URI != "" {
			at = append(at, i)
		}
	}
	return at
}

// noParts is why there is nothing to list.
func (p *Pane) noParts() string {
	raw := p.shownResult()
	if len(raw) == 0 {
		return "there is no result"
	}
	switch r, ok := p.reading.of(raw); {
	case !ok:
		return "the result is still being read"
	case len(handy(r.Parts)) == 0:
		return "the result has no link and no data; o saves all of it"
	}
	return ""
}

// openParts lists the parts of the result.
func (p *Pane) openParts() {
	r, _ := p.reading.of(p.shownResult())
	p.host.Push(&Parts{host: p.host, parts: r.Parts, which: handy(r.Parts), name: fileName("call-" + p.d.Wire.String() + "-" + p.d.Target)})
}

// Scope is where its keys work.
func (l *Parts) Scope() keymap.Scope { return scope.Parts }

func (l *Parts) chosen() *mcp.Part { return &l.parts[l.which[l.at]] }

// isLink reports whether a part only names a resource, and does not hold it.
func isLink(p *mcp.Part) bool { return !p.Binary && !p.HasText }

func (l *Parts) move(n int) { l.at = max(0, min(l.at+n, len(l.which)-1)) }

// Draw draws the list.
func (l *Parts) Draw(frame *panel.Frame) *image.Point {
	w := min(100, frame.Layout.Body.Dx()-4)
	g := frame.Box(w, min(frame.Layout.Body.Dy()-2, len(l.which)+2), "Parts of the result", frame.Styles.FrameFocus)
	rows := g.Sub(1, 0, g.W()-2, max(0, g.H()-2))
	l.top = max(min(l.top, l.at), l.at-rows.H()+1)
	for y := range rows.H() {
		i := l.top + y
		if i >= len(l.which) {
			break
		}
		p, row := &l.parts[l.which[i]], rows.Row(y)
		verb := safe.Text("save")
		if isLink(p) {
			verb = "read"
		}
		row.Put(1, 0, verb, frame.Styles.KeyName)
		row.Put(7, 0, safe.Cut(partWords(p), row.W()-8), frame.Styles.Text)
		if i == l.at {
			frame.Select(row, true)
		}
	}
	frame.Hint(g.Row(g.H()-1), 1, scope.Parts)
	return nil
}

// Key takes none: what can be done are bindings.
func (l *Parts) Key(tea.KeyPressMsg) tea.Cmd { return nil }

// Paste takes nothing.
func (l *Parts) Paste(string) tea.Cmd { return nil }

// Close takes nothing from the result.
func (l *Parts) Close() tea.Cmd {
	l.host.Pop(l)
	return nil
}

// take reads the chosen link from the server, or saves what the part holds.
func (l *Parts) take() tea.Cmd {
	p := l.chosen()
	l.host.Pop(l)
	if isLink(p) {
		return l.host.Want(panel.Call{Spec: session.CallSpec{Method: "resources/read", Params: compose.URIParams(p.URI)}})
	}
	name := l.name + "-part-" + strconv.Itoa(l.which[l.at]+1)
	if p.Binary {
		return l.host.Want(panel.Save{Value: panel.Value{Data: p.Data, What: "the " + dataWord(p), Name: name + ending(p.MIME), Coded: true}})
	}
	return l.host.Want(panel.Save{Value: panel.Value{Data: []byte(p.Text), What: "the text", Name: name + ".txt"}})
}

// copyAddress copies where the chosen part is: belay itself reads it from no one but the server
// (SRV-23; server/resources).
func (l *Parts) copyAddress() tea.Cmd {
	return l.host.Want(panel.Copy{Value: panel.Value{Data: []byte(l.chosen().URI), What: "the address"}})
}

func (l *Parts) noAddress() string {
	if l.chosen().URI == "" {
		return "this part has no address"
	}
	return ""
}

// dataWord is what binary data is called.
func dataWord(p *mcp.Part) safe.Text {
	if p.Type == "image" || p.Type == "audio" {
		return safe.Text(p.Type)
	}
	return "data"
}

// endings are what the names of files end with, by the type of what is in them. A
// server chooses the type, so there is none that a double click would run.
var endings = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/bmp": ".bmp",
	"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/flac": ".flac",
	"application/pdf": ".pdf", "application/zip": ".zip", "application/gzip": ".gz", "application/json": ".json",
}

func ending(mime string) string {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	switch e := endings[strings.TrimSpace(mime)]; {
	case e != "":
		return e
	case strings.HasPrefix(mime, "text/"):
		return ".txt"
	}
	return ".bin"
}

// PartBindings are the keys of the list.
func PartBindings() []keymap.Binding[*Parts] {
	const group = "In the parts of a result"
	return []keymap.Binding[*Parts]{
		{
			Name: "take the part", Key: key.NewBinding(key.WithKeys("enter"), key.WithHelp("", "read or save")), Group: group, Where: scope.Parts, Footer: 1,
			Help: "read the link from the server, or save the data to a file", Run: keymap.Cmd((*Parts).take),
		},
		{
			Name: "copy the address", Key: key.NewBinding(key.WithKeys("y"), key.WithHelp("", "copy the address")), Group: group, Where: scope.Parts, Footer: 2,
			Help: "copy the address of the part; belay asks nobody but the server for it", Disabled: (*Parts).noAddress,
			Run: keymap.Cmd((*Parts).copyAddress),
		},
		{
			Name: "part below", Key: key.NewBinding(key.WithKeys("j", "down"), key.WithHelp("j ↓", "")), Group: group, Where: scope.Parts,
			Help: "one down", Run: keymap.Do(func(l *Parts) { l.move(1) }),
		},
		{
			Name: "part above", Key: key.NewBinding(key.WithKeys("k", "up"), key.WithHelp("k ↑", "")), Group: group, Where: scope.Parts,
			Help: "one up", Run: keymap.Do(func(l *Parts) { l.move(-1) }),
		},
	}
}
