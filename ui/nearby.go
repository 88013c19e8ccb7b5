package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/doc"
	"belay/ui/theme"
	"belay/ui/write"
)

// nearby are the servers that config files of this folder name. Belay runs none of them
// unless the user says which.
type nearby struct{ names []string }

// nearbyMsg is what the files were found to name.
type nearbyMsg []string

// look reads the files beside the screen: nothing waits for it.
func (n *nearby) look(read func() []string) tea.Cmd {
	if read == nil {
		return nil
	}
	return func() tea.Msg { return nearbyMsg(read()) }
}

// Update takes the names. It says false for any other message.
func (n *nearby) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	names, ok := msg.(nearbyMsg)
	if ok {
		n.names = names
	}
	return nil, ok
}

// nearbyMost is how many of the servers are named, and nearbyWidth how wide each is at
// most.
const (
	nearbyMost  = 4
	nearbyWidth = 48
)

// write names the servers, and says how one of them is run.
func (n *nearby) write(d *write.Writer) {
	if len(n.names) == 0 {
		return
	}
	var list safe.Text
	for i, name := range n.names[:min(len(n.names), nearbyMost)] {
		if i > 0 {
			list += ", "
		}
		list += wording.NameIn(name, nearbyWidth)
	}
	if more := len(n.names) - nearbyMost; more > 0 {
		list += " and " + wording.Thousands(more) + " more, which belay -s lists"
	}
	d.Heading("this folder's servers")
	d.Add(0,
		doc.Span{Text: "belay -s NAME", Style: d.Styles.KeyName}, doc.Span{Text: " runs one of them: ", Style: d.Styles.Muted},
		doc.Span{Text: list, Style: d.Styles.Text})
}

// height is how many lines of a width that takes, with the blank one above it.
func (n *nearby) height(width int) int {
	if len(n.names) == 0 {
		return 0
	}
	d := write.To(doc.New(width, nearbyMost*nearbyWidth), theme.Looks{}, nil)
	n.write(d)
	return 1 + len(d.Lines)
}
