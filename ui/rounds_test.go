package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// modern is connected to a server that speaks 2026-07-28.
func modern(t *testing.T, w, h int, f func(w *harness)) {
	t.Helper()
	cfg := session.Config{Pin: mcp.Rev20260728, MaxRounds: 3}
	runWith(t, w, h, Options{}, cfg, func(x *harness) {
		time.Sleep(20 * time.Millisecond)
		x.result(x.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		x.result(x.last("tools/list"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+strings.TrimPrefix(toolList, "{"))
		x.clearStatus()
		f(x)
	})
}

const (
	formInput  = `{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}`
	modelInput = `{"method":"sampling/createMessage","params":{` + sayHello + `,"maxTokens":50}}`
	urlInput   = `{"method":"elicitation/create","params":{"mode":"url","message":"Log in.","url":"https://example.com/login"}}`
)

// asks answers the latest tool call with input_required. Each input is "key":{…}.
func (w *harness) asks(state string, inputs ...string) {
	w.t.Helper()
	if state != "" {
		state = `,"requestState":"` + state + `"`
	}
	w.result(w.last("tools/call"), `{"resultType":"input_required","inputRequests":{`+strings.Join(inputs, ",")+`}`+state+`}`)
}

func (w *harness) row() (r session.Row) {
	w.b.View(func(s *session.Session) { r, _ = s.Row(w.m.calls.Chosen()) })
	return r
}

func TestTheInputsOfARoundAreAnsweredInTheSamePanels(t *testing.T) {
	requirements.Rows(t, "MRT-01", "MRT-08", "MRT-13", "SMP-40")
	for _, size := range []struct {
		w, h int
		name string
	}{{80, 24, "80"}, {140, 40, "140"}} {
		modern(t, size.w, size.h, func(w *harness) {
			id := w.call("deploy")
			w.asks("s1", `"branch":`+formInput, `"why":`+modelInput)
			w.quiet()
			w.sees("? asks you", "demo-server --stdio asks you to fill in a form", `round 1 of #3 tools/call "deploy"`, `input "branch"`, "┃ Which branch?", "1 of 2")
			w.golden("round-form-" + size.name)
			w.write("main")
			w.press("ctrl+s")
			w.sees(`answered elicitation/create "Which branch?" · 1 more before the call goes on`)
			if w.last("tools/call") != id {
				t.Error("the call was made again before all was answered")
			}
			w.quiet()
			w.sees("to answer for a model", `input "why"`, "sampling is deprecated in 2026-07-28")
			w.golden("round-model-" + size.name)
			w.write("because")
			w.press("ctrl+s")
			w.gets(`"inputResponses":{"branch":{"action":"accept","content":{"branch":"main"}},"why":{"role":"assistant"`)
			if w.last("tools/call") == id || w.row().Wire.String() != "3" {
				t.Errorf("made again as %d; the row is %v", w.last("tools/call"), w.row().Wire)
			}
			w.asks("s2", `"again":`+formInput)
			w.quiet()
			w.sees(`round 2 of #3 tools/call "deploy"`, `input "again"`)
			w.press("ctrl+r")
			w.sees(`declined elicitation/create "Which branch?" · the call goes on`)
			w.gets(`"inputResponses":{"again":{"action":"decline"}}`, `"requestState":"s2"`)
			w.result(w.last("tools/call"), `{"resultType":"complete","content":[{"type":"text","text":"deployed"}]}`)
			w.seesNot("? asks you")
			w.press("2", "l")
			w.golden("round-timeline-" + size.name)
		})
	}
}

func TestWhatIsAskedOfAModelIsRejectedWithoutAWord(t *testing.T) {
	requirements.Rows(t, "MRT-19")
	for key, words := range map[string]string{"ctrl+r": "declined", "esc": "dismissed"} {
		modern(t, 100, 30, func(w *harness) {
			id := w.call("deploy")
			w.asks("s", `"branch":`+formInput, `"why":`+modelInput)
			w.quiet()
			w.press("ctrl+n")
			before := len(w.b.wrote)
			w.press(key)
			w.sees("not retried", "nothing running")
			if r := w.row(); r.State != session.Cancelled || r.Note != "not retried: you "+words+" sampling/createMessage" {
				t.Errorf("%+v", r)
			}
			w.wait(time.Minute)
			if w.m.modal() != nil || w.last("tools/call") != id || len(w.b.wrote) != before {
				t.Errorf("after %s: %v", key, w.b.wrote[before:])
			}
		})
	}
}

// What was asked of a model in one round is no part of the next one.
func TestEachRoundAsksAModelAnew(t *testing.T) {
	requirements.Rows(t, "SMP-28")
	modern(t, 100, 30, func(w *harness) {
		w.call("deploy")
		for _, question := range []string{"The first one?", "The second one?"} {
			w.asks("", `"why":`+strings.Replace(modelInput, "Say hello.", question, 1))
			w.quiet()
			w.sees(question)
			w.write("because of " + question)
			w.press("ctrl+s")
		}
		last := w.b.wrote[len(w.b.wrote)-1]
		if strings.Contains(last, "first") || !strings.Contains(last, "because of The second one?") {
			t.Errorf("the second answer is %s", last)
		}
		var all []session.QuestionView
		w.b.View(func(s *session.Session) { all = s.Questions() })
		if n := len(all); n != 2 || strings.Contains(string(all[1].Params), "first") {
			t.Errorf("%d questions: %s", n, all[1].Params)
		}
	})
}

func TestTheCallIsCancelledInAPanelOfItsRound(t *testing.T) {
	requirements.Rows(t, "MRT-20", "MRT-28")
	modern(t, 100, 30, func(w *harness) {
		w.call("deploy")
		w.asks("s", `"branch":`+formInput, `"other":`+formInput)
		w.quiet()
		w.write("half a")
		before := len(w.b.wrote)
		w.press("ctrl+x")
		w.sees(`"Which branch?" closed: you cancelled the call · nothing was sent`, "nothing running")
		w.seesNot("┃ Which branch?", "? asks you")
		w.wait(time.Minute)
		if w.m.modal() != nil || len(w.b.wrote) != before {
			t.Errorf("written: %v", w.b.wrote[before:])
		}
	})
}

// What was typed into one input is kept while another is declined.
func TestOneDeclinedInputLeavesTheOthers(t *testing.T) {
	requirements.Rows(t, "MRT-29")
	modern(t, 100, 30, func(w *harness) {
		w.call("deploy")
		w.asks("", `"a":`+formInput, `"b":`+formInput, `"c":`+formInput)
		w.quiet()
		w.write("first")
		w.press("ctrl+n", "ctrl+n")
		w.write("third")
		w.press("ctrl+p", "ctrl+r")
		w.quiet()
		w.sees("first")
		w.press("ctrl+s")
		w.quiet()
		w.sees("third")
		w.press("ctrl+s")
		w.gets(`"inputResponses":{"a":{"action":"accept","content":{"branch":"first"}},"b":{"action":"decline"},"c":{"action":"accept","content":{"branch":"third"}}}`)
	})
}

// Nothing tells the server that the user is done at an address but the call
// that is made again, so that waits for the user.
func TestACallGoesOnWhenTheUserIsDoneAtAnAddress(t *testing.T) {
	requirements.Rows(t, "ELI-52")
	modern(t, 100, 30, func(w *harness) {
		id := w.call("deploy")
		w.asks("s", `"login":`+urlInput)
		w.quiet()
		w.sees("to open an address", "round 1 of #3")
		w.press("r")
		w.press("ctrl+u")
		w.sees("opened · r goes on with the call when you are done there", "r go on")
		if w.last("tools/call") != id {
			t.Error("the call went on by itself")
		}
		w.golden("round-address")
		w.press("r")
		w.gets(`"inputResponses":{"login":{"action":"accept"}},"requestState":"s"`)
		w.asks("s", `"login":`+urlInput)
		w.quiet()
		w.press("ctrl+u", "ctrl+x")
		w.sees("the page you opened may still be live", "nothing running")
	})
}

func TestACallThatIsAskedForNothingIsMadeAgain(t *testing.T) {
	requirements.Rows(t, "MRT-09", "MRT-11", "MRT-17")
	modern(t, 140, 40, func(w *harness) {
		first := w.call("deploy")
		w.asks("an opaque secret of the server's")
		w.press("2", "h", "h")
		w.sees("1 · made again in 500ms, r at once", "34 B · digest", "opaque")
		w.golden("round-later")
		w.press("r")
		w.sees(`goes on: #3 tools/call "deploy"`)
		if w.last("tools/call") != first+1 {
			t.Error("it did not go on")
		}
		for range 2 {
			w.asks("x")
			w.wait(5 * time.Second)
		}
		w.asks("x")
		w.sees("held after 3 rounds", "4 · held, r goes on", "? held", "r go on")
		w.press("!")
		w.sees("this call is held: r goes on")
		last := w.last("tools/call")
		w.wait(2 * time.Minute)
		if w.last("tools/call") != last {
			t.Error("it was made again by itself")
		}
		w.press("r")
		if w.last("tools/call") != last+1 {
			t.Error("it did not go on")
		}
	})
}

func TestARefusedRoundIsTold(t *testing.T) {
	requirements.Rows(t, "MRT-06")
	modern(t, 140, 40, func(w *harness) {
		w.call("deploy")
		w.asks("", `"x":{"method":"ping"}`)
		w.sees(`refused for you: "input_required"`, "✗ failed")
		w.press("2", "h")
		w.sees("refused: the request", "is ping")
	})
}

// Three calls ask at once: each panel says whose it is.
func TestInputsOfSeveralCallsAreToldApart(t *testing.T) {
	requirements.Rows(t, "MRT-30")
	modern(t, 100, 30, func(w *harness) {
		for _, tool := range []string{"one", "two", "three"} {
			w.call(tool)
			w.asks("", `"branch":`+formInput)
		}
		w.quiet()
		w.sees(`round 1 of #3 tools/call "one"`, "1 of 3")
		w.press("ctrl+n")
		w.sees(`round 1 of #4 tools/call "two"`, "2 of 3")
		w.press("ctrl+n")
		w.sees(`round 1 of #5 tools/call "three"`, "3 of 3")
		w.golden("round-three-calls")
		w.write("x")
		w.press("ctrl+s")
		w.gets(`"name":"three","arguments":{},"inputResponses"`)
	})
}

// What the server wishes of a model, and a person does not follow, is shown as
// that.
func TestTheWishesOfARound(t *testing.T) {
	requirements.Rows(t, "SMP-12", "SMP-15")
	modern(t, 100, 40, func(w *harness) {
		w.call("deploy")
		w.asks("", `"why":{"method":"sampling/createMessage","params":{`+sayHello+`,"maxTokens":50,"includeContext":"thisServer","temperature":0.7,"stopSequences":["END"],"metadata":{"k":1}}}`)
		w.quiet()
		w.sees(`requested: "thisServer" · ignored`, "0.7 · ignored by a human", `"END" · ignored by a human`, `{"k":1} · ignored by a human`)
		w.golden("round-wishes")
	})
}

// A handle that one result holds is copied, and pasted into the next call.
func TestAHandleIsCarriedToTheNextCall(t *testing.T) {
	requirements.Rows(t, "BASE-30")
	modern(t, 100, 30, func(w *harness) {
		w.result(w.call("deploy"), `{"resultType":"complete","content":[{"type":"text","text":"basket-7f3"}]}`)
		w.press("enter", "y")
		if w.clip != "basket-7f3" {
			t.Fatalf("copied %q", w.clip)
		}
		w.form(`{"type":"object","properties":{"basket":{"type":"string"}}}`)
		w.send(pasted(w.clip))
		w.press("ctrl+s")
		w.gets(`"arguments":{"basket":"basket-7f3"}`)
	})
}
