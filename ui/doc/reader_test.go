package doc

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"belay/internal/safe"
)

func hay(lines int, found ...int) *Doc {
	d := New(40, 5000)
	for range lines {
		d.Add(0, Span{Text: "hay"})
	}
	for _, at := range found {
		d.Lines[at] = Line{{Text: "the needle"}}
	}
	return d
}

// A search that was begun while the rest of a document was being laid out finds what is in
// the rest; one that stands at a place stays there.
func TestASearchGoesOnInTheRest(t *testing.T) {
	var r Reader
	r.Set(hay(500))
	r.Find("needle")
	if r.Moved {
		t.Fatal("it was found where it is not")
	}
	r.Renew(hay(3000, 2000, 2500))
	if r.Top != 2000 || r.Hit() != 2000 {
		t.Errorf("it stands at %d, and line %d is shown", r.Hit(), r.Top)
	}
	r.Renew(hay(3000, 1000, 2000))
	if r.Hit() != 2000 {
		t.Errorf("it went on to %d by itself", r.Hit())
	}
}

// haystack writes so many lines, the needles among them.
func haystack(lines int, needles ...int) func(d *Doc) {
	is := map[int]bool{}
	for _, n := range needles {
		is[n] = true
	}
	return func(d *Doc) {
		for i := 0; i < lines && !d.IsFull(); i++ {
			text := fmt.Sprintf("hay %d", i)
			if is[i] {
				text = fmt.Sprintf("the Needle %d", i)
			}
			d.Add(0, Span{Text: safe.Text(text)})
		}
	}
}

// Whichever hit is wanted, the lines around it are kept, with the number that each has in
// the document, and no more lines than a window has.
func TestScanFindsAnyHit(t *testing.T) {
	const lines = 50_000
	write := haystack(lines, 3, 700, 701, 20_000, 49_999)
	for _, c := range []struct {
		at        int
		back      bool
		hit, nth  int
		toTheEnd  bool
		firstMost int
	}{
		{-1, false, 3, 0, false, 3},
		{3, false, 700, 1, false, 700},
		{700, false, 701, 2, false, 701},
		{701, false, 20_000, 3, false, 20_000},
		{20_000, false, 49_999, 4, true, 49_999},
		{49_999, false, 3, 0, true, 3}, // from the last one to the first
		{3, true, 49_999, 4, true, 49_999},
		{700, true, 3, 0, false, 3},
		{20_000, true, 701, 2, false, 701},
		{49_999, true, 20_000, 3, false, 20_000},
	} {
		f, ok := Scan(context.Background(), 40, Quest{Text: "needle", At: c.at, Back: c.back}, false, write)
		if !ok || f.Hit != c.hit || f.Nth != c.nth || f.Whole != c.toTheEnd {
			t.Errorf("from %d, back %v: hit %d, %d before it, whole %v, %v", c.at, c.back, f.Hit, f.Nth, f.Whole, ok)
			continue
		}
		if len(f.Lines) > windowLines || f.First > c.firstMost {
			t.Errorf("from %d: %d lines from %d on", c.at, len(f.Lines), f.First)
		}
		for i, l := range f.Lines {
			if want := fmt.Sprintf(" %d", f.First+i); !strings.HasSuffix(l.String(), want) {
				t.Fatalf("from %d: line %d is %q", c.at, f.First+i, l)
			}
		}
	}
	f, _ := Scan(context.Background(), 40, Quest{Text: "needle", At: -1}, true, write)
	if f.Hits != 5 || f.All != lines {
		t.Errorf("%d hits in %d lines", f.Hits, f.All)
	}
	if f, ok := Scan(context.Background(), 40, Quest{Text: "pin", At: -1}, false, write); !ok || f.Lines != nil || f.Hits != 0 || !f.Whole {
		t.Errorf("found %+v", f)
	}
}

