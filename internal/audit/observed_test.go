package audit

import (
	"reflect"
	"testing"
)

// Whatever text of others is in what was seen, a secret is taken out of it: a member that is
// added is foreign until it stands among belay's own.
func TestEachForeignTextIsHidden(t *testing.T) {
	own := map[string]bool{"Digest": true, "Forced": true, "Revision": true, "Method": true}
	o := &Observed{}
	texts := 0
	var each func(v reflect.Value, at string, do func(at string, text reflect.Value))
	each = func(v reflect.Value, at string, do func(string, reflect.Value)) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			each(v.Elem(), at, do)
		case reflect.Slice:
			if v.Len() == 0 {
				v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			}
			for i := range v.Len() {
				each(v.Index(i), at, do)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if name := v.Type().Field(i).Name; !own[name] {
					each(v.Field(i), at+"."+name, do)
				}
			}
		case reflect.String:
			do(at, v)
		default:
		}
	}
	each(reflect.ValueOf(o), "", func(_ string, text reflect.Value) { text.SetString("secret"); texts++ })
	o.Hide(func(string) string { return "" })
	each(reflect.ValueOf(o), "", func(at string, text reflect.Value) {
		if text.String() != "" {
			t.Errorf("%s was left", at)
		}
	})
	if texts < 15 {
		t.Errorf("there were %d texts", texts)
	}
}
