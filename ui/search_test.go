package ui

import (
	"fmt"
	"strings"
	"testing"
)

// A search finds what is far behind what a document holds, on one line or on many, and the
// loop looks at none of it.
func TestASearchLooksThroughAllOfAResult(t *testing.T) {
	for name, filler := range map[string]string{"lines": `a line of hay\n`, "one line": `hay `} {
		t.Run(name, func(t *testing.T) {
			connected(t, 120, 24, Options{}, func(w *harness) {
				half := strings.Repeat(filler, (1<<20)/len(filler))
				w.result(w.call("echo"), `{"content":[{"type":"text","text":"`+half+`\nNEEDLE one\n`+half+`\nneedle two\n`+half+`"}]}`)
				gate := make(chan struct{})
				w.m.beside.first = func() { <-gate }
				w.press("2", "/")
				w.write("needle")
				w.sees("searching…") // and the keys go on
				close(gate)
				w.settle()
				w.sees("NEEDLE one", "1 of 2 lines")
				w.press("enter", "enter")
				w.sees("needle two", "2 of 2 lines")
				w.press("k", "k")
				w.press("N")
				w.sees("NEEDLE one", "1 of 2 lines")
				w.press("g")
				w.sees("lines above: esc goes back")
				w.press("G")
				w.sees("lines below: enter goes on")
				if n := len(w.m.detail.Doc().Lines); n > 2502 {
					t.Errorf("%d lines are kept", n)
				}
				w.press("esc")
				w.seesNot("of 2 lines", "lines above")
				w.press("/")
				w.write("zz")
				w.sees("not found")
			})
		})
	}
}

// A search that was given up, by another text or by esc, does nothing any more.
func TestASearchThatIsNotWantedEnds(t *testing.T) {
	connected(t, 120, 24, Options{}, func(w *harness) {
		hay := strings.Repeat(`hay\n`, 400_000)
		w.result(w.call("echo"), `{"content":[{"type":"text","text":"`+hay+`NEEDLE"}]}`)
		gate := make(chan struct{})
		w.m.beside.first = func() { <-gate }
		w.press("2", "/")
		w.write("needle")
		w.press("esc")
		close(gate)
		w.settle()
		w.seesNot("NEEDLE", "of 1 line")
		if w.m.beside.seek[0].Of() != nil {
			t.Error("it is still under way")
		}
	})
}

// A whole message over the panes is searched like a result.
func TestASearchLooksThroughAllOfAMessage(t *testing.T) {
	connected(t, 120, 36, Options{}, func(w *harness) {
		id := w.call("echo")
		w.deliver(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":{"hay":[%s"NEEDLE"]}}}`, id, strings.Repeat(`"hay",`, 300_000)))
		w.press("3", "G", "enter", "/")
		w.write("needle")
		w.press("enter")
		w.sees("NEEDLE", "1 of 1 line")
	})
}

// A number that the end of a line cuts in two is found as any other.
func TestASearchFindsWhatIsWrapped(t *testing.T) {
	connected(t, 120, 24, Options{}, func(w *harness) {
		var text strings.Builder
		for i := range 100 {
			fmt.Fprintf(&text, "%03d-", i)
		}
		w.result(w.call("echo"), `{"content":[{"type":"text","text":"`+text.String()+`"}]}`)
		w.press("2")
		cut := 0
		for i := range 99 {
			number := fmt.Sprintf("%03d-%03d", i, i+1)
			if strings.Contains(w.screen(), number) {
				continue
			}
			cut++
			w.press("/")
			w.write(number)
			w.sees("1 of 1 line")
			w.press("esc")
		}
		if cut == 0 || cut > 20 {
			t.Errorf("%d numbers are cut", cut)
		}
	})
}

// The footer names the keys of a search while there is one, and no key that does nothing.
func TestTheFooterNamesTheKeysOfASearch(t *testing.T) {
	connected(t, 120, 24, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[{"type":"text","text":"one two one"}]}`)
		w.press("2")
		if got := w.foot(); strings.Contains(got, "enter") || strings.Contains(got, "N before") {
			t.Errorf("nothing is searched for: %q", got)
		}
		w.press("/")
		w.write("one")
		w.press("enter")
		if got := w.foot(); !strings.Contains(got, "enter next  N before") {
			t.Errorf("%q:\n%s", got, w.screen())
		}
	})
}
