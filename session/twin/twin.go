package twin

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"sort"
	"time"
	"unsafe"
)

// Shared is the length from which bytes are not copied. Slices of this length and more never
// change after they were made, and the copy has no capacity beyond its length.
const Shared = 32 << 10

// Lender is a struct with bytes that could change although they are many. Lend is called
// before it is copied; from then on they do not.
type Lender interface{ Lend() }

var lender = reflect.TypeFor[Lender]()

// Of is a copy of what p points to. It is false where something cannot be copied: a
// function, a channel, or memory that is seen as two types that do not fit each other.
//
// Strings are shared, as are bytes from [Shared] on, and [time.Location]. A [Lender] is
// asked first.
func Of[T any](p *T) (twin *T, ok bool) {
	c := copier{seen: map[visit]bool{}, maps: map[unsafe.Pointer]reflect.Value{}, plans: map[reflect.Type]*plan{}, ok: true}
	c.found(unsafe.Pointer(p), c.plan(reflect.TypeFor[T]()), 1, 1)
	if !c.ok || !c.arrange() {
		return nil, false
	}
	for v := range c.seen {
		c.fill(v)
	}
	return (*T)(c.place(unsafe.Pointer(p))), c.ok
}

// plan is what is to be done with values of a type.
type plan struct {
	t      reflect.Type
	kind   reflect.Kind
	size   uintptr
	plain  bool  // they lead nowhere
	elem   *plan // of pointers, slices, arrays and maps
	key    *plan // of maps
	len    int   // of arrays
	fields []field
	lends  bool // they are Lenders
}

// field is a member of a struct that leads somewhere.
type field struct {
	off uintptr
	*plan
}

// visit is memory that something points to: n elements, of which some are used.
type visit struct {
	at      unsafe.Pointer
	elem    *plan
	n, used int
}

func (v visit) from() uintptr { return uintptr(v.at) }
func (v visit) to() uintptr   { return v.from() + uintptr(v.n)*v.elem.size }

// block is memory of the original, with the memory of the copy.
type block struct {
	from, to uintptr
	memory   unsafe.Pointer
}

// copier goes through a value twice: first it finds all memory, then it fills a copy of
// that. Pointers into the middle of something lead to the middle of its copy.
type copier struct {
	seen   map[visit]bool
	blocks []block // in the order of their memory
	maps   map[unsafe.Pointer]reflect.Value
	plans  map[reflect.Type]*plan
	ok     bool
}

var location = reflect.TypeFor[*time.Location]()

func (c *copier) plan(t reflect.Type) *plan {
	if p := c.plans[t]; p != nil {
		return p
	}
	p := &plan{t: t, kind: t.Kind(), size: t.Size()}
	c.plans[t] = p
	switch p.kind {
	case reflect.Pointer:
		p.plain, p.elem = t == location, c.plan(t.Elem())
	case reflect.Slice:
		p.elem = c.plan(t.Elem())
	case reflect.Map:
		p.key, p.elem = c.plan(t.Key()), c.plan(t.Elem())
	case reflect.Array:
		p.len, p.elem = t.Len(), c.plan(t.Elem())
		p.plain = p.elem.plain
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !c.plan(f.Type).plain {
				p.fields = append(p.fields, field{f.Offset, c.plan(f.Type)})
			}
		}
		p.lends = reflect.PointerTo(t).Implements(lender)
		p.plain = len(p.fields) == 0 && !p.lends
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default: // strings among them, which never change
		p.plain = true
	}
	return p
}

// found notes memory, and goes on with what its used elements lead to.
func (c *copier) found(at unsafe.Pointer, elem *plan, n, used int) {
	v := visit{at, elem, n, used}
	if n == 0 || elem.size == 0 || c.seen[v] {
		return
	}
	c.seen[v] = true
	for i := 0; i < used && !elem.plain; i++ {
		c.walk(unsafe.Add(at, uintptr(i)*elem.size), elem)
	}
}

