package server

import (
	"strings"
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/ui/dialog"
	"belay/ui/panel/paneltest"
)

// outside is what the page asks beside the session.
type outside struct{ unrecorded, entry string }

func (o outside) Command() Start {
	return Start{Entry: o.entry, Argv: []string{"/opt/demo-server", "--stdio"}, Dir: "/src/demo"}
}
func (outside) ProcessLine() string  { return "pid 4711" }
func (o outside) Unrecorded() string { return o.unrecorded }

func open(h *paneltest.Host, minds ...string) *dialog.Page {
	Open(h, outside{}, minds, false)
	return h.Top().(*dialog.Page)
}

// all is the page as a tall terminal shows it.
func all(h *paneltest.Host, p *dialog.Page) string {
	h.W, h.H = 120, 400
	return h.Draw(p)
}

func sees(t *testing.T, screen string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			t.Errorf("the page lacks %q:\n%s", text, screen)
			return
		}
	}
}

// Over HTTP the page says why the IDs do not begin at 1.
func TestThePageExplainsTheIDs(t *testing.T) {
	const why = "IDs begin at a random number over HTTP"
	for _, c := range []struct {
		first int64
		way   mcp.Transport
		shown bool
	}{{31337, mcp.HTTP, true}, {1, mcp.HTTP, false}, {31337, mcp.Stdio, false}} {
		if got := IDs(&session.Status{Transport: c.way, FirstID: c.first}); strings.HasPrefix(string(got), why) != c.shown {
			t.Errorf("from %d over %v: %q", c.first, c.way, got)
		}
	}
	paneltest.Run(t, 80, 24, session.Config{Transport: mcp.HTTP, FirstID: 31337}, func(h *paneltest.Host) {
		sees(t, all(h, open(h)), "from 31,337 on: "+why)
	})
}

// The page is called as the server is in the header.
func TestThePageIsNamedAsTheHeaderNames(t *testing.T) {
	s := &session.Status{Phase: session.Ready, Server: mcp.ServerInfo{Name: "name", Title: "The title", Version: "2"}}
	if got, want := (Link{Status: s}.Titled("Server", 60)), `Server "The title 2"`; string(got) != want || !strings.HasSuffix(string(got), string(Link{Status: s}.Self(60))) {
		t.Errorf("%s, want %s", got, want)
	}
	for _, width := range []int{6, 15, 20} {
		if got := (Link{Status: s}.Titled("Server", width)); safe.Width(got) > max(width, 6) {
			t.Errorf("%d columns: %s", width, got)
		}
	}
	if got := (Link{Status: &session.Status{}}.Titled("Server", 60)); got != "Server" {
		t.Errorf("a server that has not said its name: %s", got)
	}
}

// The header names a version beside the name where it tells one release from another, and
// none that would be taken for a part of the name.
func TestTheVersionBesideTheName(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.0": `"belay demo 1.2.0"`, "v2": `"belay demo v2"`, "2026.8.31": `"belay demo 2026.8.31"`, "rc-1": `"belay demo rc-1"`,
		"dev": `"belay demo"`, "latest": `"belay demo"`, "": `"belay demo"`, "v0.0.0-20261126201459-2a15961b4c5d+dirty": `"belay demo"`,
	} {
		s := &session.Status{Phase: session.Ready, Server: mcp.ServerInfo{Name: "belay-demo", Title: "belay demo", Version: version}}
		if got := string(Link{Status: s}.Self(60)); got != want {
			t.Errorf("version %q: %s, want %s", version, got, want)
		}
		if got, want := string(Link{Status: s}.Titled("Closing", 60)), "Closing "+want; got != want {
			t.Errorf("version %q: %s, want %s", version, got, want)
		}
	}
}

