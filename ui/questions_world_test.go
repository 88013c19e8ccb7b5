package ui

import (
	"strings"
	"time"

	"belay/ui/panel"
)

const elicit = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{}}}}`

// asksForm is a form elicitation with one field.
func (w *harness) asksForm(id, message string) {
	w.feed(`{"jsonrpc":"2.0","id":"%s","method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","required":["branch"],"properties":{`+
		`"branch":{"type":"string","title":"Branch","description":"a git branch"},"force":{"type":"boolean"}}}}}`, id, message)
}

func (w *harness) asksURL(id, url string) {
	w.feed(`{"jsonrpc":"2.0","id":"%s","method":"elicitation/create","params":{"mode":"url","message":"Log in, please.","elicitationId":"e1","url":"%s"}}`, id, url)
}

const sayHello = `"messages":[{"role":"user","content":{"type":"text","text":"Say hello."}}]`

func (w *harness) asksModel(id, params string) {
	w.feed(`{"jsonrpc":"2.0","id":"%s","method":"sampling/createMessage","params":{%s}}`, id, params)
}

// withdraws is the server's cancel of its own request.
func (w *harness) withdraws(id, reason string) {
	w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%s","reason":"%s"}}`, id, reason)
}

// quiet waits until a panel that opened by itself takes keys.
func (w *harness) quiet() { w.wait(panel.GuardQuiet + 100*time.Millisecond) }

// gets fails unless the server got exactly one message with each of the texts.
func (w *harness) gets(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if n := w.got(text); n != 1 {
			w.t.Errorf("the server got %d messages with %s, want 1:\n%s", n, text, strings.Join(w.b.wrote, "\n"))
		}
	}
}

// getsNothingFor fails if the server got anything for a request of its own.
func (w *harness) getsNothingFor(ids ...string) {
	w.t.Helper()
	w.wait(time.Second)
	for _, id := range ids {
		if w.got(`"id":"`+id+`"`) != 0 {
			w.t.Errorf("something was written for %s:\n%s", id, strings.Join(w.b.wrote, "\n"))
		}
	}
}
