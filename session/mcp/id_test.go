package mcp

import (
	"math/big"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/rawjson"
)

func mustID(t *testing.T, token string) ID {
	t.Helper()
	id, ok := ParseID([]byte(token))
	if !ok {
		t.Fatalf("ParseID(%s) refused it", token)
	}
	return id
}

func TestIDsAreComparedExactly(t *testing.T) {
	requirements.Rows(t, "CXS-22")
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`1`, `1.0`, true},
		{`1`, `1e0`, true},
		{`1`, `10E-1`, true},
		{`1`, `0.1e+1`, true},
		{`0`, `-0`, true},
		{`0`, `0.000`, true},
		{`0`, `-0e99999999999999999999`, true},
		{`100`, `1e2`, true},
		{`-9223372036854775808`, `-922337203685477580.8e1`, true},
		{`18446744073709551616`, `18446744073709551616.0`, true},
		{`1e999999999`, `10e999999998`, true},
		{`1e-999999999`, `0.1e-999999998`, true},
		{`1e60`, `1` + strings.Repeat("0", 60), true},
		{`"a"`, `"\u0061"`, true},
		{`"/"`, `"\/"`, true},
		{`"1"`, `1`, false},
		{`"1"`, `"1.0"`, false},
		{`""`, `0`, false},
		{`1.5`, `1`, false},
		{`1.5`, `2`, false},
		{`-1`, `1`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`9223372036854775807`, `9223372036854775808`, false},
		{`18446744073709551616`, `18446744073709551617`, false},
		{`1e999999999`, `1e999999998`, false},
		{`1e999999999`, `-1e999999999`, false},
		{`1e99999999999999999999`, `1e99999999999999999998`, false},
		{`1e99999999999999999999`, `1e-99999999999999999999`, false},
		{`0.1`, `0.10000000000000000000000000000000000000000000000000000001`, false},
		{"\"\xff\"", "\"\xfe\"", false},
		{`"\ud800"`, `"\udbff"`, false},
		{`"\ud800"`, `"\ufffd"`, false},
	} {
		a, b := mustID(t, c.a), mustID(t, c.b)
		if (a == b) != c.same {
			t.Errorf("%s and %s: same is %v, want %v", c.a, c.b, a == b, c.same)
		}
		if m := map[ID]bool{a: true}; m[b] != c.same {
			t.Errorf("%s and %s as keys of a map: same is %v, want %v", c.a, c.b, m[b], c.same)
		}
	}
}

func TestWhatIsNoID(t *testing.T) {
	for _, token := range []string{
		``, ` `, `null`, `true`, `false`, `{}`, `[]`, `nope`, `+1`, `01`, `-`, `-01`, `.5`, `1.`, `1.e1`, `1e`, `1e+`, `0x10`,
		`1 `, ` 1`, `1,`, `NaN`, `Infinity`, `"`, `"a`, `a"`, `"a"b"`, "\"a\nb\"", `"\x"`, `"\u12"`, `"a" `, `--1`, `1e1.5`, "\"\xff",
	} {
		if id, ok := ParseID([]byte(token)); ok || !id.IsZero() {
			t.Errorf("ParseID(%q) = %v, %v; want none", token, id, ok)
		}
	}
}

func TestIDKinds(t *testing.T) {
	for _, c := range []struct {
		token   string
		text    string // for people
		integer bool
		str     bool
	}{
		{`7`, `7`, true, false},
		{`"7"`, `"7"`, false, true},
		{`""`, `""`, false, true},
		{`"a\"b\n"`, `"a\"b\n"`, false, true},
		{`-0`, `0`, true, false},
		{`-12`, `-12`, true, false},
		{`1.0`, `1`, true, false},
		{`1e3`, `1000`, true, false},
		{`1.5`, `1.5`, false, false},
		{`-0.05`, `-0.05`, false, false},
		{`18446744073709551616`, `18446744073709551616`, true, false},
		{`1E+999999999`, `1e999999999`, true, false},
		{`12e-999999999`, `12e-999999999`, false, false},
		{`1.5e99999999999999999999`, `1.5e99999999999999999999`, true, false},
		{`1e-99999999999999999999`, `1e-99999999999999999999`, false, false},
		{`"\ud800"`, `"\ud800"`, false, true},
	} {
		id := mustID(t, c.token)
		if id.String() != c.text || id.IsInteger() != c.integer || id.IsString() != c.str || id.IsProper() != (c.integer || c.str) {
			t.Errorf("%s: %s, integer %v, string %v, proper %v; want %+v", c.token, id, id.IsInteger(), id.IsString(), id.IsProper(), c)
		}
	}
	var none ID
	if none.String() != "" || string(none.Append(nil)) != "null" || none.IsProper() {
		t.Errorf("the zero ID: %q, %s, proper %v", none.String(), none.Append(nil), none.IsProper())
	}
}

func TestIDInt(t *testing.T) {
	for token, want := range map[string]int64{`0`: 0, `7`: 7, `1e2`: 100, `-9223372036854775808`: -1 << 63, `9223372036854775807`: 1<<63 - 1} {
		if n, ok := mustID(t, token).Int(); !ok || n != want {
			t.Errorf("%s: Int is %d, %v; want %d", token, n, ok, want)
		}
	}
	for _, token := range []string{`9223372036854775808`, `1.5`, `"7"`, `1e400`} {
		if n, ok := mustID(t, token).Int(); ok {
			t.Errorf("%s: Int is %d, want none", token, n)
		}
	}
}

func TestCommonIDsAllocateNothing(t *testing.T) {
	token, out := []byte(`123456789012345678`), make([]byte, 0, 32)
	if n := testing.AllocsPerRun(100, func() {
		id, _ := ParseID(token)
		out = id.Append(out[:0])
	}); n != 0 {
		t.Errorf("parsing and writing an integer ID allocates %v times", n)
	}
}

// FuzzID holds ParseID against exact arithmetic: two numbers are the same ID
// exactly when they are the same number.
func FuzzID(f *testing.F) {
	for _, s := range []string{`1`, `1.0`, `-0`, `1e400`, `0.1e-3`, `12345678901234567890`, `"a"`, `"\ud800"`, "\"\xff\"", `1e99999999999999999999`, `{}`} {
		f.Add(s, `10e-1`)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, okX := ParseID([]byte(a))
		y, okY := ParseID([]byte(b))
		scalar := okX || (IsWellFormed([]byte(a)) && a[0] != ' ' && (rawjson.Kind([]byte(a)) == '0' || a[0] == '"') && strings.TrimSpace(a) == a)
		if okX != scalar {
			t.Fatalf("ParseID(%q) is %v", a, okX)
		}
		if !okX {
			return
		}
		again, ok := ParseID(x.Append(nil))
		if !ok || again != x {
			t.Fatalf("%q is written as %s, which is read as %v", a, x.Append(nil), again)
		}
		if !okY || x.IsString() || y.IsString() || len(a) > 60 || len(b) > 60 {
			return
		}
		r, okR := exact(a)
		q, okQ := exact(b)
		if okR && okQ && (x == y) != (r.Cmp(q) == 0) {
			t.Fatalf("%s == %s is %v as IDs, %v as numbers", a, b, x == y, r.Cmp(q) == 0)
		}
		if okR && x.IsInteger() != r.IsInt() {
			t.Fatalf("%s: IsInteger is %v", a, x.IsInteger())
		}
	})
}

// exact is the number, unless its exponent is too big to be expanded.
func exact(s string) (*big.Rat, bool) {
	if e := strings.IndexAny(s, "eE"); e >= 0 && len(strings.TrimLeft(s[e+1:], "+-0")) > 3 {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}
