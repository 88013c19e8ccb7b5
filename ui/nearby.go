package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/doc"
	"belay/ui/theme"
	"belay/ui/write"
)

// nearby are the servers that config files of this folder name. Belay runs none of them
// unless the user says which.
type nearby struct {
	names    []string
	failures []error // why files were not read; their texts are foreign
}

// nearbyMsg is what the files were found to name.
type nearbyMsg nearby

// look reads the files beside the screen: nothing waits for it.
func (n *nearby) look(read func() ([]string, []error)) tea.Cmd {
	if read == nil {
		return nil
	}
	return func() tea.Msg {
		names, failures := read()
		return nearbyMsg{names, failures}
	}
}

// Update takes what was found. It says false for any other message.
func (n *nearby) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	found, ok := msg.(nearbyMsg)
	if ok {
		*n = nearby(found)
	}
	return nil, ok
}

// nearbyMost is how many of the servers are named, nearbyWidth how wide each is at most, and
// failureWidth how much is said of a file that was not read.
const (
	nearbyMost   = 4
	nearbyWidth  = 48
	failureWidth = 150
)

// isEmpty reports whether there is nothing to say of the folder.
func (n *nearby) isEmpty() bool { return len(n.names)+len(n.failures) == 0 }

// write names the servers, says how one of them is run, and why a file was not read.
func (n *nearby) write(d *write.Writer) {
	if n.isEmpty() {
		return
	}
	d.Heading("this folder's servers")
	n.writeNames(d)
	if len(n.failures) == 0 {
		return
	}
	d.Add(2, doc.Span{Text: "not read: " + safe.LineN(n.failures[0].Error(), failureWidth), Style: d.Styles.Warn})
	if more := len(n.failures) - 1; more > 0 {
		d.Add(2, doc.Span{Text: "and " + wording.Count(more, "more file") + ", which belay -s lists", Style: d.Styles.Warn})
	}
}

func (n *nearby) writeNames(d *write.Writer) {
	if len(n.names) == 0 {
		return
	}
	var list safe.Text
	for i, name := range n.names[:min(len(n.names), nearbyMost)] {
		if i > 0 {
			list += ", "
		}
		if strings.HasPrefix(name, "-") { // behind a blank it would be an option
			list += "-s="
		}
		list += wording.NameIn(name, nearbyWidth)
	}
	if more := len(n.names) - nearbyMost; more > 0 {
		list += " and " + wording.Thousands(more) + " more, which belay -s lists"
	}
	d.Add(0,
		doc.Span{Text: "belay -s NAME", Style: d.Styles.KeyName}, doc.Span{Text: " runs one of them: ", Style: d.Styles.Muted},
		doc.Span{Text: list, Style: d.Styles.Text})
}

// height is how many lines of a width that takes, with the blank one above it.
func (n *nearby) height(width int) int {
	if n.isEmpty() {
		return 0
	}
	d := write.To(doc.New(width, nearbyMost*nearbyWidth), theme.Looks{}, nil)
	n.write(d)
	return 1 + len(d.Lines)
}
