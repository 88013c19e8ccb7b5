package ui

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/wording/calltest"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/replay"
)

// keyAdvice is where a screen says what a key does that sends something, in a sentence: "r goes on".
var keyAdvice = regexp.MustCompile(`(?:^|[ ·;,(])[xXrRencd!] (?:shows|goes|go|makes|begins|starts|posts|stops|ends|connects|calls|cancels|declares|then|at once|or :)|· !|enter connects|wait, then`)

// advice finds what a recording may not advise: each command that does nothing there, and such a sentence.
func advice(w *harness) func(screen string) []string {
	var commands []string
	for _, b := range w.m.keys.All() {
		if b.Command != "" && replay.Sends(b) {
			commands = append(commands, regexp.QuoteMeta(b.Command))
		}
	}
	command := regexp.MustCompile(`(?:^|[ ·;,(]):(?:` + strings.Join(commands, "|") + `)(?:[ ;,·│]|$)`)
	return func(screen string) (all []string) {
		for line := range strings.Lines(screen) {
			if command.MatchString(line) || keyAdvice.MatchString(line) {
				all = append(all, strings.TrimSpace(line))
			}
		}
		return all
	}
}

// advised is what a screen advises anywhere: in the frame as it is, in each tab of each call, in the latest
// messages and their pages, and on the page of the server.
func advised(w *harness) (all []string) {
	finds := advice(w)
	see := func(keys ...string) {
		w.press(keys...)
		for _, line := range finds(w.screen()) {
			if line = "after " + strings.Join(keys, " ") + ": " + line; !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	see("esc")
	see("1", "g")
	for last := session.CallID(0); last != w.m.calls.Chosen(); w.press("1", "j") {
		last = w.m.calls.Chosen()
		see("2")
		for range 3 {
			see("l")
		}
		w.press("h", "h", "h")
	}
	see("3", "G")
	for range 4 {
		see("enter")
		see("esc")
		w.press("k")
	}
	see("i")
	see("pgdown")
	see("esc")
	w.press("1")
	return all
}

// replayed is the screen of a recording at whose end is what a live screen shows.
func (w *harness) replayed(width, height int) *harness {
	at := replay.Status{At: time.Minute, Length: time.Minute, Speed: 1, Session: 1, State: replay.Following}
	x := &harness{t: w.t, b: w.b, dec: w.dec, msgs: make(chan tea.Msg, 1000)}
	x.m = New(w.b, Options{Replay: &spool{st: at}})
	x.start(x.m.Init())
	x.send(tea.WindowSizeMsg{Width: width, Height: height})
	x.settle()
	return x
}

// In a recording nothing can be done about what went wrong: whatever it holds, and wherever it stands, no line
// of the screen names a key or a command for that.
func TestARecordingAdvisesNothing(t *testing.T) {
	const width, height = 160, 60
	seen := map[string]bool{}
	recorded(t, width, height, func(w *harness, sp *spool) {
		for _, r := range calltest.Recordings("") {
			run := string(bytes.Join(r.Lines, nil))
			if r.Alone || seen[run] || r.Field == "each revision" {
				continue
			}
			seen[run] = true
			step := 4
			if raceDetector {
				step = 40
			}
			for n := len(r.Lines); n > 1; n -= step {
				part := r
				part.Lines = r.Lines[:n]
				s, _ := part.Played()
				w.b.mu.Lock()
				w.b.s = s
				w.b.mu.Unlock()
				sp.st.Session++
				w.b.ring()
				w.wait(200 * time.Millisecond)
				for _, line := range advised(w) {
					t.Errorf("cut after %.150s, %s", r.Lines[n-1], line)
				}
			}
		}
	})
	if len(seen) != 3 {
		t.Errorf("%d runs", len(seen))
	}
}

// Where nobody answers, a call is held or a connection has ended, a live screen says what may help, and
// that of a recording which shows the same does not.
func TestARecordingAdvisesNothingWhereALiveScreenDoes(t *testing.T) {
	const width, height = 160, 60
	in := func(cfg session.Config, f func(w *harness)) func(*testing.T, func(*harness)) {
		return func(t *testing.T, then func(*harness)) {
			runWith(t, width, height, Options{}, cfg, func(w *harness) {
				f(w)
				then(w)
			})
		}
	}
	legacy := session.Config{DiscoverLimit: -1}
	for name, run := range map[string]func(*testing.T, func(*harness)){
		"no server answers": in(session.Config{}, func(w *harness) { w.wait(time.Minute) }),
		"a banner": in(session.Config{}, func(w *harness) {
			w.feed("hello, this is a server")
			w.wait(5 * time.Second)
		}),
		"the server refuses": in(session.Config{Pin: mcp.Rev20251125}, func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}}`, w.last("initialize"))
		}),
		"the server is gone": in(legacy, func(w *harness) {
			w.handshake()
			w.b.do(session.Closed{Epoch: w.b.s.Status().Epoch, Why: session.Close{Status: "exit status 3"}})
		}),
		"nothing was called": in(legacy, func(w *harness) {
			w.handshake()
			w.press("2", "1")
		}),
		"a question": in(legacy, func(w *harness) {
			w.handshake()
			w.b.do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown"}`)}})
			w.press("2")
			w.feed(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"who?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`)
		}),
		"a call is held": func(t *testing.T, then func(*harness)) {
			modern(t, width, height, func(w *harness) {
				w.call("deploy")
				for range 3 {
					w.asks("x")
					w.wait(5 * time.Second)
				}
				w.asks("x")
				then(w)
			})
		},
		"a call is to be made again": func(t *testing.T, then func(*harness)) {
			modern(t, width, height, func(w *harness) {
				w.call("deploy")
				w.asks("x")
				then(w)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(w *harness) {
				x := w.replayed(width, height)
				for _, line := range advised(x) {
					t.Error(line)
				}
				x.m.Finish()
				if len(advised(w)) == 0 {
					t.Errorf("nothing is advised on a live screen either:\n%s", w.screen())
				}
			})
		})
	}
}
