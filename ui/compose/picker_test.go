package compose

import (
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"testing"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
	"belay/ui/rank"
)

// Enter takes what is found first: a tool without arguments is called at once, what takes
// some opens its form.
func TestThePickerTakesTheTop(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		p, keys := w.picker()
		w.Shows(p, "New call", "type a name", "countdown", "stubborn", "review", "readme", "file", "Counts down.")
		keys.Type("stub")
		w.Shows(p, "stubborn")
		w.ShowsNot(p, "countdown")
		keys.Press("enter")
		w.Lies(nil)
		if got := w.made(); len(got) != 1 || got[0].Method != "tools/call" || string(got[0].Params) != `{"name":"stubborn","arguments":{}}` {
			t.Errorf("made %+v", got)
		}
		_, keys = w.picker()
		keys.Press("down", "enter")
		if got := w.made(); len(got) != 2 {
			t.Errorf("the second of the list is not the tool without arguments: %+v", got)
		}
		_, keys = w.picker()
		keys.Type("stub")
		keys.Press("alt+enter")
		if _, ok := w.Top().(*Form); !ok {
			t.Errorf("alt+enter opens a %T", w.Top())
		}
		w.Stack = nil
		_, keys = w.picker()
		keys.Press("enter")
		if f, ok := w.Top().(*Form); !ok || f.name != "countdown" || len(w.made()) != 2 {
			t.Errorf("what takes arguments opens a %T", w.Top())
		}
	})
}

// Esc calls nothing, and what nothing has as a name says so.
func TestThePickerThatFindsNothing(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		p, keys := w.picker()
		keys.Type("zzz")
		w.Shows(p, "nothing has that name · :send takes any method")
		keys.Press("enter")
		w.Says("nothing has that name")
		w.Lies(p)
		keys.Press("alt+s")
		w.Says("only a resource can be subscribed to")
		w.Run(p.Close())
		w.Lies(nil)
		if len(w.made()) != 0 {
			t.Errorf("made %+v", w.made())
		}
	})
}

// Where nothing can be listed, the list that could not be had is named.
func TestAnEmptyPickerNamesTheList(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		p, _ := w.picker()
		for k := range p.catalog.Lists {
			p.catalog.Lists[k] = session.ListView{}
		}
		p.catalog.Lists[mcp.Tools].Problem = "fetching it was cancelled"
		p.load()
		w.Shows(p, "tools: fetching it was cancelled")
	})
}

// A list that changes while it is open is taken over; whoever has moved stays on the item.
func TestTheCatalogChangesWhileThePickerIsOpen(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		p, keys := w.picker()
		keys.Press("down")
		w.relist(`{"tools":[{"name":"a-new-one","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}},{"name":"another","inputSchema":{"type":"object"}},{"name":"stubborn","inputSchema":{"type":"object"}}]}`)
		w.Shows(p, "a-new-one")
		w.ShowsNot(p, "countdown")
		keys.Press("enter")
		if got := w.made(); len(got) != 1 || !strings.Contains(string(got[0].Params), "stubborn") {
			t.Errorf("made %+v: the choice has moved away under the key", got)
		}
		p, _ = w.picker()
		w.Lose()
		w.Shows(p, "a-new-one", "not connected") // what was known of the server stays
		made := len(w.made())
		keys = paneltest.KeysOf(w.Host, p, PickerBindings())
		keys.Press("enter")
		w.Says("not connected")
		w.Lies(p)
		if len(w.made()) != made {
			t.Error("a call was made of a server that is gone")
		}
	})
}

// Much that can be called is listed beside the screen.
func TestALongListIsListedBesideTheScreen(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		var many []string
		for i := range listedAtOnce + 1 {
			many = append(many, fmt.Sprintf(`{"name":"tool-%d","inputSchema":{"type":"object"}}`, i))
		}
		w.relist(`{"tools":[` + strings.Join(many, ",") + `]}`)
		p := &Picker{c: w.c}
		w.View(func(s *session.Session) { p.catalog = s.Catalog() })
		p.load()
		w.Push(p)
		w.Shows(p, "what the server offers is being listed")
		w.Settle()
		w.Shows(p, "tool-0")
		if n := len(p.items); n != listedAtOnce+1+3 {
			t.Errorf("%d things are listed", n)
		}
		late := listMsg{listKey{p, p.catalog.Rev + 7}, listing{}, ranking{}}
		w.c.Update(late)
		if len(p.items) == 0 {
			t.Error("a listing that nobody waits for was taken")
		}
	})
}

