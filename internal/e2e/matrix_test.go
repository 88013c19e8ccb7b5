package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session/mcp"
)

// The kinds of rows that x may meet.
const (
	aCall         = "a call"
	aList         = "a list that belay fetches"
	aHandshake    = "the handshake"
	aRound        = "a call between two rounds"
	aSubscription = "a subscription"
)

var rowKinds = []string{aCall, aList, aHandshake, aRound, aSubscription}

// The ways on which messages travel.
const (
	onStdio = "stdio"
	onHTTP  = "Streamable HTTP"
	onSSE   = "HTTP+SSE"
)

// A line is one cell of the matrix: what the server receives once x was pressed
// on a row. The row is then made again, so that nothing can have come later.
type line struct {
	rev  mcp.Revision
	way  string
	kind string
}

func (l line) String() string { return string(l.rev) + "/" + l.way + "/" + l.kind }

// matrix is every cell that exists.
func matrix() (all []line) {
	for _, rev := range mcp.Supported() {
		for _, way := range []string{onStdio, onHTTP, onSSE} {
			if way == onHTTP && rev == mcp.Rev20241105 || way == onSSE && rev != mcp.Rev20241105 {
				continue
			}
			for _, kind := range rowKinds {
				if kind != aRound || rev.IsModern() {
					all = append(all, line{rev, way, kind})
				}
			}
		}
	}
	return all
}

// method is what is on its way in a row of a kind.
func (l line) method() string {
	switch {
	case l.kind == aList:
		return "tools/list"
	case l.kind == aSubscription && l.rev.IsModern():
		return "subscriptions/listen"
	case l.kind == aSubscription:
		return "resources/subscribe"
	case l.kind != aHandshake:
		return "tools/call"
	case l.rev.IsModern():
		return "server/discover"
	}
	return "initialize"
}

// signal is the table of the design: which message stops a row, "" where none
// does.
func (l line) signal() string {
	if l.kind == aHandshake || l.kind == aRound || l.rev.IsModern() && l.way != onStdio {
		return ""
	}
	if l.kind == aSubscription && !l.rev.IsModern() {
		return "resources/unsubscribe"
	}
	return "notifications/cancelled"
}

// closes reports whether the exchange of the row is closed: in 2026-07-28 that is
// the cancel, before it comes after the grace.
func (l line) closes() bool {
	return l.way == onHTTP && (l.kind == aCall || l.kind == aList || l.kind == aSubscription && l.rev.IsModern())
}

// held reports whether the server over HTTP leaves the request of the row open.
func (l line) held() bool {
	switch l.kind {
	case aRound:
		return false
	case aHandshake:
		return l.way != onSSE
	case aSubscription:
		return l.rev.IsModern()
	}
	return true
}

// capabilities are what the server declares.
func (l line) capabilities() string {
	if l.kind == aSubscription {
		return `{"tools":{},"resources":{"subscribe":true}}`
	}
	return `{"tools":{}}`
}

// For each era, transport and kind of row: what the server has received after x.
func TestWhatTheServerReceivesAfterX(t *testing.T) {
	requirements.Rows(t, "CXL-01", "CXL-06", "CXL-12", "CXL-14", "CXL-16", "HTL-02", "HTM-15", "MRT-28", "SD3-22", "SDX-02", "SDX-03", "SUB-11")
	for _, l := range matrix() {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			if l.way == onStdio {
				l.overStdio(t)
			} else {
				l.overHTTP(t)
			}
		})
	}
}

func (l line) flags() []string {
	return []string{"--protocol", string(l.rev), "--grace", "200ms", "--no-probe"}
}

