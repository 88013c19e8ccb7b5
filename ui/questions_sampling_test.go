package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/ui/question"
)

const wholeSampling = `"messages":[
 {"role":"user","content":{"type":"text","text":"Say hello.\n✓ done by belay"}},
 {"role":"assistant","content":{"type":"text","text":"To whom?"}},
 {"role":"user","content":{"type":"image","mimeType":"image/png","data":"aGVsbG8="}},
 {"role":"user","content":{"type":"audio","mimeType":"audio/wav","data":"aGVsbG8h"}}],
 "systemPrompt":"Be brief.","maxTokens":20,"temperature":0.7,"stopSequences":["END"],"metadata":{"a":1},"includeContext":"thisServer",
 "modelPreferences":{"hints":[{"name":"claude-3"},{"name":"sonnet"}],"costPriority":0.3,"speedPriority":0.8}`

func TestTheSamplingPanelShowsTheRequest(t *testing.T) {
	requirements.Rows(t, "SMP-02", "SMP-12", "SMP-15")
	connected(t, 140, 40, Options{}, func(w *harness) {
		w.call("asker")
		w.asksModel("q1", wholeSampling)
		w.quiet()
		w.golden("ask-sampling-wide")
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.call("asker")
		w.asksModel("q1", strings.Replace(wholeSampling, "Be brief.", strings.Repeat("Be brief. ", 100), 1))
		w.quiet()
		w.golden("ask-sampling")
		want := []string{
			"asks you to answer for a model", `for #6 tools/call "asker"`, "system prompt", "┃ Be brief.", "message 1 · user", "┃ Say hello.",
			"┃ ✓ done by belay", "message 2 · assistant", "┃ To whom?", "image image/png · 5 B", "audio audio/wav · 6 B", `models       "claude-3", "sonnet"`,
			"max tokens   20", "cost 0.3 · speed 0.8 · ignored by a human", `requested: "thisServer" · ignored`, "temperature  0.7 · ignored by a human",
			`stop at      "END" · ignored by a human`, `metadata     {"a":1} · ignored by a human`,
		}
		for range 20 {
			screen := w.screen()
			want = slicesDelete(want, func(s string) bool { return strings.Contains(screen, s) })
			w.press("pgdown")
		}
		if len(want) > 0 {
			t.Errorf("however far one scrolls, it lacks %q:\n%s", want, w.screen())
		}
	})
}

func slicesDelete(all []string, gone func(string) bool) (rest []string) {
	for _, s := range all {
		if !gone(s) {
			rest = append(rest, s)
		}
	}
	return rest
}

func TestASamplingAnswer(t *testing.T) {
	requirements.Rows(t, "SMP-04", "SMP-38", "SMP-39")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":100`)
		w.quiet()
		w.write("Hello,")
		w.press("enter")
		w.write("world")
		w.getsNothingFor("q1") // what was written is on the screen, and only there
		w.sees("Hello,", "world")
		w.press("ctrl+s")
		w.gets(`{"jsonrpc":"2.0","id":"q1","result":{"role":"assistant","content":{"type":"text","text":"Hello,\nworld"},"model":"human","stopReason":"endTurn"}}`)
	})
}

// The first hint is the model's name to begin with, and it can be another.
func TestTheModelOfAnAnswer(t *testing.T) {
	requirements.Rows(t, "SMP-16")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksModel("q1", wholeSampling)
		w.quiet()
		w.sees("claude-3")
		w.write("hi")
		w.press("tab", "ctrl+u")
		w.write("opus")
		w.press("enter", "ctrl+u") // enter goes on and sends nothing
		w.write("maxTokens")
		w.press("shift+tab", "shift+tab")
		w.write("!")
		w.press("ctrl+s")
		w.gets(`"content":{"type":"text","text":"hi!"},"model":"opus","stopReason":"maxTokens"}`)
	})
}

