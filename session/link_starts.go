package session

import (
	"fmt"
	"strings"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// start is a start of the server after which belay began with it once more, in another way.
//
//shape:part of link
type start struct {
	with negotiate.Opening
	fate string // what the server did then
}

// tellStarts has the failure of a later start tell of those before, whose failures have gone
// with their connections.
func (k *link) tellStarts(fl *Failure) {
	if words := k.startsWords(); words != "" && k.conn.readyAt.IsZero() {
		fl.Text += "; " + words
	}
}

// startsWords say how often the server was started, and for what; empty: once.
func (k *link) startsWords() string {
	if len(k.starts) == 0 || k.conn.reconnect {
		return ""
	}
	times := fmt.Sprintf("%d times", len(k.starts)+1)
	if len(k.starts) == 1 {
		times = "twice"
	}
	text := "the server was started " + times
	if k.cfg.Transport == mcp.HTTP {
		text = "the server was connected to " + times
	}
	var all []string
	for i, st := range k.starts {
		words := "first it " + st.fate
		if i > 0 {
			words = "then, " + begunWith(st.with) + ", it " + st.fate
		}
		all = append(all, words)
	}
	return text + ": " + strings.Join(all, "; ") + "; at last it was " + begunWith(k.conn.era.Begun().Begin) + k.greetedAfterWords()
}

// greetedAfterWords say that initialize followed a beginning with server/discover alone, and why;
// empty: it did not.
func (k *link) greetedAfterWords() string {
	e := k.conn.era
	if e.Begun().Begin != negotiate.WithDiscover || e.fate == "" || e.Asked().IsModern() {
		return ""
	}
	return ", which was " + e.fate + ", and initialize followed"
}

func begunWith(o negotiate.Opening) string {
	if o == negotiate.WithInitialize {
		return "begun with initialize alone"
	}
	return "begun with server/discover alone"
}