// told holds that the server was told what the table says, and no more, between
// the row and the one that was made again.
func (l line) told(t *testing.T, received []message) {
	t.Helper()
	var want, got []string
	if l.signal() != "" {
		want = append(want, l.signal())
	}
	if l.kind != aHandshake {
		want = append(want, l.method())
	}
	first := slices.IndexFunc(received, func(m message) bool { return m.Method == l.method() })
	for first >= 0 {
		next := slices.IndexFunc(received[first+1:], func(m message) bool { return m.Method == l.method() })
		if next < 0 || next == len(received)-first-2 {
			break
		}
		first += next + 1
	}
	if first < 0 {
		t.Fatalf("the server has received no %s: %+v", l.method(), received)
	}
	row := received[first]
	for _, m := range received[first+1:] {
		got = append(got, m.Method)
		if m.Method == "notifications/cancelled" && (string(m.Params.RequestID) != string(row.ID) || m.Params.Reason != "User requested cancellation") {
			t.Errorf("cancelled %s for %q; the row was %s", m.Params.RequestID, m.Params.Reason, row.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("after x the server received %q, want %q", got, want)
	}
}

// press presses x once the row is there and the server has its request, waits
// for its end, and makes it again.
func (l line) press(s *stage, arrived func(n int)) {
	s.t.Helper()
	if l.kind == aHandshake {
		arrived(1)
		s.See("running").Press("x").See("must not be cancelled")
		return
	}
	n := 1
	switch l.kind {
	case aList: // it has a row of its own once it takes long
		s.See("tools/list", "running")
	case aCall: // a sibling goes first
		s.See("peer").call("slow").See("1 in flight")
		s.call("slow").See("2 in flight")
		n = 2
	case aRound:
		s.See("peer").call("slow").See("asks you")
	case aSubscription:
		s.See("peer").Press(":").Type("subscribe demo://board").Press("enter")
	}
	arrived(n)
	if l.kind == aSubscription {
		s.See("● subscribed")
	}
	if l.kind == aRound { // the key of x in a panel, which takes none in its first moment
		s.pressUntil("ctrl+x", "the call goes on", func() bool { return s.Screen().Contains("nothing running") })
	} else {
		s.Press("x").See(" cancelled · ")
	}
	s.Press("r")
	arrived(n + 1)
}

// The server on stdio is this binary, which logs what it reads.
func (l line) overStdio(t *testing.T) {
	conduct := "matrix " + l.kind
	s := play(t, conduct, l.flags()...)
	if l.kind == aSubscription {
		s.serverReads(1, "resources/templates/list")
	}
	l.press(s, func(n int) { s.serverReads(n, `"method":"`+l.method()+`"`) })
	if l.kind == aHandshake {
		s.Press("q").Exit(0)
		s.serverReads(1, "EOF")
	}
	var received []message
	for _, r := range s.received() {
		var m message
		if json.Unmarshal([]byte(r.Line), &m) == nil {
			received = append(received, m)
		}
	}
	l.told(t, received)
}

func init() {
	for _, kind := range rowKinds {
		capabilities := line{kind: kind}.capabilities()
		conducts["matrix "+kind] = func(p *peer, in *bufio.Reader) {
			for {
				m, ok := p.next(in)
				switch {
				case !ok:
					return
				case kind == aHandshake:
				case m.Method == "server/discover":
					p.result(m.ID, fmt.Sprintf(discovered, capabilities))
				case m.Method == "resources/list" || m.Method == "resources/templates/list":
					p.result(m.ID, noResources)
				case m.Method == "resources/subscribe" || m.Method == "resources/unsubscribe":
					p.result(m.ID, `{}`)
				case m.Method == "subscriptions/listen":
					p.send(agreedNote, m.ID)
				case m.Method == "tools/list" && kind == aList:
				case m.Method == "tools/list":
					p.result(m.ID, listed)
				case m.Method == "tools/call" && kind == aRound:
					p.result(m.ID, wanting)
				case m.Method == "initialize":
					p.result(m.ID, `{"protocolVersion":"`+m.Params.ProtocolVersion+`","capabilities":`+capabilities+`,"serverInfo":{"name":"peer","version":"1"}}`)
				}
			}
		}
	}
}

const (
	discovered = `{"resultType":"complete","ttlMs":600000,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":%s,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`
	listed     = `{"resultType":"complete","ttlMs":600000,"cacheScope":"private","tools":[{"name":"slow","inputSchema":{"type":"object"}}]}`
	// noResources are empty lists of resources and of their templates.
	noResources = `{"resultType":"complete","ttlMs":600000,"cacheScope":"private","resources":[],"resourceTemplates":[]}`
	wanting     = `{"resultType":"input_required","requestState":"s","inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}`
)

// The server over HTTP is one whose exchanges are seen one by one.
func (l line) overHTTP(t *testing.T) {
	p := dictated.New(t)
	url := p.URL()
	hello := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"peer","version":"1"}}`, l.rev, l.capabilities())
	answer := func(result string) func(*dictated.Exchange) {
		return func(x *dictated.Exchange) { x.JSONResult(result) }
	}
	switch {
	case l.way == onSSE:
		p.HTTPSSE()
		url = p.At("/sse")
		answer = func(result string) func(*dictated.Exchange) {
			return func(x *dictated.Exchange) {
				x.Accepted()
				x.Result(result)
			}
		}
		p.On("initialize", func(x *dictated.Exchange) {
			switch {
			case x.Path == "/sse":
				x.Answer(405, "", "")
			case l.kind == aHandshake:
				x.Accepted()
			default:
				answer(hello)(x)
			}
		})
	case l.rev.IsModern():
		p.Modern()
		p.On("server/discover", answer(fmt.Sprintf(discovered, l.capabilities())))
	default:
		p.Handshake(string(l.rev)).On("initialize", answer(hello))
	}
	for _, list := range []string{"resources/list", "resources/templates/list"} {
		p.On(list, answer(noResources))
	}
	p.On("resources/subscribe", answer(`{}`)).On("resources/unsubscribe", answer(`{}`))
	p.On("tools/list", answer(listed))
	p.On("notifications/cancelled", (*dictated.Exchange).Accepted)
	if l.kind == aRound {
		p.On("tools/call", answer(wanting))
	} else if l.held() {
		p.On(l.method(), nil)
	}
	var open []*dictated.Exchange
	s := reached(t, url, l.flags()...)
	if l.kind == aSubscription {
		s.Await("the lists", func() bool { return len(p.Requests("resources/templates/list")) > 0 })
	}
	l.press(s, func(n int) {
		for l.held() && len(open) < n {
			x := p.Await(l.method())
			if l.way == onSSE {
				x.Accepted() // the answer would come on the other stream
			} else if l.kind == aSubscription {
				x.SSE().Message(fmt.Sprintf(agreedNote, x.ID()))
			}
			open = append(open, x)
		}
		s.Await("the request at the server", func() bool { return len(l.posts(p)) >= n })
	})
	if l.closes() {
		open[len(open)-2].AwaitAbort()
	}
	for i, x := range open {
		if aborted := x.WasAborted(); aborted != (l.closes() && i == len(open)-2) {
			t.Errorf("exchange %d of %d: closed %v", i+1, len(open), aborted)
		}
	}
	var received []message
	for _, r := range p.Requests() {
		if l.way == onSSE && strings.HasSuffix(r.Path, "/sse") {
			continue // by which the transport was found
		}
		if l.way == onSSE && r.Path != "/messages?session=1" {
			t.Errorf("%s was posted to %s", r.Kind(), r.Path)
		}
		var m message
		if json.Unmarshal(r.Body, &m) == nil && m.Method != "" {
			received = append(received, m)
		} else if len(received) > 0 && received[len(received)-1].Method == "notifications/cancelled" {
			t.Errorf("%s came after the cancel", r.Method)
		}
	}
	l.told(t, received)
	if l.kind == aHandshake {
		s.Press("q").Exit(0)
		if n := len(p.Requests("notifications/cancelled")); n != 0 {
			t.Errorf("leaving has cancelled %d times", n)
		}
	}
}

func (l line) posts(p *dictated.Peer) []*dictated.Request {
	return slices.DeleteFunc(p.Requests(l.method()), func(r *dictated.Request) bool { return l.way == onSSE && strings.HasSuffix(r.Path, "/sse") })
}

// Await waits for what no screen shows.
func (s *stage) Await(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(hang); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("waited too long for %s:\n%s", what, s.Screen().Framed())
		}
	}
}