// A search that nobody waits for ends soon.
func TestAScanEndsWhenNobodyWaits(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	written := 0
	_, ok := Scan(ctx, 40, Quest{Text: "needle", At: -1}, true, func(d *Doc) {
		for ; written < 1_000_000 && !d.IsFull(); written++ {
			if d.Add(0, Span{Text: "hay"}); written == 1000 {
				end()
			}
		}
	})
	if ok || written > 2000 {
		t.Errorf("%v, after %d lines", ok, written)
	}
}

// JSON that is looked through is that which is shown, line by line, and none of its
// strings is cut.
func TestJSONIsLookedThroughAsItIsShown(t *testing.T) {
	raw := []byte(`{"a":[` + strings.Repeat(`{"b":"c","d":[1,2,{}]},`, 300) + `null],"long":"` + strings.Repeat("x", 40_000) + `END"}`)
	shown := New(40, 100_000)
	shown.JSON(raw, JSONStyles{})
	f, ok := Scan(context.Background(), 40, Quest{Text: `"long"`, At: -1}, true, func(d *Doc) { d.JSON(raw, JSONStyles{}) })
	if !ok || f.Hits != 1 {
		t.Fatalf("%v, %d hits", ok, f.Hits)
	}
	for i, l := range f.Lines {
		if n := f.First + i; n < f.Hit && l.String() != shown.Lines[n].String() {
			t.Fatalf("line %d is %q, and %q is shown", n, l, shown.Lines[n])
		}
	}
	if f, _ := Scan(context.Background(), 40, Quest{Text: "END", At: -1}, true, func(d *Doc) { d.JSON(raw, JSONStyles{}) }); f.Hits != 1 {
		t.Error("the end of a long string was not found")
	}
}

// What is beyond the part that was found is said; the notes are not searched, and an
// answer that is not wanted any more is not taken.
func TestTheReaderShowsWhatWasFound(t *testing.T) {
	write := haystack(60_000, 10, 30_000, 30_005, 59_000)
	note := func(words safe.Text) Line { return Line{{Text: words}} }
	var r Reader
	d := New(40, 500)
	write(d)
	d.MarkLong()
	r.Set(d)
	work := func() {
		for {
			s, ok := r.Wanted()
			if !ok {
				return
			}
			f, _ := Scan(context.Background(), s.Of.Width(), s.Quest, s.Count, write)
			r.Take(s, f, note)
		}
	}
	at := func(title, line string) {
		t.Helper()
		if got := r.Title("…"); string(got) != title {
			t.Errorf("the title is %q, not %q", got, title)
		}
		if got := r.Doc().Lines[r.Top].String(); got != line {
			t.Errorf("at the top is %q, not %q", got, line)
		}
	}
	r.Find("needle")
	at("1 of …", "the Needle 10")
	work()
	at("1 of 4 lines", "the Needle 10")
	r.Next(1)
	work()
	at("2 of 4 lines", "the Needle 30000")
	if got := r.Doc().Lines[0].String(); got != "29,500 lines above: esc goes back" {
		t.Errorf("above is %q", got)
	}
	if got := r.Doc().Lines[len(r.Doc().Lines)-1].String(); got != "28,000 lines below: enter goes on" {
		t.Errorf("below is %q", got)
	}
	r.Next(1)
	at("3 of 4 lines", "the Needle 30005")
	r.Next(-1)
	at("2 of 4 lines", "the Needle 30000")
	r.Next(-1)
	work()
	at("1 of 4 lines", "the Needle 10")
	r.Next(-1)
	work()
	at("4 of 4 lines", "the Needle 59000")
	r.Find("lines")
	work()
	if got := r.Title("…"); got != "not found" {
		t.Errorf("the note was found: %q", got)
	}
	old, _ := r.Wanted()
	r.Find("hay 40000")
	r.Take(old, Found{Lines: []Line{note("old")}}, note)
	work()
	at("1 of 1 line", "hay 40000")
	r.Find("")
	if r.Doc() != d || r.Title("…") != "" {
		t.Error("the beginning is not shown again")
	}
}
