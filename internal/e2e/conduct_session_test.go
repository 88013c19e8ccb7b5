package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"belay/internal/conduct"
	"belay/internal/termtest"
)

// conducted is belay in a terminal before a server that plays a conduct.
type conducted struct {
	*termtest.Story
	tb       *ownTB
	c        conduct.Conduct
	grace    time.Duration
	orders   chan userOrder
	played   chan conduct.Stamps
	over     chan struct{} // closed when nobody carries out orders any more
	anothers int           // made during this call
}

// userOrder is something that the script wants the user to do.
type userOrder struct {
	what string
	done chan struct{}
}

// ownTB is the TB of one session: a failure ends that, and not the test.
type ownTB struct {
	testing.TB
	failed  string
	cleanup []func()
}

func (o *ownTB) Helper()             { o.TB.Helper() }
func (o *ownTB) Cleanup(f func())    { o.cleanup = append(o.cleanup, f) }
func (o *ownTB) Failed() bool        { return o.failed != "" }
func (o *ownTB) Logf(string, ...any) {} // what is said of a failure says it all
func (o *ownTB) Errorf(f string, a ...any) {
	if o.failed == "" {
		o.failed = fmt.Sprintf(f, a...)
	}
}

func (o *ownTB) Fatalf(f string, a ...any) {
	o.Errorf(f, a...)
	runtime.Goexit()
}

func (o *ownTB) Fatal(a ...any) { o.Fatalf("%s", fmt.Sprint(a...)) }

// playSession plays a conduct for some calls of one session.
func playSession(t *testing.T, c conduct.Conduct, way conduct.Way, calls int) (seen []conduct.Seen, failed string) {
	tb := &ownTB{TB: t}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() {
			for i := len(tb.cleanup) - 1; i >= 0; i-- {
				tb.cleanup[i]()
			}
		}()
		s := startSession(tb, c, way)
		for range calls {
			seen = append(seen, s.play())
		}
	}()
	<-over
	return seen, tb.failed
}

func startSession(tb *ownTB, c conduct.Conduct, way conduct.Way) *conducted {
	s := &conducted{tb: tb, c: c, grace: realStage(c, way).Grace, orders: make(chan userOrder), played: make(chan conduct.Stamps, 16), over: make(chan struct{})}
	argv := []string{belay, "--grace", s.grace.String(), "--protocol", way.Revision(), "--no-motion"}
	if c.NoProbe {
		argv = append(argv, "--no-probe")
	}
	if way.IsHTTP() {
		argv = append(argv, s.serveHTTP(way))
	} else {
		argv = append(argv, "--", os.Args[0], "conduct", c.Name, string(way), s.serveStdio())
	}
	s.Story = termtest.Tell(tb, termtest.Options{Cols: 200, Rows: 70, Argv: argv, Env: []string{raceOptions}, Timeout: 60 * time.Second})
	tb.Cleanup(func() { close(s.over) })
	s.See("1 Calls", "tools/list")
	return s
}

// serveStdio waits for the peer to connect, and returns where.
func (s *conducted) serveStdio() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.tb.Fatal(err)
	}
	s.tb.Cleanup(func() { _ = l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		in, out := json.NewDecoder(conn), json.NewEncoder(conn)
		for {
			var o order
			switch err := in.Decode(&o); {
			case err != nil:
				_ = conn.Close()
				return
			case o.Do == "played":
				s.played <- o.Stamps
			default:
				go func() { // the peer may say that it has played before
					s.do(o.Do)
					_ = out.Encode("done")
				}()
			}
		}
	}()
	return l.Addr().String()
}

func (s *conducted) serveHTTP(way conduct.Way) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.tb.Fatal(err)
	}
	st := realStage(s.c, way)
	st.User = nearUser{s}
	st.Played = func(x *conduct.Scene) { s.played <- x.Stamps() }
	return conduct.OverHTTP(s.tb, s.c, st, l).URL()
}

// nearUser is the user of a server in this process.
type nearUser struct{ s *conducted }

func (u nearUser) Cancel()  { u.s.do("cancel") }
func (u nearUser) Another() { u.s.do("another") }
func (u nearUser) Answer()  { u.s.do("answer") }
func (u nearUser) Noted()   { u.s.do("noted") }

// do hands an order to the goroutine of the session, and waits until it is done.
func (s *conducted) do(what string) {
	e := userOrder{what, make(chan struct{})}
	select {
	case s.orders <- e:
		select {
		case <-e.done:
		case <-s.over:
		}
	case <-s.over:
	}
}