// many has the server offer so many tools, and the list of them opened.
func (w *harness) many(n int, about string) (*Picker, *paneltest.Keys[*Picker]) {
	w.T.Helper()
	var tools []string
	for i := range n {
		tools = append(tools, fmt.Sprintf(`{"name":"tool-%d","description":"%s","inputSchema":{"type":"object"}}`, i, about))
	}
	w.relist(`{"tools":[` + strings.Join(tools, ",") + `]}`)
	return w.picker()
}

// ranked counts the bytes of the things that are looked at.
func ranked(of func()) (bytes int) {
	rank.Looked = func(n int) { bytes += n }
	defer func() { rank.Looked = nil }()
	of()
	return bytes
}

// held keeps the work on the list from being done, until it is let go.
func (w *harness) held() (release func()) {
	gate := make(chan struct{})
	w.c.listing.First = func() { <-gate }
	return func() {
		w.c.listing.First = nil
		close(gate)
		w.Settle()
	}
}

// Much that can be called is ranked beside the screen. Until then the list stays, and no key takes
// anything of it.
func TestALongListIsRankedBesideTheScreen(t *testing.T) {
	for name, offer := range map[string]func(w *harness) (*Picker, *paneltest.Keys[*Picker]){
		"many things": func(w *harness) (*Picker, *paneltest.Keys[*Picker]) { return w.many(listedAtOnce+1, "") },
		"long texts": func(w *harness) (*Picker, *paneltest.Keys[*Picker]) {
			return w.many(200, strings.Repeat("a", textAtOnce/150))
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 80, 24, func(w *harness) {
				p, keys := w.many(3, "")
				keys.Type("readme") // few things are ranked at once
				w.Shows(p, "demo://readme")
				w.ShowsNot(p, "tool-")
				w.Run(p.Close())

				p, keys = offer(w)
				release := w.held()
				if n := ranked(func() { keys.Type("77") }); n != 0 {
					t.Errorf("%d bytes of the list are looked at for two keys", n)
				}
				w.Shows(p, "tool-0", "tool-1")
				for _, key := range []string{"enter", "alt+enter", "alt+s"} {
					keys.Press(key)
					w.Says("what was typed is still being looked for")
					w.Lies(p)
				}
				if n := ranked(release); n > p.size+p.size/2 {
					t.Errorf("%d bytes are looked at for the last of two keys, and the list has %d", n, p.size)
				}
				w.Shows(p, "tool-77")
				w.ShowsNot(p, "tool-0")
				keys.Press("enter")
				if got := w.made(); len(got) != 1 || !strings.Contains(string(got[0].Params), `"tool-77"`) {
					t.Errorf("made %+v", got)
				}
			})
		})
	}
}

// Whoever moves while a long list is ranked stays on the item, as long as that fits.
func TestMovingWhileALongListIsRanked(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		p, keys := w.many(listedAtOnce+1, "")
		release := w.held()
		keys.Type("tool-7")
		keys.Press("down", "down", "down", "down", "down", "down", "down", "down")
		keys.Press("up")
		release()
		if it, _ := p.chosen(); it.Name != "tool-7" {
			t.Errorf("%s is chosen", it.Name)
		}
		keys.Press("down", "down")
		release = w.held()
		keys.Type("9")
		keys.Press("down")
		release()
		if it, _ := p.chosen(); it.Name != "tool-79" || p.at != 0 {
			t.Errorf("%s is chosen, the item %d", it.Name, p.at)
		}
	})
}

