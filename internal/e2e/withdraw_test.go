//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// asked is a kind of request that a server may take back.
type asked struct {
	ask    string // with the ID q1
	opens  string // on the screen once it can be answered; empty: belay answers by itself
	answer func(s *stage)
	result string // what the answer holds
}

func kinds(root string) map[string]asked {
	return map[string]asked{
		"form": {
			questions["form"], "ctrl+s send",
			func(s *stage) { s.Type("Ann").See("Ann").Press("ctrl+s") },
			`{"action":"accept","content":{"name":"Ann"}}`,
		},
		"url": {
			questions["url"], "ctrl+u open",
			func(s *stage) { s.Press("ctrl+u") },
			`{"action":"accept"}`,
		},
		"sampling": {
			questions["sampling"], "ctrl+s send",
			func(s *stage) { s.Type("Aye.").See("Aye.").Press("ctrl+s") },
			`{"role":"assistant","content":{"type":"text","text":"Aye."},"model":"human","stopReason":"endTurn"}`,
		},
		"roots": {
			`{"jsonrpc":"2.0","id":"q1","method":"roots/list"}`, "", func(*stage) {},
			`{"roots":[{"uri":"file://` + root + `","name":"` + root[strings.LastIndexByte(root, '/')+1:] + `"}]}`,
		},
	}
}

// A story of a withdrawal: the server has read a call, which is not answered
// yet, and may ask.
type withdrawal struct {
	*stage
	asked
	call string // the ID of the call
	id   string // that of the server's request
}

// request is the server's request.
func (w *withdrawal) request() string { return strings.Replace(w.ask, `"q1"`, w.id, 1) }

// asks sends the request, in one write with what comes after it, and waits until
// it can be answered.
func (w *withdrawal) asks(also ...string) {
	w.t.Helper()
	w.dictate(append([]string{w.request()}, also...)...)
	if w.opens != "" {
		w.See(w.opens)
	}
}

// withdraws begins a story. The wire pane has room for all that a moment brings:
// an answer may be written before the rest of what came with its request is read.
func withdraws(t *testing.T, conduct string, what asked, flags ...string) *withdrawal {
	t.Helper()
	w := &withdrawal{stage: playAt(t, 140, 60, conduct, flags...), asked: what, id: `"q1"`}
	w.See("scripted").call("slow")
	w.serverReads(1, `"tools/call"`)
	for _, l := range w.received() {
		var m message
		if json.Unmarshal([]byte(l.Line), &m) == nil && m.Method == "tools/call" {
			w.call = string(m.ID)
		}
	}
	return w
}

// reads waits until belay shows that it has read n messages of a method in all.
func (w *withdrawal) reads(method string, n int) *withdrawal {
	w.t.Helper()
	w.Until(fmt.Sprintf("%d × ← %s", n, method), func(s termtest.Screen) bool { return strings.Count(s.String(), "← "+method) == n })
	return w
}

