package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// locks locks a form and shows it.
func (w *world) locks(f *callForm) {
	w.t.Helper()
	f.locked = true
	w.m.dirty = true
	w.send(nil)
}

// Of a locked form all that was typed can be read: any field, a long line whole,
// and every line of a text.
func TestALockedFormIsReadToItsEnd(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}} {
		connected(t, size[0], size[1], Options{}, func(w *world) {
			props := make([]string, 30)
			for i := range props {
				props[i] = fmt.Sprintf(`"f%d":{"type":"string"}`, i)
			}
			f := w.form(`{"properties":{` + strings.Join(props, ",") + `}}`)
			w.write("first")
			w.press("tab")
			w.write(strings.Repeat("abc", 60) + "THEEND")
			w.press("tab")
			for i := range 20 {
				w.write(fmt.Sprintf("line-%d.", i))
				w.press("alt+enter")
			}
			for range 14 {
				w.press("tab")
			}
			before := string(f.form.JSON())
			w.locks(f)
			seen := w.screen()
			if !strings.Contains(seen, "f16 ") {
				t.Errorf("the field that had the focus is not in view:\n%s", seen)
			}
			reach := func(k tea.KeyPressMsg) (all string) {
				for range 100 {
					all += w.screen()
					top := f.text.top
					if !f.browse(k) {
						t.Fatalf("%s is not taken", k)
					}
					w.m.dirty = true
					w.send(nil)
					if f.text.top == top {
						break
					}
				}
				return all
			}
			for _, way := range []struct{ start, key string }{{"home", "down"}, {"end", "up"}, {"home", "pgdown"}, {"end", "pgup"}} {
				f.browse(key(way.start))
				w.m.dirty = true
				w.send(nil)
				all := reach(key(way.key))
				for _, want := range []string{"first", "THEEND", "line-0.", "line-11.", "line-19.", "f29"} {
					if !strings.Contains(all, want) {
						t.Errorf("%v: %s from %s does not reach %q", size, way.key, way.start, want)
					}
				}
				if n := strings.Count(all, "abc"); n < 50 {
					t.Errorf("%v: the long line is not shown whole: %d", size, n)
				}
			}
			f.browse(key("home"))
			if all := reach(key("tab")); !strings.Contains(all, "f29") {
				t.Errorf("%v: tab does not reach the last field", size)
			}
			if all := reach(key("shift+tab")); !strings.Contains(all, "first") {
				t.Errorf("%v: shift+tab does not reach the first field", size)
			}
			if f.browse(key("x")) || f.browse(key("ctrl+s")) {
				t.Error("a key that reads nothing is taken")
			}
			if got := string(f.form.JSON()); got != before {
				t.Errorf("%s became %s", before, got)
			}
		})
	}
}

// The raw side of a locked form is read to its end, too.
func TestALockedFormAsJSON(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *world) {
		f := w.form(`{"properties":{"a":{"type":"string"}}}`)
		w.press("ctrl+g", "ctrl+k")
		w.send(pasted("{\n" + strings.Repeat("\n", 60) + `"a":"the end"}`))
		w.locks(f)
		w.seesNot("the end")
		f.browse(key("end"))
		w.m.dirty = true
		w.send(nil)
		w.sees("the end")
	})
}
