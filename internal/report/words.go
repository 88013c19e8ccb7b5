package report

import (
	"cmp"
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
)

// fact is something that is told with its name.
type fact struct {
	Name string
	Text safe.Text
	code bool // it may be somebody else's text
}

// Title is what the report is called. It promises a cancel where each call has one.
func (r *Report) Title() string {
	for i := range r.Calls {
		if r.Calls[i].Cancel != nil {
			continue
		}
		if len(r.Calls) > 1 {
			return "What became of the calls"
		}
		return "What became of a call"
	}
	return "What the server did about a cancel"
}

// facts are the environment in words.
func (e *Environment) facts() []fact {
	protocol := wording.Join(cmp.Or(safe.Text(e.Revision), "no revision"), "over "+e.Transport)
	all := []fact{
		{"Server", e.Server.name(), true},
		{"Protocol", protocol, false},
	}
	belay := cmp.Or(e.Belay, "a version that is not known")
	if e.Platform != "" {
		belay += " on " + e.Platform
	}
	all = append(all, fact{"belay", belay, true})
	if e.Writer != "" {
		all = append(all, fact{"Report by", "belay " + e.Writer, true})
	}
	for _, n := range e.Notes {
		all = append(all, fact{"Recording", n, true})
	}
	return all
}

// facts are what was called, in words.
func (c *Call) facts() []fact {
	request := "#" + c.ID
	if c.Epoch > 1 {
		request += ", on connection " + wording.Thousands(c.Epoch)
	}
	all := []fact{{"Request", request, true}, {"Called at", day(c.At), false}}
	if k := c.Cancel; k != nil {
		all = append(all, fact{"Cancelled", "after " + wording.Precise(k.At) + " by " + k.By, true})
		if k.Reason != "" {
			all = append(all, fact{"Reason", safe.Quoted(string(k.Reason)), true})
		}
	}
	if c.Note != "" && c.Note != c.meaning() {
		all = append(all, fact{"Note", c.Note, true})
	}
	if c.Earlier {
		all = append(all, fact{"Connection", "not the last one, which server and protocol above are of", false})
	}
	return all
}

func (c *Call) meaning() safe.Text {
	if c.Cancel == nil {
		return ""
	}
	return c.Cancel.Meaning
}

// heading names a call and what became of it.
func (c *Call) heading() (name, state safe.Text) { return c.Name(), c.State }

func day(t time.Time) safe.Text { return safe.Text(t.UTC().Format("2006-01-02 15:04:05.000 UTC")) }

// Caption is what the excerpt says of a line besides the message.
func (l *Line) Caption() safe.Text { return wording.Join(l.Label, "· "+wording.Size(l.Size)) }

// left are messages that an excerpt leaves out, in words.
func left(n int) safe.Text { return wording.Count(n, "message") + " left out" }

// Shown says how many messages an excerpt has.
func (x *Excerpt) Shown() safe.Text {
	if len(x.Lines) == x.Count {
		return wording.Count(x.Count, "message")
	}
	return wording.Thousands(len(x.Lines)) + " of " + wording.Count(x.Count, "message")
}

// Where names the page that has the rule.
func (r *Rule) Where() safe.Text {
	if r.Address == "" {
		return "extension " + r.Page
	}
	return safe.Text(r.Revision) + ", " + r.Page
}

const (
	maskedWords   = "What belay knows to be secret, or what looks like it, is replaced by asterisks."
	unmaskedWords = "The recording keeps secrets as they are: only what looks like one is replaced by asterisks. Look through this before you pass it on."
)

// Masked says what is done about secrets.
func (e *Environment) Masked() string {
	if e.Unmasked {
		return unmaskedWords
	}
	return maskedWords
}

// LogNotes say what is to be known of a recording before its log is read.
func (a *About) LogNotes() []safe.Text {
	notes := a.Recording.Notes()
	if a.Unmasked {
		notes = append(notes, unmaskedWords)
	}
	return notes
}

// LeftCalls says that calls were left out of a report.
func (r *Report) LeftCalls() safe.Text {
	if r.Left == 0 {
		return ""
	}
	return wording.Count(r.Left, "more cancelled call") + " left out: a report has " + safe.Text(strconv.Itoa(CallsMost)) + " at most"
}
