package ui

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

const mirroring = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[
 {"name":"deploy","description":"Deploys.","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"apiKey":{"type":"string","x-mcp-header":"Key"}}}},
 {"name":"broken","description":"Never called.","inputSchema":{"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}}}]}`

// overHTTP is connected over HTTP to a server that speaks 2026-07-28.
func overHTTP(t *testing.T, w, h int, tools string, f func(w *harness)) {
	t.Helper()
	cfg := session.Config{Pin: mcp.Rev20260728, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, Login: true}
	runWith(t, w, h, Options{}, cfg, func(x *harness) {
		time.Sleep(20 * time.Millisecond)
		x.result(x.last("server/discover"), `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		x.result(x.last("tools/list"), tools)
		x.clearStatus()
		f(x)
	})
}

// What goes out in the head is said before it does, with a warning where it looks
// like a secret.
func TestTheFormSaysWhatGoesIntoTheHead(t *testing.T) {
	requirements.Rows(t, "HTM-56")
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		overHTTP(t, size[0], size[1], mirroring, func(w *harness) {
			w.press("n")
			w.write("deploy")
			w.press("enter")
			w.sees("in the head, too: region as Mcp-Param-Region, apiKey as Mcp-Param-Key", "looks like a secret")
			w.golden("form-mirrors-" + name)
		})
	}
}

// A tool that must not be called is listed by itself, with the reason, and is
// not called.
func TestToolsThatAreLeftOutAreShown(t *testing.T) {
	requirements.Rows(t, "HTM-34")
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		overHTTP(t, size[0], size[1], mirroring, func(w *harness) {
			w.press("n")
			w.golden("picker-left-out-" + name)
			w.write("broken")
			w.press("enter")
			w.sees("left out: n is of type", "must not be called over HTTP")
			if w.got("tools/call") != 0 {
				t.Error("it was called")
			}
			w.press("esc", "i")
			w.press("G")
			w.sees("tools that are left out · 1")
			w.golden("info-left-out-" + name)
		})
	}
	overHTTP(t, 80, 24, mirroring, func(w *harness) {
		w.b.View(func(s *session.Session) {
			n := 0
			for _, d := range s.Diagnostics() {
				if d.Code == mcp.DiagToolHeader {
					n += d.Count
				}
			}
			if n != 1 {
				t.Errorf("told of %d times", n)
			}
		})
	})
}

// A call whose head and body differed waits for the user, who is told how it
// goes on.
func TestACallGoesOnWithOtherFields(t *testing.T) {
	overHTTP(t, 140, 40, mirroring, func(w *harness) {
		id := w.call("deploy")
		x := w.exchange(id)
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 400, Media: "application/json"}})
			s.Receive(now, x, w.dec.Decode([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"mismatch"}}`)))
			s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
		})
		w.settle()
		w.result(w.last("tools/list"), mirroring)
		w.press("2", "h", "h")
		w.sees("r makes the call again", "1 · held, r goes on", "? held", "r go on")
		w.press("r")
		if w.last("tools/call") == id {
			t.Error("it was not made again")
		}
		w.result(w.last("tools/call"), `{"resultType":"complete","content":[]}`)
		if r := w.row(); r.State != session.Done || r.Wire.String() == r.Latest.String() {
			t.Errorf("%+v", r)
		}
	})
}

// A call that is refused for want of a capability says which, and r declares it.
func TestDeclareAndRetry(t *testing.T) {
	requirements.Rows(t, "VER-44", "ERR-08")
	overHTTP(t, 140, 40, mirroring, func(w *harness) {
		id := w.call("deploy")
		x := w.exchange(id)
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 400, Media: "application/json"}})
			s.Receive(now, x, w.dec.Decode([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"roots":{}}}}}`)))
			s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
		})
		w.settle()
		w.press("2")
		w.sees("needs roots, which the request did not", "r declares it and makes the call again")
		w.press("r")
		w.sees("declares roots as well")
		if again := w.last("tools/call"); again == id {
			t.Error("it was not made again")
		}
		made := w.row().ID
		w.b.View(func(s *session.Session) {
			if d, _ := s.Detail(made); len(d.Declare) != 1 || d.Declare[0] != session.CapRoots {
				t.Errorf("declares %v", d.Declare)
			}
		})
	})
}

// So does one that was written by hand, of which belay declares nothing by itself.
func TestDeclareAndRetryOfACallWrittenByHand(t *testing.T) {
	requirements.Rows(t, "TEX-06")
	modern(t, 100, 30, func(w *harness) {
		w.command(`send tools/call {"name":"long"}`)
		id := w.last("tools/call")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`, id)
		w.sees("failed")
		w.press("2")
		w.sees("which the request did not declare;", "r declares it and makes the call again")
		if w.got("modelcontextprotocol/tasks") != 0 {
			t.Errorf("declared at once: %s", w.b.wrote)
		}
		w.press("r")
		if again := w.last("tools/call"); again == id || w.got(`"extensions":{"io.modelcontextprotocol/tasks":{}}`) != 1 {
			t.Errorf("not made again with the extension: %s", w.b.wrote)
		}
	})
}
