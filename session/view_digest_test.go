package session

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"reflect"
	"sync"
	"time"
)

// viewSeed makes the digests of this run.
var viewSeed = maphash.MakeSeed()

// digestOfView is a digest of all that [allOf] tells of a view: the simulators look at every view after
// every step, and most of their time would go into JSON otherwise.
func digestOfView(d *Detail) uint64 {
	var h maphash.Hash
	h.SetSeed(viewSeed)
	addDigest(&h, reflect.ValueOf(d).Elem())
	return h.Sum64()
}

func addDigest(h *maphash.Hash, v reflect.Value) {
	add := func(n uint64) { maphash.WriteComparable(h, n) }
	switch v.Kind() {
	case reflect.Bool:
		maphash.WriteComparable(h, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		add(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		add(v.Uint())
	case reflect.Float32, reflect.Float64:
		add(math.Float64bits(v.Float()))
	case reflect.String:
		add(uint64(v.Len()))
		_, _ = h.WriteString(v.String())
	case reflect.Pointer, reflect.Interface:
		add(boolOf(v.IsNil()))
		if !v.IsNil() && v.Type() != reflect.TypeFor[*time.Location]() {
			addDigest(h, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		add(uint64(v.Len()))
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			_, _ = h.Write(v.Bytes())
			return
		}
		for i := range v.Len() {
			addDigest(h, v.Index(i))
		}
	case reflect.Struct:
		for _, i := range fieldsOf(v.Type()) {
			addDigest(h, v.Field(i))
		}
	default:
		panic(fmt.Sprintf("a view has a %s, of which no digest is made", v.Type()))
	}
}

// viewFields are the fields of each type of a view, as [fieldsOf] found them.
var viewFields sync.Map

// fieldsOf are the fields of which the JSON of a type tells: those that are exported, and all of a
// type that makes its JSON itself.
func fieldsOf(t reflect.Type) []int {
	if fields, ok := viewFields.Load(t); ok {
		return fields.([]int)
	}
	marshaler := reflect.TypeFor[json.Marshaler]()
	saysItself := t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler)
	fields := []int{}
	for i := range t.NumField() {
		if f := t.Field(i); saysItself || f.Anonymous || f.IsExported() {
			fields = append(fields, i)
		}
	}
	viewFields.Store(t, fields)
	return fields
}

func boolOf(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}