// The page says who is there, what it can do, and what it offers.
func TestThePageOfTheServer(t *testing.T) {
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		h.Connect(paneltest.Initialized, `{"tools":[{"name":"deploy","description":"Deploys.","inputSchema":{"type":"object"}}]}`)
		before := len(h.Inputs)
		page := open(h, "a mind")
		if len(h.Inputs) != before+1 || h.Inputs[before] != (session.Look{}) {
			t.Errorf("the session was told %v: what is old is fetched by a look", h.Inputs[before:])
		}
		sees(t, all(h, page), "Server", `"demo"`, `"1.2.0"`, "2025-11-25", "/opt/demo-server --stdio", "/src/demo", "pid 4711", "! a mind",
			"capabilities", `"listChanged"`, "tools · 1", "deploy", "┃ Deploys.")
		h.Run(page.Close())
		h.Lies(nil)
	})
}

// Before a connection there is nothing to know, and after it what was known stays.
func TestThePageWithoutAConnection(t *testing.T) {
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		screen := all(h, open(h))
		sees(t, screen, "not known yet", "pid 4711")
		if strings.Contains(screen, "tools · ") {
			t.Errorf("lists that nobody has asked for:\n%s", screen)
		}
		h.Stack = nil
		h.Connect(paneltest.Initialized)
		page := open(h)
		h.Lose() // while it is open
		sees(t, all(h, page), `"demo"`)
	})
}

// A recording that has stopped is said, with the reason.
func TestThePageSaysWhatIsNotRecorded(t *testing.T) {
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		Open(h, outside{unrecorded: "the recording has stopped: no space left"}, nil, false)
		sees(t, all(h, h.Top().(*dialog.Page)), "the recording has stopped: no space left")
	})
}

// Whatever a server says of itself stands in quotes or behind a mark, on every screen; and
// its instructions leave room for what else there is to know.
func TestHostileServers(t *testing.T) {
	bad := paneltest.JSON(paneltest.Hostile)
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		h.Connect(`{"protocolVersion":"2025-11-25","serverInfo":{"name":`+bad+`,"title":`+bad+`,"version":`+bad+`},"capabilities":{"tools":{},`+bad+`:`+bad+`},"instructions":`+
			paneltest.JSON(strings.Repeat("instruction\n", 100)+"name       imitated\n"+paneltest.Hostile)+`}`, `{"tools":[{"name":`+bad+`,"title":`+bad+`,"description":`+bad+`,"inputSchema":{"type":`+bad+`}}]}`)
		for _, size := range paneltest.Sizes() {
			h.Resize(size.X, size.Y)
			page := open(h, paneltest.Hostile)
			h.Draw(page)
			for range 30 {
				page.Scroll(page.Height())
				h.Draw(page)
			}
			h.Pop(page)
		}
		screen := all(h, open(h))
		sees(t, screen, `name       "⟨ESC⟩[2J`, "┃ instruction", " more: all of them are at the end of this page", "capabilities", "all of the instructions, in the server's words")
		imitated := 0
		for line := range strings.SplitSeq(screen, "\n") {
			if strings.Contains(line, "name       imitated") {
				imitated++
				if !strings.Contains(line, "┃ name       imitated") {
					t.Errorf("a line of the server's looks like one of belay's: %q", line)
				}
			}
		}
		if imitated == 0 {
			t.Errorf("the end of the instructions is not shown:\n%s", screen)
		}
	})
}

