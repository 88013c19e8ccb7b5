package twin

import (
	"testing"
	"time"
)

type inner struct{ n int }

type whole struct {
	first  inner
	to     *inner // the first
	list   []inner
	third  *inner // of the list
	part   []inner
	again  *whole
	byName map[string]*inner
	other  map[string]*inner // the same one
	any    any
	value  any
	bytes  []byte
	many   []byte
	zone   *time.Location
	call   func()
}

func made() *whole {
	w := &whole{first: inner{1}, list: []inner{{1}, {2}, {3}, {4}}, zone: time.Local}
	w.to, w.third, w.part, w.again = &w.first, &w.list[2], w.list[1:3], w
	w.byName = map[string]*inner{"third": w.third}
	w.other, w.any, w.value = w.byName, w.to, inner{7}
	w.bytes, w.many = []byte("few"), make([]byte, Shared, 2*Shared)
	return w
}

// A copy is linked in itself as the original is, and shares nothing that changes.
func TestACopyIsLinkedAsTheOriginal(t *testing.T) {
	w := made()
	c, ok := Of(w)
	if !ok {
		t.Fatal("no copy")
	}
	if c.to != &c.first || c.third != &c.list[2] || &c.part[1] != c.third || c.again != c || c.byName["third"] != c.third || c.any.(*inner) != c.to {
		t.Error("it is linked otherwise")
	}
	c.other["new"] = c.to
	if c.byName["new"] != c.to || w.byName["new"] != nil {
		t.Error("two names of a map are two maps, or that of the original")
	}
	c.first.n, c.list[2].n, c.bytes[0] = 10, 30, 'F'
	if w.first.n != 1 || w.list[2].n != 3 || string(w.bytes) != "few" || c.third.n != 30 || c.value != w.value || c.zone != w.zone {
		t.Error("what is done to it is done to the original")
	}
	if &c.many[0] != &w.many[0] || cap(c.many) != Shared {
		t.Error("many bytes are copied, or the copy has room behind them")
	}
}

// What cannot be copied is not copied in part.
func TestAFunctionIsNotCopied(t *testing.T) {
	w := made()
	w.call = func() {}
	if _, ok := Of(w); ok {
		t.Error("a function is copied")
	}
	if n, ok := Of(&[]chan int{make(chan int)}); ok {
		t.Errorf("a channel is copied: %v", n)
	}
}

// book tells what becomes of it.
type book struct{ lent bool }

func (b *book) Lend() { b.lent = true }

// A lender is told, wherever it lies.
func TestALenderIsTold(t *testing.T) {
	w := &struct {
		n     int
		books []book
	}{books: make([]book, 2)}
	if c, ok := Of(w); !ok || !w.books[1].lent || !c.books[0].lent {
		t.Error("it is copied as if it were none")
	}
}