// What finds nothing in a long list says so once it was looked for, and what is typed while the list is
// being made is looked for in it.
func TestALongListThatFindsNothing(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		p, keys := w.many(listedAtOnce+1, "")
		keys.Type("zzz")
		w.Shows(p, "nothing has that name")
		release := w.held()
		keys.Press("backspace", "backspace", "backspace")
		w.ShowsNot(p, "nothing has that name")
		w.Shows(p, "still being looked for")
		keys.Press("enter")
		w.Says("still being looked for")
		release()
		w.Shows(p, "tool-0")
		w.Run(p.Close())

		release = w.held()
		p, keys = w.picker()
		keys.Type("tool-99")
		w.Shows(p, "what the server offers is being listed")
		release()
		w.Shows(p, "tool-99")
		w.ShowsNot(p, "tool-0")
		if p.unranked || p.unlisted {
			t.Error("there is something left to be done")
		}
		release = w.held()
		keys.Type("x")
		w.Run(p.Close())
		if w.c.listing.Of() != nil {
			t.Error("it is looked for in a list that was left")
		}
		release()
	})
}

// What must not be called stands behind all that may be, in the order of its fit.
func TestTheOrderOfALongList(t *testing.T) {
	l := listing{callable: 3}
	for _, name := range []string{"my_echo", "other", "echo_all", "their_echo", "echo", "none"} {
		l.texts = append(l.texts, rank.Of(name, "", "", ""))
	}
	if r, ok := l.ranked(t.Context(), "echo"); !ok || !slices.Equal(r.order, []int{2, 0, 4, 3}) {
		t.Errorf("%v", r.order)
	}
}

// A resource is subscribed to by the screen.
func TestAResourceIsSubscribedTo(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		_, keys := w.picker()
		keys.Type("readme")
		keys.Press("alt+s")
		w.Lies(nil)
		if got := paneltest.Wished[panel.Subscribe](w.Host); len(got) != 1 || got[0].URI != "demo://readme" {
			t.Errorf("wished %v", got)
		}
	})
}

// What must not be called is listed last, with the reason, and not called.
func TestWhatMustNotBeCalled(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		p, keys := w.picker()
		last := p.items[0]
		last.Name, last.Unfit = "left-out", "its header is \x1b[2Jno header"
		p.catalog.Lists[0].Excluded = append(p.catalog.Lists[0].Excluded, last)
		p.load()
		keys.Type("left")
		w.Shows(p, "left out", "must not be called over HTTP: its header is ⟨ESC⟩[2Jno header")
		keys.Press("enter")
		w.Says("left out: its header is")
		w.Lies(p)
	})
}

// A description of many lines is read to its end on any screen, and the list stays in view.
func TestADescriptionIsReadToItsEnd(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("line-%02d", i))
	}
	tool := func(name string, n int) string {
		return `{"name":"` + name + `","description":` + paneltest.JSON(strings.Join(lines[:n], "\n")) + `,"inputSchema":{"type":"object"}}`
	}
	for size, least := range map[image.Point]int{{X: 60, Y: 15}: 1, {X: 80, Y: 24}: 7, {X: 100, Y: 30}: 11, {X: 140, Y: 40}: 18} {
		run(t, size.X, size.Y, func(w *harness) {
			w.relist(`{"tools":[` + tool("long", 30) + `,` + tool("short", 3) + `]}`)
			p, keys := w.picker()
			w.Draw(p)
			seen := p.said.rows
			if seen < least {
				t.Errorf("%v: %d lines are seen", size, seen)
			}
			w.Shows(p, lines[0], lines[seen-1], fmt.Sprintf("1-%d of 30 · pgdown reads on", seen))
			read := map[string]bool{}
			for range 40 {
				screen := w.Draw(p)
				for _, l := range lines {
					read[l] = read[l] || strings.Contains(screen, "┃ "+l)
				}
				if strings.Contains(screen, "pgup goes back") {
					break
				}
				w.Shows(p, "long", "short")
				keys.Press("pgdown")
			}
			if len(read) != 30 || slices.Contains(slices.Collect(maps.Values(read)), false) {
				t.Errorf("%v: read %v", size, read)
			}
			keys.Press("pgup")
			w.Shows(p, "reads on")
			for range 40 {
				keys.Press("pgdown")
			}
			if it, _ := p.chosen(); it.Name == "long" {
				t.Errorf("%v: pgdown does not go on in the list", size)
			}
			keys.Press("up")
			keys.Type("long")
			w.Draw(p)
			if p.said.top != 0 {
				t.Errorf("%v: another item begins at line %d", size, p.said.top)
			}
		})
	}
}