// walk finds the memory that a value leads to.
func (c *copier) walk(at unsafe.Pointer, p *plan) {
	switch p.kind {
	case reflect.Pointer:
		if to := *(*unsafe.Pointer)(at); to != nil && !p.plain {
			c.found(to, p.elem, 1, 1)
		}
	case reflect.Slice:
		if s := reflect.NewAt(p.t, at).Elem(); p.elem.kind != reflect.Uint8 && !s.IsNil() {
			c.found(s.UnsafePointer(), p.elem, s.Cap(), s.Len())
		}
	case reflect.Array:
		for i := 0; i < p.len && !p.plain; i++ {
			c.walk(unsafe.Add(at, uintptr(i)*p.elem.size), p.elem)
		}
	case reflect.Struct:
		if p.lends {
			reflect.NewAt(p.t, at).Interface().(Lender).Lend()
		}
		for _, f := range p.fields {
			c.walk(unsafe.Add(at, f.off), f.plan)
		}
	case reflect.Interface:
		if v := reflect.NewAt(p.t, at).Elem(); !v.IsNil() {
			c.walk(apart(v.Elem()), c.plan(v.Elem().Type()))
		}
	case reflect.Map:
		m := reflect.NewAt(p.t, at).Elem()
		if m.IsNil() || c.maps[m.UnsafePointer()].IsValid() {
			return
		}
		c.maps[m.UnsafePointer()] = reflect.MakeMapWithSize(p.t, m.Len())
		if p.key.plain && p.elem.plain {
			return
		}
		for all := m.MapRange(); all.Next(); {
			c.walk(apart(all.Key()), p.key)
			c.walk(apart(all.Value()), p.elem)
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		c.ok = c.ok && reflect.NewAt(p.t, at).Elem().IsZero()
	default:
	}
}

// apart is a value that has no address, at an address.
func apart(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.UnsafePointer()
}

// arrange makes the memory of the copy: a piece for all that lies in each other.
func (c *copier) arrange() bool {
	sorted := slices.SortedFunc(maps.Keys(c.seen), func(a, b visit) int {
		return cmp.Or(cmp.Compare(a.from(), b.from()), cmp.Compare(b.to(), a.to()))
	})
	c.blocks = make([]block, 0, len(sorted))
	for i := 0; i < len(sorted); {
		all := sorted[i]
		for i++; i < len(sorted) && sorted[i].from() < all.to(); i++ {
			if in := sorted[i]; in.to() > all.to() {
				if in.elem != all.elem || (in.from()-all.from())%all.elem.size != 0 {
					return false
				}
				all.n = int((in.to() - all.from()) / all.elem.size)
			}
		}
		var memory unsafe.Pointer
		if all.n == 1 {
			memory = reflect.New(all.elem.t).UnsafePointer()
		} else {
			memory = reflect.MakeSlice(reflect.SliceOf(all.elem.t), all.n, all.n).UnsafePointer()
		}
		c.blocks = append(c.blocks, block{all.from(), all.to(), memory})
	}
	return true
}

// place is where in the copy something of the original lies.
func (c *copier) place(at unsafe.Pointer) unsafe.Pointer {
	i := sort.Search(len(c.blocks), func(i int) bool { return c.blocks[i].to > uintptr(at) })
	if i == len(c.blocks) || c.blocks[i].from > uintptr(at) {
		return at // of no size
	}
	return unsafe.Add(c.blocks[i].memory, uintptr(at)-c.blocks[i].from)
}

// fill copies elements, and has them lead to copies.
func (c *copier) fill(v visit) {
	dst := c.place(v.at)
	if v.n == 1 {
		reflect.NewAt(v.elem.t, dst).Elem().Set(reflect.NewAt(v.elem.t, v.at).Elem())
	} else {
		t := reflect.ArrayOf(v.used, v.elem.t)
		reflect.NewAt(t, dst).Elem().Set(reflect.NewAt(t, v.at).Elem())
	}
	for i := 0; i < v.used && !v.elem.plain; i++ {
		c.mend(unsafe.Add(dst, uintptr(i)*v.elem.size), v.elem)
	}
}

// mend has a copied value lead to copies.
func (c *copier) mend(at unsafe.Pointer, p *plan) {
	switch p.kind {
	case reflect.Pointer:
		if to := (*unsafe.Pointer)(at); *to != nil && !p.plain {
			*to = c.place(*to)
		}
	case reflect.Slice:
		if p.elem.kind == reflect.Uint8 {
			mendBytes((*[]byte)(at))
		} else if to := (*unsafe.Pointer)(at); *to != nil { // the first word of a slice
			*to = c.place(*to)
		}
	case reflect.Array:
		for i := 0; i < p.len && !p.plain; i++ {
			c.mend(unsafe.Add(at, uintptr(i)*p.elem.size), p.elem)
		}
	case reflect.Struct:
		for _, f := range p.fields {
			c.mend(unsafe.Add(at, f.off), f.plan)
		}
	case reflect.Interface:
		if v := reflect.NewAt(p.t, at).Elem(); !v.IsNil() {
			v.Set(c.mended(v.Elem(), c.plan(v.Elem().Type())))
		}
	case reflect.Map:
		if m := reflect.NewAt(p.t, at).Elem(); !m.IsNil() {
			m.Set(c.mendedMap(m, p))
		}
	default:
	}
}

// mended is a copy of a value that has no address.
func (c *copier) mended(v reflect.Value, p *plan) reflect.Value {
	if p.plain {
		return v
	}
	to := reflect.New(p.t)
	to.Elem().Set(v)
	c.mend(to.UnsafePointer(), p)
	return to.Elem()
}

// mendedMap is the copy of a map. It is filled once.
func (c *copier) mendedMap(m reflect.Value, p *plan) reflect.Value {
	twin := c.maps[m.UnsafePointer()]
	if twin.Len() == 0 {
		for all := m.MapRange(); all.Next(); {
			twin.SetMapIndex(c.mended(all.Key(), p.key), c.mended(all.Value(), p.elem))
		}
	}
	return twin
}

// mendBytes copies bytes, unless they are so many that they never change.
func mendBytes(b *[]byte) {
	if len(*b) >= Shared {
		*b = (*b)[:len(*b):len(*b)]
		return
	}
	if *b != nil {
		*b = append(make([]byte, 0, len(*b)), *b...)
	}
}
