package ui

import (
	"reflect"
	"testing"
	"time"
)

func reflectSlice(v any) reflect.Value { return reflect.ValueOf(v) }

func TestOverview(t *testing.T) {
	connected(t, 140, 40, Options{}, func(w *world) {
		w.call("countdown")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":3,"total":5,"message":"three"}}`, w.last("tools/call"))
		w.wait(time.Second)
		t.Log("\n" + w.screen())
		w.press("x")
		t.Log("\n" + w.screen())
	})
}
