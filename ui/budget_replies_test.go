package ui

import (
	"fmt"
	"strings"
	"time"
)

// bigErrors are what a server has to say of a call that has failed, in both eras.
var bigErrors = []bigThing{
	{"the data of an error", bigAnswer(errorData(-1)), inResult},
	{"the data of an error, modern", inModern(bigAnswer(errorData(-1))), inResult},
	{"the data of wrong parameters", bigAnswer(errorData(-32602)), inResult},
	{"the data of wrong parameters, modern", inModern(bigAnswer(errorData(-32602))), inResult},
	{"the data of a missing capability, modern", inModern(bigAnswer(errorData(-32021))), inResult},
	{"the data of a version that is refused", bigAnswer(errorData(-32022)), inResult},
	{"the data of a version that is refused, modern", inModern(bigAnswer(errorData(-32022))), inResult},
	{"addresses that are needed", bigAnswer(func(n int) string {
		return `"error":{"code":-32042,"message":"no","data":{"elicitations":[` + each(4*n, func(i int) string {
			return fmt.Sprintf(`{"mode":"url","elicitationId":"e%d","message":"m","url":"https://x.y/%[1]d"}`, i)
		}) + `]}}`
	}), inResult},
	{"one text as the data of an error", bigAnswer(textOfData), inResult},
	{"one text as the data of an error, modern", inModern(bigAnswer(textOfData)), inResult},
}

// errorData is an error of a code with much data, and behind all of that what the codes of the
// specification want to be there.
func errorData(code int) func(n int) string {
	return func(n int) string {
		return fmt.Sprintf(`"error":{"code":%d,"message":"no","data":{"why":[%s],"requiredCapabilities":{"elicitation":{}},"supported":["2025-06-18"]}}`,
			code, each(4*n, func(int) string { return `{"a":"b"}` }))
	}
}

func textOfData(n int) string {
	return `"error":{"code":-1,"message":"no","data":"` + filled(4*n) + `"}`
}

// inModern has a server of 2026-07-28 send something.
func inModern(come func(w *harness, n int)) func(w *harness, n int) {
	return func(w *harness, n int) {
		w.command("restart 2026-07-28")
		w.wait(time.Second)
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		w.result(w.last("tools/list"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private",`+strings.TrimPrefix(toolList, "{"))
		w.clearStatus()
		come(w, n)
	}
}

// batches are many messages at once, as 2025-03-26 has them.
var batches = []bigThing{
	{"a batch of notifications", batch(func(_ *harness, n int) string {
		return each(n, func(i int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, i)
		})
	}), inResult},
	{"a batch of progress", batch(func(w *harness, n int) string {
		id := w.call("countdown")
		return each(n, func(i int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%d","progress":%d}}`, id, i)
		})
	}), inResult},
	{"a batch of questions", batch(func(_ *harness, n int) string {
		return each(n, func(i int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"sampling/createMessage","params":{"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"a"}}]}}`, i)
		})
	}), inQuestion},
	{"a batch of pings", batch(func(_ *harness, n int) string {
		return each(n, func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","method":"ping"}`, i) })
	}), inResult},
	{"a batch of what is no message", batch(func(_ *harness, n int) string {
		return each(n, func(int) string { return `{}` })
	}), inResult},
	{"a batch of answers to nothing", batch(func(_ *harness, n int) string {
		return each(n, func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, 1000+i) })
	}), inResult},
}

// batch has a server of 2025-03-26 send messages at once.
func batch(messages func(w *harness, n int) string) func(w *harness, n int) {
	return func(w *harness, n int) {
		w.command("restart 2025-03-26")
		w.wait(time.Second)
		w.handshakeWith(strings.Replace(initResult, "2025-11-25", "2025-03-26", 1))
		w.deliver("[" + messages(w, n) + "]")
		w.quiet()
	}
}
