package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/remedy"
	"belay/ui/write"
)

// All that the session knows to help can be done here, by keys and commands that
// there are.
func TestEveryRemedyCanBeDone(t *testing.T) {
	command, named := regexp.MustCompile(`:([a-z]+)`), regexp.MustCompile(`^([a-z]) (?:makes|declares)`)
	runWith(t, 80, 24, Options{}, session.Config{}, func(w *harness) {
		again, _ := w.m.keys.Named("resend")
		for k := session.RemedyKind(1); k < session.NumRemedies; k++ {
			words := string(remedy.Words(session.Remedy{Kind: k, Revision: mcp.Rev20250618}))
			for _, c := range command.FindAllStringSubmatch(words, -1) {
				if !slices.ContainsFunc(w.m.keys.Commands(), func(b *binding) bool { return b.Command == c[1] }) {
					t.Errorf("%q: there is no such command", words)
				}
			}
			if c := named.FindStringSubmatch(words); c != nil && !key.Matches(keyPress(c[1]), again.Key) {
				t.Errorf("%q: the key is %q", words, again.Key.Keys())
			}
		}
	})
}

// After belay has ended, only that is told which it can be started with.
func TestTheLastLinesNameNoKey(t *testing.T) {
	for status, want := range map[int]string{401: "--header", 429: ""} {
		cfg := session.Config{Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1, Login: true}
		runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
			w.wait(20 * time.Millisecond)
			x := w.b.on[len(w.b.on)-1] // that of initialize
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: status, Challenge: []string{"Basic"}}})
				s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
			})
			w.wait(100 * time.Millisecond)
			w.sees(":restart")
			lines := strings.Join(w.m.Farewell(), "\n")
			if !strings.Contains(lines, "cannot connect: ") || strings.Contains(lines, ":restart") || !strings.Contains(lines, want) {
				t.Errorf("%d: %s", status, lines)
			}
		})
	}
}

// What helps stands behind a note of belay's: in its line, and on its page.
func TestANoteOfBelaysSaysWhatHelps(t *testing.T) {
	runWith(t, 140, 40, Options{}, session.Config{Pin: mcp.Rev20260728, FirstID: 1}, func(w *harness) {
		w.wait(100 * time.Millisecond)
		e := session.Entry{Kind: session.EntEvent, Raw: []byte("the server tells of no changed list"), Remedy: session.Remedy{Kind: session.RemedyReload}}
		if got := w.m.wire.Line(&e).Text; got != "the server tells of no changed list; :reload fetches the lists again" {
			t.Errorf("%q", got)
		}
		d := doc.New(80, write.MaxLines)
		w.m.messageDoc(write.To(d, w.m.looks(), nil), e)
		if last := d.Lines[len(d.Lines)-1]; last[0].Text != ":reload fetches the lists again" {
			t.Errorf("its page ends with %q", last)
		}
	})
}
