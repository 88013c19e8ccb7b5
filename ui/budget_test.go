package ui

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/session"
	"belay/session/rawjson"
	"belay/ui/compose"
	"belay/ui/rank"
)

// bigSize is the length of the big things below, in bytes. It is beyond all that may
// be read between two keys.
func bigSize() int {
	if raceDetector {
		return 1 << 20
	}
	return 4 << 20
}

// middleSize is a length that is long, and below what is refused.
const middleSize = 400_000

// filled is a text of so many bytes.
func filled(n int) string { return strings.Repeat("wo rd ", 1+n/6) }

// each is a list of things, of about n bytes altogether.
func each(n int, one func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() == 0 || b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(one(i))
	}
	return b.String()
}

// bigThing is a message of a server's that is as big as it is told to be.
type bigThing struct {
	what string
	come func(w *harness, n int)
	keys string // what is pressed then
}

// bigAnswer is the result of a call.
func bigAnswer(result func(n int) string) func(w *harness, n int) {
	return func(w *harness, n int) {
		id := w.call("countdown")
		w.deliver(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, id, result(n)))
	}
}

// bigMessage is a message of its own.
func bigMessage(raw func(n int) string) func(w *harness, n int) {
	return func(w *harness, n int) {
		w.deliver(raw(n))
		w.quiet()
	}
}

// bigQuestion is one that a form answers.
func bigQuestion(schema func(n int) string) func(w *harness, n int) {
	return bigMessage(func(n int) string {
		return `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":` + schema(n) + `}}`
	})
}

func bigRequest(method string, params func(n int) string) func(w *harness, n int) {
	return bigMessage(func(n int) string {
		return `{"jsonrpc":"2.0","id":"q","method":"` + method + `","params":{` + params(n) + `}}`
	})
}

// bigEcho is a request to a model, which is answered with its own text.
func bigEcho(messages func(n int) string) func(w *harness, n int) {
	come := bigRequest("sampling/createMessage", func(n int) string { return `"maxTokens":9,"messages":[` + messages(n) + `]` })
	return func(w *harness, n int) {
		w.command("sampling echo")
		come(w, n)
	}
}

// bigList is what the server offers, fetched anew.
func bigList(method, word string, list func(n int) string) func(w *harness, n int) {
	return func(w *harness, n int) {
		w.press(":")
		w.write("reload " + word)
		w.press("enter")
		w.wait(time.Second)
		w.deliver(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, w.last(method), list(n)))
		w.wait(time.Second)
	}
}

