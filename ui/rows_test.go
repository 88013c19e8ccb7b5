package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

func TestALongErrorIsOneLineInTheLists(t *testing.T) {
	requirements.Rows(t, "BASE-34")
	connected(t, 140, 40, Options{}, func(w *harness) {
		id := w.call("countdown")
		message := strings.Repeat(`first line of the error\nsecond line\n`, 300) + "the very end"
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"%s"}}`, id, message)
		w.wait(100 * time.Millisecond)
		w.press("1")
		rows := 0
		for l := range strings.SplitSeq(w.screen(), "\n") {
			if strings.Contains(l, "← error") {
				rows++
			}
		}
		if rows != 1 {
			t.Errorf("the error takes %d lines of the wire pane:\n%s", rows, w.screen())
		}
		w.press("enter", "+", "G")
		w.sees("the very end")
	})
}

func TestProtocolErrorsAndToolErrorsDiffer(t *testing.T) {
	requirements.Rows(t, "ERR-20")
	connected(t, 140, 40, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"boom"}}`, id)
		w.wait(100 * time.Millisecond)
		w.press("2", "right")
		w.sees("error -32603")
		protocol := w.styleAt("error -32603")
		id = w.call("countdown")
		w.feed(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}`, id)
		w.wait(100 * time.Millisecond)
		w.press("2", "right")
		w.sees("result, isError")
		if tool := w.styleAt("result, isError"); tool == protocol {
			t.Errorf("both are drawn as %q", tool)
		}
	})
}

func TestErrorsOfPromptsNameThePrompt(t *testing.T) {
	requirements.Rows(t, "ERR-18")
	connected(t, 140, 40, Options{}, func(w *harness) {
		for code, want := range map[int]string{-32602: "unknown prompt, or a missing argument", -32603: "internal error of the server"} {
			w.start(w.m.call(session.CallSpec{Method: "prompts/get", Params: []byte(`{"name":"code_review"}`)}))
			w.m.dirty = true
			w.send(nil)
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"no"}}`, w.last("prompts/get"), code)
			w.wait(100 * time.Millisecond)
			w.press("2", "left", "left", "left", "right")
			w.sees("code_review", fmt.Sprint(code), want)
		}
	})
}

func TestWhatTheServerDidNotDeclareIsGreyedWithTheReason(t *testing.T) {
	requirements.Rows(t, "VER-15")
	run(t, 140, 40, Options{}, func(w *harness) {
		w.wait(50 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"bare","version":"1"}}}`)
		w.wait(100 * time.Millisecond)
		w.press(":")
		w.write("log error")
		w.press("enter")
		w.sees("the server does not declare the logging capability")
		w.wait(100 * time.Millisecond)
		if w.got("logging/setLevel") != 0 {
			t.Error("logging/setLevel was sent to a server that has no logging")
		}
		w.press("esc", "esc", "n")
		w.sees("the server offers nothing to call")
	})
}

func TestStderrIsNeutral(t *testing.T) {
	requirements.Rows(t, "STD-08")
	connected(t, 140, 40, Options{}, func(w *harness) {
		w.b.tell(session.Stderr{Epoch: w.b.epoch, Line: []byte("ERROR: this is only a log line")})
		w.wait(100 * time.Millisecond)
		style := w.styleAt("ERROR: this is only")
		for _, loud := range []string{sgrOf(w, w.m.styles.Bad), sgrOf(w, w.m.styles.Warn), sgrOf(w, w.m.styles.Stop)} {
			if foreground.FindString(style) == foreground.FindString(loud) {
				t.Errorf("stderr is drawn as %q", style)
			}
		}
		if w.m.snap.status.Diags != 0 || w.m.snap.status.Phase != session.Ready {
			t.Error("a line of stderr changed a state")
		}
	})
}

// foreground finds the color of the text in a sequence.
var foreground = regexp.MustCompile(`38;2;\d+;\d+;\d+`)

func TestActivityAfterACancelIsExplained(t *testing.T) {
	requirements.Rows(t, "SD0-10")
	connected(t, 140, 40, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.press("x")
		for i := range 12 {
			w.wait(time.Second)
			w.progress(id, fmt.Sprint(i+1), "100", "")
		}
		w.wait(100 * time.Millisecond)
		w.press("enter")
		w.wait(100 * time.Millisecond)
		w.press("G")
		w.sees("still working", "messages for the call went on: a server may ignore")
	})
}