// What is said of the link, long and short, from the first message to the last.
func TestTheWordsOfTheLink(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		name        string
		status      session.Status
		long, short string
	}{
		{"nothing yet", session.Status{}, "stdio", "stdio"},
		{
			"probing",
			session.Status{Awaits: negotiate.ForDiscover, AwaitsUntil: now.Add(2 * time.Second)},
			"stdio · probing, 2.0s left", "stdio · probing, 2.0s left",
		},
		{
			"probing, in a recording that goes on no more",
			session.Status{Awaits: negotiate.ForDiscover, AwaitsUntil: now},
			"stdio · probing", "stdio · probing",
		},
		{
			"a slow start, in such a recording",
			session.Status{Awaits: negotiate.ForEither, Started: now.Add(-80 * time.Second), AwaitsUntil: now.Add(-20 * time.Second)},
			"stdio · awaiting server/discover or initialize, 1m20s", "stdio · no answer yet, 1m20s",
		},
		{
			"a slow start",
			session.Status{Awaits: negotiate.ForEither, Started: now.Add(-40 * time.Second), AwaitsUntil: now.Add(20 * time.Second)},
			"stdio · awaiting server/discover or initialize, 40.0s; in 20.0s it is begun with initialize alone", "stdio · no answer yet, 40.0s",
		},
		{
			"an early start",
			session.Status{Awaits: negotiate.ForEither, Started: now.Add(-5 * time.Second), AwaitsUntil: now.Add(55 * time.Second)},
			"stdio · awaiting server/discover or initialize, 5.0s", "stdio · no answer yet, 5.0s",
		},
		{
			"begun again",
			session.Status{Awaits: negotiate.ForDiscover, BegunWith: negotiate.WithDiscover, StartedAgain: true},
			"stdio · started again, awaiting server/discover", "stdio · awaiting server/discover",
		},
		{
			"begun again, and both are out",
			session.Status{Awaits: negotiate.ForEither, BegunWith: negotiate.WithDiscover, StartedAgain: true, Started: now.Add(-40 * time.Second)},
			"stdio · started again, awaiting server/discover or initialize, 40.0s", "stdio · no answer yet, 40.0s",
		},
		{
			"begun again, and half answered",
			session.Status{Awaits: negotiate.ForDiscoverToo, BegunWith: negotiate.WithDiscover, StartedAgain: true, Starts: 3, AwaitsUntil: now.Add(time.Second)},
			"stdio · started again twice, initialize answered, server/discover not, 1.0s left", "stdio · awaiting server/discover, 1.0s left",
		},
		{
			"begun again, and the other half",
			session.Status{Awaits: negotiate.ForInitializeToo, BegunWith: negotiate.WithDiscover, StartedAgain: true, AwaitsUntil: now.Add(time.Second)},
			"stdio · started again, server/discover answered, initialize not, 1.0s left", "stdio · awaiting initialize, 1.0s left",
		},
		{
			"refused",
			session.Status{Awaits: negotiate.ForDiscoverAlone, AwaitsUntil: now.Add(time.Minute)},
			"stdio · initialize failed, awaiting server/discover, 1m00s left", "stdio · awaiting server/discover, 1m00s left",
		},
		{
			"half",
			session.Status{Awaits: negotiate.ForInitializeToo, AwaitsUntil: now.Add(time.Second)},
			"stdio · server/discover answered, initialize not, 1.0s left", "stdio · awaiting initialize, 1.0s left",
		},
		{"fallback", session.Status{Awaits: negotiate.ForInitialize, Found: negotiate.Fallback}, "stdio · falling back to initialize", "stdio · falling back to initialize"},
		{"remembered", session.Status{Awaits: negotiate.ForInitialize, Found: negotiate.Cached}, "stdio · awaiting initialize", "stdio · awaiting initialize"},
		{"listed", session.Status{Awaits: negotiate.ForInitialize, Found: negotiate.FoundListed}, "stdio · awaiting initialize", "stdio · awaiting initialize"},
		{"pinned, and out", session.Status{Awaits: negotiate.ForInitialize, Found: negotiate.Pinned}, "stdio · awaiting initialize", "stdio · awaiting initialize"},
		{"nothing else is asked", session.Status{Awaits: negotiate.ForInitialize, Found: negotiate.Negotiated}, "stdio · awaiting initialize", "stdio · awaiting initialize"},
		{"once more", session.Status{StartAgain: true, Transport: mcp.HTTP, BeginsWith: negotiate.WithDiscover}, "http · connecting again with server/discover", "http · connecting again with server/discover"},
		{"found", session.Status{Revision: mcp.Rev20251125, Found: negotiate.Fallback, StartedAgain: true}, "stdio · 2025-11-25 fallback, started again", "stdio · 2025-11-25"},
		{"found at last", session.Status{Revision: mcp.Rev20251125, Found: negotiate.Fallback, StartedAgain: true, Starts: 3}, "stdio · 2025-11-25 fallback, started again twice", "stdio · 2025-11-25"},
		{"pinned", session.Status{Revision: mcp.Rev20250326, Found: negotiate.Pinned, Transport: mcp.HTTP, SSE: true}, "http+sse · 2025-03-26 pinned", "http+sse · 2025-03-26 pinned"},
	} {
		l := Link{Status: &c.status, Now: now}
		if got := string(l.Words(true)); got != c.long {
			t.Errorf("%s, long: %q, want %q", c.name, got, c.long)
		}
		if got := string(l.Words(false)); got != c.short {
			t.Errorf("%s, short: %q, want %q", c.name, got, c.short)
		}
	}
}