// bigOpening is what a server says of itself when it is begun with.
func bigOpening(member func(n int) string) func(w *harness, n int) {
	return func(w *harness, n int) {
		w.command("restart")
		w.wait(time.Second)
		w.deliver(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"completions":{}},%s}}`, w.last("initialize"), member(n)))
		w.wait(time.Second)
	}
}

// bigSuggestions are what a server proposes while an argument is typed.
func bigSuggestions(completion func(n int) string) func(w *harness, n int) {
	return func(w *harness, n int) {
		w.command("restart")
		w.wait(time.Second)
		w.handshakeWith(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1"},"capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{}}}`)
		w.openReview()
		w.wait(compose.SuggestPause + 50*time.Millisecond)
		w.deliver(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"completion":%s}}`, w.last("completion/complete"), completion(n)))
		w.wait(time.Second)
	}
}

// deliver is a message of the server's that is decoded, as in the client, outside of
// the lock and for itself.
func (w *harness) deliver(raw string) {
	f := w.dec.DecodeOwned([]byte(raw))
	receive := func() {
		w.b.locked(func(s *session.Session, now time.Time) { s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, f) })
	}
	if w.turn == nil {
		receive()
	} else {
		w.turn("the core", receive)
	}
	w.settle()
	w.wait(2 * frameTime)
}

const (
	inQuestion = "7 backspace tab up right 7 ctrl+g x ctrl+g pgdown ctrl+s ctrl+l ! esc esc"
	inResult   = "2 right left left left right right pgdown G g / w o backspace enter n esc p esc 3 k k enter pgdown esc / w o enter esc 1 i pgdown esc"
	inWelcome  = "j k i pgdown G / w o enter esc esc n esc ? esc"
	inSuggest  = "p ctrl+n ctrl+n ctrl+p backspace tab x esc"
	inOffers   = "n b i backspace down alt+enter 7 tab ctrl+g ctrl+g esc esc esc i pgdown / w enter esc esc n esc"
)

var bigThings = slices.Concat(bigMessages, takenBack, manyThings, bigErrors, batches)

var bigMessages = []bigThing{
	{"values", bigQuestion(func(n int) string {
		return `{"type":"object","properties":{"a":{"type":"string","enum":[` + each(n, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}}}`
	}), inQuestion},
	{"values, just not too many", bigQuestion(func(n int) string {
		return `{"type":"object","properties":{"a":{"type":"string","enum":[` + each(min(n, 140_000), func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}}}`
	}), inQuestion},
	{"properties", bigQuestion(func(n int) string {
		return `{"type":"object","properties":{` + each(n, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) }) + `}}`
	}), inQuestion},
	{"properties, just not too many", bigQuestion(func(n int) string {
		return `{"type":"object","properties":{` + each(min(n, 70_000), func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) }) + `}}`
	}), inQuestion},
	{"nesting", bigQuestion(func(n int) string {
		deep := 1 + min(n, 200_000)/60
		return strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, deep) + `{}` + strings.Repeat(`}}`, deep)
	}), inQuestion},
	{"patterns", bigQuestion(func(n int) string {
		return `{"type":"object","properties":{` + each(min(n, 100_000), func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string","pattern":"^[a-z]{1,999}$"}`, i) }) + `}}`
	}), inQuestion},
	{"references", bigQuestion(func(n int) string {
		return `{"type":"object","$defs":{"x":{"type":"string"}},"properties":{` + each(min(n, 900_000), func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/x"}`, i) }) + `}}`
	}), inQuestion},
	{"a description", bigQuestion(func(n int) string {
		return `{"type":"object","properties":{"a":{"type":"string","description":"` + filled(min(n, 900_000)) + `"}}}`
	}), inQuestion},
	{"the text of a question", bigRequest("elicitation/create", func(n int) string {
		return `"message":"` + filled(n) + `","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}`
	}), inQuestion},
	{"long lines of a question", bigRequest("elicitation/create", func(n int) string {
		return `"message":"` + strings.Repeat(strings.Repeat("é", 1+n/400)+`\n`, 200) + `","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}`
	}), inQuestion},
	{"an address", bigRequest("elicitation/create", func(n int) string {
		return `"mode":"url","elicitationId":"e","message":"m","url":"https://x.y/` + strings.Repeat("a/", 1+n/2) + `"`
	}), inQuestion},
	{"a host", bigRequest("elicitation/create", func(n int) string {
		return `"mode":"url","elicitationId":"e","message":"m","url":"https://` + strings.Repeat("xn--a.", 1+min(n, 16_000)/6) + `x"`
	}), inQuestion},
	{"messages to a model", bigRequest("sampling/createMessage", func(n int) string {
		return `"maxTokens":9,"messages":[` + each(n, func(int) string { return `{"role":"user","content":{"type":"text","text":"a"}}` }) + `]`
	}), inQuestion},
	{"wishes of a model", bigRequest("sampling/createMessage", func(n int) string {
		return `"maxTokens":9,"modelPreferences":{"hints":[` + each(n, func(int) string { return `{"name":"t"}` }) + `]},"messages":[{"role":"user","content":{"type":"text","text":"a"}}]`
	}), inQuestion},

	{"a model that is echoed", bigEcho(func(n int) string {
		return `{"role":"user","content":{"type":"text","text":"` + filled(min(n, 2<<20)) + `"}}`
	}), inQuestion},
	{"many messages to a model that is echoed", bigEcho(func(n int) string {
		return each(n, func(int) string { return `{"role":"user","content":{"type":"text","text":"a"}}` })
	}), inQuestion},
	{"an ID", bigMessage(func(n int) string {
		return `{"jsonrpc":"2.0","id":"` + filled(n) + `","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`
	}), inQuestion},
	{"the ID of a cancel", bigMessage(func(n int) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"` + filled(n) + `"}}`
	}), inResult},
	{"a token of progress", bigMessage(func(n int) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"` + filled(n) + `","progress":1}}`
	}), inResult},
	{"a method", bigMessage(func(n int) string { return `{"jsonrpc":"2.0","id":1,"method":"` + filled(n) + `"}` }), inResult},

	{"a text", bigAnswer(func(n int) string { return `"result":{"content":[{"type":"text","text":"` + filled(n) + `"}]}` }), inResult},
	{"long lines", bigAnswer(func(n int) string {
		return `"result":{"content":[{"type":"text","text":"` + strings.Repeat(strings.Repeat("é", 1+n/400)+`\n`, 200) + `"}]}`
	}), inResult},
	{"short lines", bigAnswer(func(n int) string {
		return `"result":{"content":[{"type":"text","text":"` + strings.Repeat(`x\n`, n/3) + `"}]}`
	}), inResult},
	{"parts", bigAnswer(func(n int) string {
		return `"result":{"content":[` + each(n, func(int) string { return `{"type":"text","text":"a"}` }) + `]}`
	}), inResult},
	{"structured content", bigAnswer(func(n int) string {
		return `"result":{"content":[],"structuredContent":{"a":[` + each(n, func(int) string { return `{"b":1}` }) + `]}}`
	}), inResult},
	{"any JSON", bigAnswer(func(n int) string {
		return `"result":{"x":[` + each(n, func(int) string { return `{}` }) + `]}`
	}), inResult},
	{"an image", bigAnswer(func(n int) string {
		return `"result":{"content":[{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("AAAA", 1+n/4) + `"}]}`
	}), inResult},
	{"an error", bigAnswer(func(n int) string {
		return `"error":{"code":-1,"message":"` + filled(n) + `","data":[` + each(n, func(int) string { return `{}` }) + `]}`
	}), inResult},
	{"a log message", bigMessage(func(n int) string {
		return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":[` + each(n, func(int) string { return `{}` }) + `]}}`
	}), inResult},

	{"tools", bigList("tools/list", "tools", func(n int) string {
		return `{"tools":[` + each(n, func(i int) string { return fmt.Sprintf(`{"name":"big%d","inputSchema":{"type":"object"}}`, i) }) + `]}`
	}), inOffers},
	{"hundreds of tools with big schemas", bigList("tools/list", "tools", func(n int) string {
		return `{"tools":[` + each(n, func(i int) string {
			return fmt.Sprintf(`{"name":"big%d","description":"%s","inputSchema":{"type":"object","properties":{%s}}}`, i, filled(min(n, 5000)),
				each(min(n, 10_000), func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) }))
		}) + `]}`
	}), inOffers},
	{"the names of headers", bigList("tools/list", "tools", func(n int) string {
		return `{"tools":[{"name":"big","inputSchema":{"type":"object","properties":{` + each(n, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string","x-mcp-header":"h%d"}`, i, i) }) + `}}}]}`
	}), inOffers},
	{"the name of a tool", bigList("tools/list", "tools", func(n int) string {
		return `{"tools":[{"name":"` + filled(n) + `","title":"` + filled(n) + `","inputSchema":{"type":"object"}}]}`
	}), inOffers},
	{"the schema of a tool", bigList("tools/list", "tools", func(n int) string {
		return `{"tools":[{"name":"big","inputSchema":{"type":"object","properties":{"a":{"enum":[` + each(n, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}}}}]}`
	}), inOffers},
	{"the description of a tool", bigList("tools/list", "tools", func(n int) string {
		return `{"tools":[{"name":"big","description":"` + filled(n) + `","inputSchema":{"type":"object"}}]}`
	}), inOffers},
	{"the annotations of a tool", bigList("tools/list", "tools", func(n int) string {
		return `{"tools":[{"name":"big","inputSchema":{"type":"object"},"annotations":{` + each(n, func(i int) string { return fmt.Sprintf(`"p%d":1`, i) }) + `}}]}`
	}), inOffers},
	{"the arguments of a prompt", bigList("prompts/list", "prompts", func(n int) string {
		return `{"prompts":[{"name":"big","arguments":[` + each(n, func(i int) string { return fmt.Sprintf(`{"name":"a%d"}`, i) }) + `]}]}`
	}), inOffers},
	{"instructions", bigOpening(func(n int) string {
		return `"serverInfo":{"name":"demo","version":"1"},"instructions":"` + filled(n) + `"`
	}), inWelcome},
	{"short lines of instructions", bigOpening(func(n int) string {
		return `"serverInfo":{"name":"demo","version":"1"},"instructions":"` + strings.Repeat(`x\n`, 1+n/3) + `"`
	}), inWelcome},
	{"the name of a server", bigOpening(func(n int) string {
		return `"serverInfo":{"name":"` + filled(n) + `","title":"` + filled(n) + `","version":"` + filled(n) + `"}`
	}), inWelcome},
	{"completions", bigSuggestions(func(n int) string {
		return `{"values":[` + each(n, func(i int) string { return fmt.Sprintf(`"python-%d"`, i) }) + `]}`
	}), inSuggest},
	{"a long completion", bigSuggestions(func(n int) string { return `{"values":["` + filled(n) + `"]}` }), inSuggest},
	{"completions, just not too many", bigSuggestions(func(n int) string {
		return `{"values":[` + each(min(n, 60_000), func(i int) string { return fmt.Sprintf(`"python-%d"`, i) }) + `]}`
	}), inSuggest},
	{"the variables of a template", bigList("resources/templates/list", "templates", func(n int) string {
		return `{"resourceTemplates":[{"name":"big","uriTemplate":"a:` + each(n, func(i int) string { return fmt.Sprintf("{v%d}", i) }) + `"}]}`
	}), inOffers},
}

// cost is what one turn of the screen's loop, or one hold of the lock, takes: work on
// the bytes of a message that looks at them, and other than a time it is the same on
// a busy machine.
type cost struct {
	memory uint64 // allocated, in bytes
	looked uint64 // bytes of texts and of JSON that were walked over
}

// costs are the highest costs of a run, and where each was found.
type costs struct {
	most          cost
	memory, looks string
}

func (c *costs) add(of cost, where string) {
	if of.memory > c.most.memory {
		c.most.memory, c.memory = of.memory, where
	}
	if of.looked > c.most.looked {
		c.most.looked, c.looks = of.looked, where
	}
}

// budget runs a big thing of some size: it comes, and the keys are pressed.
func budget(t *testing.T, b bigThing, size int) (c costs) {
	t.Helper()
	var looked atomic.Uint64 // also told by what is done beside the screen
	safe.Looked = func(n int) { looked.Add(uint64(n)) }
	rank.Looked = safe.Looked
	rawjson.Walked = func(text []byte) { looked.Add(uint64(len(text))) }
	defer func() { safe.Looked, rank.Looked, rawjson.Walked = nil, nil, nil }()
	playBig(t, b, size, func(where string, update func()) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		from := looked.Load()
		update()
		of := cost{looked: looked.Load() - from}
		runtime.ReadMemStats(&after)
		of.memory = after.TotalAlloc - before.TotalAlloc
		c.add(of, where)
	})
	return c
}

// playBig has a big thing come and the keys pressed. Each turn of the loop, and each
// hold of the lock for a message, is done by turn.
func playBig(t *testing.T, b bigThing, size int, turn func(where string, update func())) {
	t.Helper()
	connected(t, 120, 36, Options{}, func(w *harness) {
		step := "it comes"
		w.turn = func(what string, update func()) { turn(step+", "+what, update) }
		b.come(w, size)
		for key := range strings.FieldsSeq(b.keys) {
			step = key
			w.press(key)
		}
	})
}

// A message of a server's, of any size and shape, takes no more of the screen's loop
// and of the lock than a small one, and something: what is more is done beside it.
func TestABigThingHoldsNothingUp(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	// What is laid out at once and what is remembered of a form is bounded, but not
	// nothing.
	const memory, looked = 3 << 20, 192 << 10
	for _, b := range bigThings {
		t.Run(b.what, func(t *testing.T) {
			idle := budget(t, b, 1)
			for _, size := range []int{middleSize, bigSize()} {
				big := budget(t, b, size)
				if most := big.most.memory; most > idle.most.memory+memory {
					t.Errorf("of %d kB one turn took %d kB, when small %d kB: %s", size>>10, most>>10, idle.most.memory>>10, big.memory)
				}
				if most := big.most.looked; most > idle.most.looked+looked {
					t.Errorf("of %d kB one turn looked at %d kB, when small %d kB: %s", size>>10, most>>10, idle.most.looked>>10, big.looks)
				}
			}
		})
	}
}

// Of long instructions the first pane shows the beginning, and how much is left out.
func TestLongInstructionsInTheFirstPane(t *testing.T) {
	run(t, 120, 36, Options{}, func(w *harness) {
		w.handshakeWith(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1"},"capabilities":{"tools":{},"prompts":{},"resources":{}},"instructions":"the beginning\n` + strings.Repeat(`a line\n`, 10_000) + `"}`)
		w.sees("the beginning", "70.0 kB more in the server info", "a line")
	})
}

// Of a long document the beginning is there at once, and all of it soon after.
func TestALongDocumentIsLaidOutBesideTheScreen(t *testing.T) {
	connected(t, 120, 36, Options{}, func(w *harness) {
		gate := make(chan struct{})
		w.m.beside.first = func() { <-gate }
		id := w.call("countdown")
		w.deliver(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"the beginning\n%sthe end"}]}}`, id, strings.Repeat(`line\n`, 2000)))
		w.press("2")
		w.sees("the beginning")
		w.press("G")
		w.sees("the rest is being laid out")
		w.m.beside.first = nil
		close(gate)
		w.settle()
		w.press("G")
		w.sees("the end")
		w.seesNot("being laid out")
	})
}