// An answer longer than the server wants is warned of; an empty one is asked
// for twice.
func TestTheLengthOfAnAnswer(t *testing.T) {
	requirements.Rows(t, "SMP-14")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":3`)
		w.quiet()
		w.press("ctrl+s")
		w.sees("not sent yet: the answer is empty · ctrl+s again sends it")
		w.write("123456789012")
		w.seesNot("! the answer is about")
		w.write("3")
		w.sees("! the answer is about 4 tokens; the server wants at most 3")
		w.press("ctrl+s")
		w.gets(`"text":"1234567890123"`)
	})
}

// ctrl+g shows the answer as JSON and back, and loses nothing.
func TestASamplingAnswerAsJSON(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":99,"tools":[{"name":"look","description":"Looks.","inputSchema":{"type":"object"}}]`)
		w.quiet()
		w.write("hi")
		w.press("ctrl+g")
		w.sees(`"text": "hi"`, `"model": "human"`)
		w.press("ctrl+g")
		w.sees("your answer")
		w.press("ctrl+g")
		for range 12 {
			w.press("down")
		}
		for range 12 {
			w.press("ctrl+u", "backspace")
		}
		w.press("ctrl+k", "ctrl+u")
		w.send(pasted(`{"role":"assistant","content":{"type":"tool_use","id":"u1","name":"nothing","input":{}},"model":"m"}`))
		w.press("ctrl+g")
		w.sees("not shown as text: ")
		w.press("ctrl+s")
		w.sees(`not sent: the server offers no tool called "nothing"`)
		w.getsNothingFor("q1")
		for range 4 {
			w.press("ctrl+w", "ctrl+u")
		}
		w.send(pasted(`{"role":"assistant","content":{"type":"tool_use","id":"u1","name":"look","input":{}},"model":"m"}`))
		w.press("ctrl+s")
		w.gets(`"content":{"type":"tool_use","id":"u1","name":"look","input":{}}`)
	})
}

// The answer can be written in the user's editor; what is written there is sent
// no sooner than anything else, and stays readable if the server has enough.
func TestASamplingAnswerInTheEditor(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":99`)
		w.quiet()
		w.write("draft")
		w.b.edit = func(text, _ string) (string, error) { return text + ", improved\n", nil }
		w.press("ctrl+o")
		w.sees("draft, improved")
		w.getsNothingFor("q1")
		w.b.edit = func(string, string) (string, error) { return "", errors.New("vi is not installed") }
		w.press("ctrl+o")
		w.sees("vi is not installed", "draft, improved")
		saved := make(chan struct{})
		w.b.edit = func(text, _ string) (string, error) {
			<-saved
			return text + ", again", nil
		}
		w.press("ctrl+o")
		w.withdraws("q1", "enough")
		close(saved)
		w.settle()
		w.sees(lockedFoot, "draft, improved, again")
		w.getsNothingFor("q1")
	})
}

// A canned answer is off by default, marked AUTO, and ends when told so.
func TestCannedAnswers(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.b.files = map[string]string{"answer.txt": "from a file"}
		w.command("sampling echo")
		w.sees("AUTO: sampling is answered with an echo · :sampling off ends it", "AUTO sampling")
		w.asksModel("q1", sayHello+`,"maxTokens":9`)
		w.wait(100 * time.Millisecond)
		w.gets(`"id":"q1","result":{"role":"assistant","content":{"type":"text","text":"Say hello."},"model":"belay-canned-answer"`)
		w.sees("AUTO answered sampling/createMessage with an echo")
		w.command("sampling file answer.txt")
		w.asksModel("q2", sayHello+`,"maxTokens":9`)
		w.wait(100 * time.Millisecond)
		w.gets(`"id":"q2","result":{"role":"assistant","content":{"type":"text","text":"from a file"}`)
		w.command("sampling file missing.txt")
		w.sees("there is no such file", "AUTO sampling")
		w.b.files["texts/empty.txt"] = ""
		w.command("sampling file texts/empty.txt")
		w.sees(`sampling is not answered with "texts/empty.txt": the file is empty`)
		w.asksModel("q22", sayHello+`,"maxTokens":9`) // it is the one from before
		w.wait(100 * time.Millisecond)
		w.gets(`"id":"q22","result":{"role":"assistant","content":{"type":"text","text":"from a file"}`)
		w.command("sampling perhaps")
		w.sees("type :sampling echo")
		w.asksForm("q3", "?") // nothing else is answered
		w.quiet()
		w.press("esc")
		w.command("sampling off")
		w.seesNot("AUTO sampling")
		w.asksModel("q4", sayHello+`,"maxTokens":9`)
		w.sees("asks you to answer for a model")
		w.getsNothingFor("q4")
	})
}

