package detail

import (
	"testing"

	"belay/ui/doc"
)

// A search that was begun while the rest of a document was being laid out finds what is in
// the rest; one that stands at a place stays there.
func TestASearchGoesOnInTheRest(t *testing.T) {
	document := func(lines int, found ...int) *doc.Doc {
		d := doc.New(40, 5000)
		for range lines {
			d.Add(0, doc.Span{Text: "hay"})
		}
		for _, at := range found {
			d.Lines[at] = doc.Line{{Text: "the needle"}}
		}
		return d
	}
	p := &Pane{doc: document(500)}
	p.Find("needle")
	if p.moved {
		t.Fatal("it was found where it is not")
	}
	p.LaidOut(Key{}, document(3000, 2000, 2500))
	if p.top != 2000 || p.hit != 2000 {
		t.Errorf("it stands at %d, and line %d is shown", p.hit, p.top)
	}
	p.LaidOut(Key{}, document(3000, 1000, 2000))
	if p.hit != 2000 {
		t.Errorf("it went on to %d by itself", p.hit)
	}
}