// A name that the list cuts stands whole above what the server says of the chosen thing, and
// one that is seen whole stands there once.
func TestALongNameIsToldWhole(t *testing.T) {
	long := "deploy_the_preview_of_a_branch_to_the_staging_area"
	longer := strings.Repeat("name_of_many_parts_", 12) + "end"
	for _, size := range []image.Point{{X: 80, Y: 24}, {X: 100, Y: 30}, {X: 140, Y: 40}} {
		run(t, size.X, size.Y, func(w *harness) {
			w.relist(`{"tools":[{"name":"` + long + `","description":"Deploys it.","inputSchema":{"type":"object"}},` +
				`{"name":"` + longer + `","inputSchema":{"type":"object"}},{"name":"short","description":"Says little.","inputSchema":{"type":"object"}}]}`)
			p, keys := w.picker()
			w.Shows(p, long, "┃ Deploys it.")
			if told := strings.Contains(w.Draw(p), "┃ "+long); told != (size.X == 80) {
				t.Errorf("%v: told below the list, which cuts it in 80 columns alone: %v:\n%s", size, told, w.Draw(p))
			}
			keys.Press("down")
			if got := strings.Join(strings.Fields(strings.NewReplacer("│", "", "┃", "").Replace(w.Draw(p))), ""); !strings.Contains(got, longer) {
				t.Errorf("%v: the name is not whole:\n%s", size, w.Draw(p))
			}
			keys.Press("down")
			if got := w.Draw(p); strings.Count(got, "short") != 1 || strings.Contains(got, "┃ "+long) {
				t.Errorf("%v: another name is told:\n%s", size, got)
			}
			unfit := p.items[0]
			unfit.Unfit = "its header is no header"
			p.catalog.Lists[0].Excluded = append(p.catalog.Lists[0].Excluded, unfit)
			p.load()
			for range len(p.items) {
				keys.Press("down")
			}
			if got := strings.Join(strings.Fields(strings.ReplaceAll(w.Draw(p), "│", "")), " "); !strings.Contains(got, long+" ") || !strings.Contains(got, "must not be called over HTTP: its header is no header") {
				t.Errorf("%v: what must not be called has no name:\n%s", size, w.Draw(p))
			}
		})
	}
}

// Names and descriptions of a server stay in their columns, on every screen.
func TestHostileLists(t *testing.T) {
	for _, size := range paneltest.Sizes() {
		run(t, 80, 24, func(w *harness) {
			bad := paneltest.JSON(paneltest.Hostile)
			w.relist(`{"tools":[{"name":` + bad + `,"title":` + bad + `,"description":` + bad + `,"inputSchema":{"type":"object","properties":{` + bad + `:{"type":"string","description":` + bad + `}}}},
				{"name":"plain","inputSchema":{"type":"object"}}]}`)
			p, keys := w.picker()
			w.Resize(size.X, size.Y)
			if screen := w.Draw(p); size.Y >= 15 && (!strings.Contains(screen, "New call") || !strings.Contains(screen, "plain")) {
				t.Errorf("%v: a hostile name has pushed others away:\n%s", size, screen)
			}
			keys.Press("alt+enter")
			f, ok := w.Top().(*Form)
			if !ok {
				t.Fatalf("%v: a %T", size, w.Top())
			}
			if screen := w.Draw(f); size.Y >= 15 && !strings.Contains(screen, "tools/call") {
				t.Errorf("%v: a hostile name has pushed the method away:\n%s", size, screen)
			}
			f.toggleOptions()
			w.Draw(f)
			w.Run(f.preview())
			w.Draw(w.Top())
		})
	}
}