// A connection that does not come says what has happened, at once what initialize was
// refused with, and what else helps than to wait.
func TestTheWordsOfTheWaiting(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const helps = ":disconnect stops the waiting; :restart 2025-11-25 begins with initialize alone, as --protocol 2025-11-25 does"
	for _, c := range []struct {
		name   string
		status session.Status
		want   string
	}{
		{
			"refused at once",
			session.Status{Awaits: negotiate.ForDiscoverAlone, AwaitsUntil: now.Add(time.Minute), InVain: "the server refused initialize: \x1b[2J", Started: now},
			"initialize failed, server/discover is still waited for|the server refused initialize: ⟨ESC⟩[2J|:disconnect stops the waiting",
		},
		{
			"asked once more",
			session.Status{Awaits: negotiate.ForDiscover, InVain: "the server refused initialize", Started: now},
			"initialize failed, server/discover is still waited for|the server refused initialize|:disconnect stops the waiting",
		},
		{"a start", session.Status{Awaits: negotiate.ForEither, Started: now.Add(-9 * time.Second)}, ""},
		{"a slow start", session.Status{Awaits: negotiate.ForEither, Started: now.Add(-10 * time.Second)}, "no answer yet to server/discover or initialize|" + helps},
		{"remembered", session.Status{Awaits: negotiate.ForDiscover, Started: now.Add(-10 * time.Second)}, "no answer yet to server/discover|" + helps},
		{"it is started again", session.Status{Awaits: negotiate.ForEither, StartAgain: true, Started: now.Add(-time.Minute)}, ""},
		{"ready", session.Status{Phase: session.Ready, Started: now.Add(-time.Minute), InVain: "no"}, ""},
		{"the handshake", session.Status{Awaits: negotiate.ForInitialize, InVain: "no", Started: now}, ""},
		{"a slow handshake", session.Status{Awaits: negotiate.ForInitialize, Started: now.Add(-10 * time.Second)}, "no answer yet to initialize|:disconnect stops the waiting"},
		{"a slow handshake over HTTP+SSE", session.Status{Awaits: negotiate.ForInitialize, SSE: true, Started: now.Add(-10 * time.Second)}, "HTTP+SSE of 2024-11-05: no endpoint yet, or no answer to initialize|:disconnect stops the waiting"},
	} {
		if c.status.Phase == session.Disconnected {
			c.status.Phase = session.Connecting
		}
		title, came, helps := Link{Status: &c.status, Now: now}.Waits()
		if got := said(title, came, helps); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		again, cameThen, none := Link{Status: &c.status, Now: now, Recorded: true}.Waits()
		if again != title || cameThen != came || none != "" {
			t.Errorf("%s: in a recording it is %q, %q, %q", c.name, again, cameThen, none)
		}
	}
}

