// Command verdicts writes docs/verdicts.md: each verdict with its evidence, what the
// specification says to it, and the messages of a call that ends with it, as the screen
// draws them. Each picture is of a session with a server that is played to it.
//
//	go run ./internal/repocheck/verdicts            write the page
//	go run ./internal/repocheck/verdicts -check     fail if the page is stale
package main

import (
	"bytes"
	"fmt"
	"strings"

	"belay/internal/repocheck"
	"belay/internal/wording"
	"belay/session/cancel"
	"belay/ui/doc"
	"belay/ui/theme"
	"belay/ui/timeline"
)

const head = `# Verdicts

<!-- Written by go run ./internal/repocheck/verdicts from session/cancel and internal/wording. Do not edit. -->

In MCP a cancel is a notification: nobody confirms it. So belay keeps listening after a cancel, and says
what it has seen. A verdict is the first word of this page that the evidence allows, from the top to the
bottom. It may change when more evidence comes, also after the call has ended. No verdict says that the
work of the server has ended: where there is silence, belay says that there is silence.

A task has an order of its own. Below *not delivered* its words come first, from *task cancel refused* to *task cancel not
acknowledged*, with *crossed* for an end of the task that may have been on its way, or may have come about before
the server read the cancel. So what was seen of a task counts although its server died later; if all that is known is whether ` + "`tasks/cancel`" + ` was answered, the verdict is *server died*.
Among these words *task cancel refused* stands before *crossed*, and a malformed answer to ` + "`tasks/cancel`" + `
(*task cancel not acknowledged*) before *task still working* and *task not seen again*.
Where the wait for a task ended before it was seen what the cancel did, and nothing that came since tells, three words that are no
verdicts stand in the place of one: *stopped waiting*, by you; *belay left*, where belay ended the connection; and *connection ended*, where over
HTTP the server ended its session (HTTP 404, or an error that says so). None of them is the end of the server, and the task may go on. *server died* is the end of its process, or of a
connection that is all there is to hear.

What counts is when the first byte of a message came. The *bound* is how long after the last byte of the
cancel a message may still have been on its way. belay estimates it from above, by the round trips of pings
(of lists, until there is one) and their variation: 20 ms at least, and at most 2 s, or twice the shortest of
them where that is longer, as behind a satellite. The answer to belay's ping may take as long as that upper
limit. 2026-07-28 has no ping: belay asks with ` + "`server/discover`" + ` there, and what this page says of the ping holds for that. The timeline shows both figures. A way that becomes much longer in the middle of a connection looks like
a busy server, and is taken for one.

When the grace ends in the middle of a message, the verdict is given all the same, with the bytes that came:
*nothing heard* where any of them came after the cancel, else *quiet*; *server unresponsive* where, over stdio, the ping was not answered either. It becomes *crossed* or *answered late* when the end comes. Over HTTP belay listens for that as
long as bytes come, and for a minute at most.

Over stdio belay watches the processes that the server begins, and those in its process group or session. On
Linux it also knows those that were begun with the server's environment, in which the variable ` + "`BELAY_SERVER`" + `
is its own. A process that has left all of these before it was first seen is never seen, nor is what it begins:
no verdict knows of them. Such are one begun by ` + "`env -i setsid -f`" + ` or as another user, and elsewhere than on Linux one
begun by ` + "`setsid -f`" + `, and what another program begins that was there before, as a container's engine does.

A process is taken for a call's when it began while no other call was in flight, up to 10 s after the cancel, or
when its parent is taken for that call's and the call has not been answered. What an answered call has left, as a
browser or a shell, serves the next one: what it begins then is the next call's. Of what begins during a call below a
process of an earlier cancelled one nobody can tell whose it is: the evidence counts it, and no verdict stands on it.
What an earlier call, whose cancel the server did not heed, begins otherwise is told apart as long as one of its
processes follows the other within 3 s; one that begins after a longer pause is taken for the call that is in flight by
then. A server may begin processes by itself, as one that begins
a worker anew: what it begins while a call is in flight cannot be told from what the call has begun. Where belay
saw that it began one while nothing was in flight, later than 3 s after the last call, or one of the same command since then, the evidence says so.

Systems tell to 10 ms when a process began. Of one that began so near to the cancel the evidence does not say which
came first, and it is not taken for one that was running at the cancel.

Processes are looked at every 100 ms for the first seconds of a call and after its cancel, later once a second, and
less often where that costs much: one that lives for less than that may be missed.

A process that was seen last more than 10 ms before the cancel, and found gone after it, may have ended before: the
evidence names both looks, and it is not taken for one that ended after the cancel. On Linux belay looks at the
processes that it knows, up to 32, right before it writes a cancel.

Connections are looked at once a second, or less often where that costs much. One that was seen closed had closed at
some time since the look before. Nothing is counted while no call is in flight: one that the first look of a call finds
may have been opened before, which is said. Of a server with 64 or more no closing is told. The figures after a cancel end where
another call is sent, as that may use more.

Where another call is sent beside a call, no verdict on either stands on processes. What began before that is the
first call's, and named in its evidence; of what begins then or later the evidence says how many they are, and that
nobody can tell whose.

Below each verdict stand the evidence, a call that ends with it as the timeline draws it, and
the rule of the specification.
`

// width is that of the pictures.
const width = 78

func main() { repocheck.PagesMain("verdicts", run) }

func run(check bool) error {
	text, err := page()
	if err != nil {
		return err
	}
	return repocheck.WritePages("verdicts", check, repocheck.Page{Name: "verdicts.md", Text: text})
}

// page is the whole page. A script that brings another verdict than its own is an
// error: its picture would be a lie.
func page() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(head)
	for _, v := range cancel.Verdicts() {
		g, s := wording.GroundsOf(v), scripts[v]
		if g.Seen == "" || s.play == nil {
			return nil, fmt.Errorf("%v has no grounds, or no script", v)
		}
		picture, err := draw(v, s)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n## %v\n\n%s\n\nThe screen: *%s.*\n\nHere: %s.\n\n```\n%s\n```\n\n", v, g.Seen, wording.Meaning(v), s.what, picture)
		if g.Cite.Page == wording.TasksExtension {
			fmt.Fprintf(&b, "Specification %s, extension `%s`: %s.\n", g.Cite.Revision, g.Cite.Page, g.Cite.Rule)
			continue
		}
		fmt.Fprintf(&b, "Specification [%s, %s](https://modelcontextprotocol.io/specification/%[1]s/%[2]s): %s.\n", g.Cite.Revision, g.Cite.Page, g.Cite.Rule)
	}
	return b.Bytes(), nil
}

// draw plays a script, and draws its call.
func draw(v cancel.Verdict, s script) (string, error) {
	got, d := s.play().verdict()
	d2 := doc.New(width, 200)
	state := wording.StateOf(d.Row, "…").Wide
	timeline.Write(d2, &d, doc.Span{Text: state}, theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode})
	var lines []string
	for _, l := range d2.Lines {
		lines = append(lines, strings.TrimRight(l.String(), " "))
	}
	picture := strings.Join(lines, "\n")
	if got != v {
		return "", fmt.Errorf("the script of %q brings %q:\n%s", v, got, picture)
	}
	return picture, nil
}