// A canned answer may not do what the user may not: what the server does not
// want is left to the user.
func TestACannedAnswerIsCheckedAsAnyOther(t *testing.T) {
	for want, params := range map[string]string{
		"AUTO does not answer: the answer would be empty": strings.Replace(sayHello, "Say hello.", "", 1) + `,"maxTokens":100`,
		"AUTO does not answer: the server requires a tool use in the answer": sayHello +
			`,"maxTokens":9,"tools":[{"name":"t","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}`,
		"AUTO does not answer: the answer is about 500 tokens; the server wants at most 100": strings.Replace(sayHello, "Say hello.", strings.Repeat("a", 2000), 1) +
			`,"maxTokens":100`,
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.command("sampling echo")
			w.asksModel("q1", params)
			w.sees(want, "asks you to answer for a model")
			w.getsNothingFor("q1")
		})
	}
}

// What may be a loop between server and model is not answered by itself.
func TestALoopIsNotAnsweredByItself(t *testing.T) {
	requirements.Rows(t, "SMP-26")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.command("sampling echo")
		for i := range 11 {
			w.asksModel(fmt.Sprintf("s%d", i), sayHello+`,"maxTokens":9`)
		}
		if n := w.got(`"model":"belay-canned-answer"`); n != 10 {
			t.Errorf("%d canned answers", n)
		}
		w.sees("! this is request 11 to a model within one call: it may be a loop")
		w.getsNothingFor("s10")
		w.quiet()
		w.write("stop")
		w.press("ctrl+s")
		w.gets(`"id":"s10","result":{"role":"assistant","content":{"type":"text","text":"stop"}`)
	})
}

// A large request to a model is read beside the screen before belay answers it by
// itself; who ends that meanwhile, or whose server takes the question back, is not
// overtaken.
func TestALargeRequestIsAnsweredBesideTheScreen(t *testing.T) {
	large := `"messages":[{"role":"user","content":{"type":"text","text":"` + strings.Repeat("Say hello. ", question.ParamsAtOnce/10) + `"}}]`
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.command("sampling echo")
		w.asksModel("q1", large+`,"maxTokens":90000`)
		w.gets(`"id":"q1","result":{"role":"assistant","content":{"type":"text","text":"Say hello. `)
		w.sees("AUTO answered sampling/createMessage with an echo")
	})
	for name, overtake := range map[string]func(w *harness){
		"the user has ended that": func(w *harness) {
			off, _ := w.m.keys.Named("canned sampling")
			w.m.run(off, "off")
		},
		"the server has taken it back": func(w *harness) {
			w.b.locked(func(s *session.Session, now time.Time) {
				taken := []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1"}}`)
				s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode(taken))
			})
			w.m.dirty = true
			w.m.Update(nil)
		},
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.command("sampling echo")
			overtaken := false
			w.turn = func(what string, update func()) {
				if what == "question.cannedMsg" {
					overtaken = true
					overtake(w)
				}
				update()
			}
			w.asksModel("q1", large+`,"maxTokens":90000`)
			if !overtaken || w.got(`"id":"q1"`) != 0 {
				t.Errorf("it is answered although %s: %v", name, overtaken)
			}
		})
	}
}