// goOn lets a server that crosses read on.
func (w *withdrawal) goOn() {
	w.t.Helper()
	if err := os.WriteFile(readOn(w.log), nil, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// ends is the answer to the call.
func (w *withdrawal) ends() string {
	return `{"jsonrpc":"2.0","id":` + w.call + `,"result":{"content":[{"type":"text","text":"all done"}]}}`
}

// back is a cancel for a request with this ID.
func back(id string) string { return strings.ReplaceAll(takeBack, `"q1"`, id) }

// written are the lines that belay has written as answers to an ID, out of the
// bytes that the server has read, all of which must be whole messages.
func (s *stage) written(id string) (answers []string) {
	s.t.Helper()
	raw, err := os.ReadFile(heard(s.log))
	if err != nil {
		s.t.Fatal(err)
	}
	if !strings.HasSuffix(string(raw), "\n") {
		s.t.Errorf("the last line is not whole: %.200q", raw[max(0, len(raw)-200):])
	}
	for line := range strings.Lines(string(raw)) {
		var m struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Method  string          `json:"method"`
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			s.t.Errorf("the server has read %.200q: %v", line, err)
		}
		if m.Method == "" && string(m.ID) == id {
			answers = append(answers, strings.TrimSuffix(line, "\n"))
		}
	}
	return answers
}

// A server may take its request back at any moment, as often as it likes and
// with whatever ID. From the moment at which belay has read that, not one byte is
// written for the request; before, and for what only looks like it, exactly one
// answer is.
func TestARequestIsTakenBackAtEveryMoment(t *testing.T) {
	requirements.Rows(t, "CXS-01", "CXS-04", "CXS-05", "CXS-06", "CXS-07", "CXS-09", "CXS-22")
	const (
		gone = "withdrawn by the server"
		over = "all done"
	)
	type moment struct {
		play      func(w *withdrawal)
		answered  bool     // one answer is written; otherwise none
		sees      []string // at the end
		conduct   string
		questions bool // only for what the user answers: anything else is answered at once
		races     bool // what is answered at once may be before the rest of the same write is read
	}
	for name, m := range map[string]moment{
		"in the same write as the request": {
			play: func(w *withdrawal) { w.dictate(w.request(), takeBack) },
			sees: []string{gone, "changed my mind"}, races: true,
		},
		"in the same write, twice": {
			play: func(w *withdrawal) { w.dictate(w.request(), takeBack, takeBack) },
			sees: []string{gone}, races: true,
		},
		"in the same write as the request and the call's answer": {
			play: func(w *withdrawal) { w.dictate(w.request(), w.ends(), takeBack) },
			sees: []string{gone, over}, races: true,
		},
		"before the call's answer, in the same write": {
			play: func(w *withdrawal) { w.asks(); w.dictate(takeBack, w.ends()) },
			sees: []string{gone, over}, questions: true,
		},
		"after the call's answer, in the same write": {
			play: func(w *withdrawal) { w.asks(); w.dictate(w.ends(), takeBack) },
			sees: []string{gone, over}, questions: true,
		},
		"while it is open, twice": {
			play: func(w *withdrawal) {
				w.asks()
				w.dictate(takeBack).See("esc dismisses").silent()
				w.dictate(takeBack).silent()
			},
			sees: []string{gone}, questions: true,
		},
		"and asked anew with its ID": {
			play: func(w *withdrawal) {
				w.asks()
				w.dictate(takeBack).See("esc dismisses").Press("esc").Gone("esc dismisses")
				w.asks()
				w.answer(w.stage)
			},
			answered: true, sees: []string{gone}, questions: true,
		},
		"when its answer begins, and after it": {
			conduct: "crossing",
			play: func(w *withdrawal) {
				w.asks()
				w.answer(w.stage)
				w.reads("cancelled", 1).goOn()
				w.reads("cancelled", 2)
			},
			answered: true,
		},
		"after the answer": {
			play: func(w *withdrawal) {
				w.asks()
				w.answer(w.stage)
				w.serverReads(1, `"id":"q1","result"`)
				w.dictate(takeBack, takeBack)
			},
			answered: true,
		},
		"with IDs of others": {
			play: func(w *withdrawal) {
				w.asks(back(w.call), back(`"`+w.call+`"`), back(`"q2"`), back(`"Q1"`), back(`"q1 "`), back("1e3"), back("null"), back(`["q1"]`))
				w.answer(w.stage)
			},
			answered: true,
		},
		"with a text for a number": {
			play:     func(w *withdrawal) { w.id = "70"; w.asks(back(`"70"`)); w.answer(w.stage) },
			answered: true,
		},
		"with a number for a text": {
			play:     func(w *withdrawal) { w.id = `"70"`; w.asks(back("70")); w.answer(w.stage) },
			answered: true,
		},
		"with the ID that belay's call has, too": {
			play: func(w *withdrawal) {
				w.id = w.call
				w.dictate(w.request(), back(w.call))
				w.reads("cancelled", 1).See("running").settled()
				w.dictate(w.ends())
			},
			sees: []string{gone, over}, races: true,
		},
	} {
		root := t.TempDir()
		for kind, ask := range kinds(root) {
			if m.questions && ask.opens == "" {
				continue
			}
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				conduct := "dictated"
				if m.conduct != "" {
					conduct = m.conduct
				}
				w := withdraws(t, conduct, ask, "--root", root)
				m.play(w)
				var want []string
				sees, answered := m.sees, m.answered
				if m.races && ask.opens == "" {
					w.Until("either the withdrawal or an answer", func(s termtest.Screen) bool { return s.Contains(gone) || s.Contains("→ result") })
					if answered = !w.Screen().Contains(gone); answered {
						sees = slices.DeleteFunc(slices.Clone(sees), func(text string) bool { return text != over })
					}
				}
				if answered {
					want = []string{`{"jsonrpc":"2.0","id":` + w.id + `,"result":` + ask.result + `}`}
					w.serverReads(1, `"id":`+w.id+`,"result"`).See("→ result")
				}
				w.See(sees...)
				w.settled()
				if got := w.written(w.id); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("belay wrote %q, want %q\n%s", got, want, w.Screen().Framed())
				}
				if !slices.Contains(sees, gone) && w.Screen().Contains(gone) {
					t.Errorf("it was answered:\n%s", w.Screen().Framed())
				}
			})
		}
	}
}

// An answer is one line of the stream: a withdrawal that comes when half of it is
// out cannot cut it short. One that comes when nothing of it is out, because
// another half is in front of it, leaves nothing of it.
func TestALongAnswerAndAWithdrawalCross(t *testing.T) {
	requirements.Rows(t, "CXS-04", "CXS-09")
	long := strings.Repeat("all hands on deck ", 10_000) // more than pipes hold
	answer := func(id, text string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","result":{"role":"assistant","content":{"type":"text","text":"` + text + `"},"model":"human","stopReason":"endTurn"}}`
	}
	ask := kinds("/")["sampling"]
	ask.ask = strings.Replace(ask.ask, `"maxTokens":10`, `"maxTokens":1000000`, 1)
	t.Run("half of it is out", func(t *testing.T) {
		t.Parallel()
		w := withdraws(t, "crossing", ask)
		w.asks()
		w.Paste(long)
		w.See("on deck").Press("ctrl+s")
		w.reads("cancelled", 1).goOn()
		w.reads("cancelled", 2).settled()
		if got := w.written(`"q1"`); len(got) != 1 || got[0] != answer("q1", long) {
			t.Errorf("belay wrote %d answers: %.300q", len(got), got)
		}
		if w.Screen().Contains("withdrawn by the server") {
			t.Errorf("it was answered:\n%s", w.Screen().Framed())
		}
	})
	t.Run("nothing of it is out", func(t *testing.T) {
		t.Parallel()
		w := withdraws(t, "hesitant", ask)
		w.id = `"q0"`
		w.asks()
		w.Paste(long)
		w.See("on deck").Press("ctrl+s").Gone("ctrl+s send")
		w.id = `"q1"`
		w.asks()
		w.answer(w.stage)
		w.Gone("ctrl+s send")
		w.dictate(takeBack).See("too late: the server withdrew", "changed my mind")
		w.goOn()
		w.settled()
		if got := w.written(`"q0"`); len(got) != 1 || got[0] != answer("q0", long) {
			t.Errorf("belay wrote %d answers to q0: %.300q", len(got), got)
		}
		if got := w.written(`"q1"`); len(got) != 0 {
			t.Errorf("belay wrote %q", got)
		}
	})
}