// play makes a call and sees it to its end.
func (s *conducted) play() conduct.Seen {
	s.anothers = 0
	s.call(conduct.SlowTool)
	seen := conduct.Seen{Stamps: s.script(), Grace: s.grace}
	s.choose()
	s.Until("the end of the call", func(screen termtest.Screen) bool { return ended(detail(screen)) })
	if !s.c.Ends && !s.c.Alone { // an answer that comes after all that the server has said
		s.call(conduct.FastTool)
		s.Until("the answer to another call", func(screen termtest.Screen) bool {
			d := detail(screen)
			return isAbout(d, conduct.FastTool) && verdictOf(d) == conduct.Done
		})
		s.anothers++
		s.choose()
	}
	var text string
	s.Until("the row of the call", func(screen termtest.Screen) bool {
		text = detail(screen)
		return isAbout(text, conduct.SlowTool) && ended(text) && !s.c.MayGrow(seen.Stamps, verdictOf(text))
	})
	seen.Verdict, seen.Timeline = verdictOf(text), text
	if at := strings.LastIndex(text, "⊘ cancelled · "); at > 0 { // again, above the evidence
		seen.Timeline, seen.Evidence = text[:at], text[at:]
	}
	return seen
}

// script does what the script wants until it has ended.
func (s *conducted) script() conduct.Stamps {
	late := time.NewTimer(2 * time.Minute)
	defer late.Stop()
	for {
		select {
		case e := <-s.orders:
			switch e.what {
			case "cancel":
				s.choose()
				s.Press("x")
			case "another":
				s.call(conduct.FastTool)
				s.anothers++
			case "noted":
				s.noted()
			}
			close(e.done)
		case stamps := <-s.played:
			return stamps
		case <-late.C:
			s.tb.Fatalf("the script does not end\n%s", s.Screen().Framed())
		}
	}
}

// noted waits until the row shows that the cancel was written, or what became of it.
func (s *conducted) noted() {
	if !isAbout(detail(s.Screen()), conduct.SlowTool) {
		s.choose()
	}
	s.Until("the cancel in the row of the call", func(screen termtest.Screen) bool {
		d := detail(screen)
		return isAbout(d, conduct.SlowTool) && (strings.Contains(d, `─ cancelled "`) || ended(d))
	})
}

// isAbout reports whether a detail is that of a call of a tool.
func isAbout(detail, tool string) bool { return strings.HasPrefix(detail, `"`+tool+`" `) }

// choose selects the row of the call, below those that were made after it.
func (s *conducted) choose() {
	s.Press("g")
	for range s.anothers {
		s.Press("j")
	}
	s.Until("the call to be selected", func(screen termtest.Screen) bool { return isAbout(detail(screen), conduct.SlowTool) })
}

func (s *conducted) call(tool string) { callTool(s.Story, tool) }

func callTool(s *termtest.Story, tool string) {
	s.Press("n")
	s.See("New call")
	s.Type(tool)
	s.See("▌tool      " + tool)
	s.Press("enter")
	s.Gone("New call")
}

// detail is what stands in the pane of the selected call, in one line; it begins
// with the name of the tool. It is asked at each frame: it copies no cells.
func detail(screen termtest.Screen) string {
	const pane = "╭ 2 #"
	left, top, ok := screen.Find(pane)
	if !ok {
		return ""
	}
	var text strings.Builder
	if title := strings.Fields(screen.LineFrom(left, top)); len(title) > 3 {
		text.WriteString(title[3] + " ")
	}
	for y := top + 1; y < screen.Rows; y++ {
		line := screen.LineFrom(left, y)
		if strings.HasPrefix(line, "╰") {
			break
		}
		text.WriteString(strings.Trim(line, "│ ") + " ")
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// ended reports whether the call in the pane has ended.
func ended(detail string) bool { return verdictOf(detail) != "" }

var verdictWords = []string{
	conduct.NotDelivered, conduct.ServerDied, conduct.SaysCancelled, conduct.Crossed, conduct.AnsweredError, conduct.AnsweredLate,
	conduct.StreamClosed, conduct.StillWorking, conduct.Unresponsive, conduct.Quiet, conduct.NothingHeard,
}

// verdictOf is the word in the pane of a call; empty: it has not ended.
func verdictOf(detail string) string {
	for _, w := range verdictWords {
		if strings.Contains(detail, "⊘ cancelled · "+w) {
			return w
		}
	}
	if strings.Contains(detail, "✓ done") {
		return conduct.Done
	}
	return ""
}