// said are the sentences that are there.
func said(all ...safe.Text) string {
	var there []string
	for _, t := range all {
		if t != "" {
			there = append(there, string(t))
		}
	}
	return strings.Join(there, "|")
}

// What a server calls itself is in quotes, and gives way to the state of the connection.
func TestWhatAServerCallsItself(t *testing.T) {
	s := &session.Status{Phase: session.Ready}
	s.Server.Name, s.Server.Version = "demo", "1.2.0"
	for _, c := range []struct {
		phase session.Phase
		title string
		ascii bool
		width int
		want  string
	}{
		{session.Ready, "", false, 40, `"demo 1.2.0"`},
		{session.Ready, "The Demo", false, 40, `"The Demo 1.2.0"`},
		{session.Ready, "ready · \x1b[2J", false, 40, `"ready · ⟨ESC⟩[2J 1.2.0"`},
		{session.Connecting, "", false, 40, `"demo 1.2.0" · connecting…`},
		{session.Connecting, "", true, 40, `"demo 1.2.0" · connecting...`},
		{session.Connecting, "", false, 12, `connecting…`},
	} {
		s.Phase, s.Server.Title = c.phase, c.title
		if got := string(Link{Status: s, ASCII: c.ascii}.Self(c.width)); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	for _, c := range []struct {
		argv      []string
		transport mcp.Transport
		want      string
	}{
		{nil, mcp.Stdio, "the server"},
		{[]string{"/opt/bin/demo", "--fast"}, mcp.Stdio, "demo --fast"},
		{[]string{"https://example.com/mcp"}, mcp.HTTP, "https://example.com/mcp"},
		{[]string{"demo\x1b[2J"}, mcp.Stdio, "demo⟨ESC⟩[2J"},
	} {
		if got := string(Start{Argv: c.argv}.Name(c.transport, 40)); got != c.want {
			t.Errorf("%q: %q", c.argv, got)
		}
	}
}

// An entry of a config file is called by its name, whatever the server says of itself.
func TestAnEntryIsCalledByItsName(t *testing.T) {
	s := &session.Status{Phase: session.Ready}
	s.Server.Title, s.Server.Version = "The Demo", "1.2.0"
	l := Link{Status: s, Entry: "staging"}
	for _, c := range []struct {
		phase session.Phase
		entry string
		width int
		want  string
	}{
		{session.Ready, "staging", 60, `staging "The Demo 1.2.0"`},
		{session.Ready, "staging", 20, `staging "The Demo …"`},
		{session.Ready, "staging", 15, `staging`},
		{session.Ready, "staging", 5, `stag…`},
		{session.Ready, `a "b" · ready`, 60, `"a \"b\" · ready" "The Demo 1.2.0"`},
		{session.Connecting, "staging", 60, `staging "The Demo 1.2.0" · connecting…`},
		{session.Connecting, "staging", 24, `staging · connecting…`},
		{session.Connecting, "staging", 12, `connecting…`},
	} {
		s.Phase, l.Entry = c.phase, c.entry
		if got := string(l.Self(c.width)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		for width := range 80 {
			if got := l.Self(width); safe.Width(got) > width {
				t.Errorf("%d columns: %s", width, got)
			}
		}
	}
	l.Entry = "staging"
	if got := l.Titled("Closing", 60); got != "Closing staging" {
		t.Errorf("the title: %s", got)
	}
	start := Start{Entry: "staging", Argv: []string{"npx", "-y", "demo"}}
	for _, over := range []mcp.Transport{mcp.Stdio, mcp.HTTP} {
		if got := start.Name(over, 40); got != "staging" {
			t.Errorf("who asks over %v: %s", over, got)
		}
	}
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		Open(h, outside{entry: "staging"}, nil, false)
		page := all(h, h.Top().(*dialog.Page))
		sees(t, page, " Server staging ", "entry      staging", "/opt/demo-server --stdio")
	})
}
