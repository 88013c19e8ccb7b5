package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestAppendRequestInjectsTheToken(t *testing.T) {
	for _, c := range []struct {
		params string
		token  ID
		want   string // the params that are written
		effect ID
	}{
		{``, ID{}, ``, ID{}},
		{``, StringID("t"), `{"_meta":{"progressToken":"t"}}`, StringID("t")},
		{` `, ID{}, ``, ID{}},
		{`{}`, ID{}, `{}`, ID{}},
		{`{}`, IntID(5), `{"_meta":{"progressToken":5}}`, IntID(5)},
		{`{"name":"x"}`, StringID("t"), `{"name":"x","_meta":{"progressToken":"t"}}`, StringID("t")},
		{`{"n":1.0e0, "n":12345678901234567890,"s":"\u0061\/"}`, StringID("t"), `{"n":1.0e0, "n":12345678901234567890,"s":"\u0061\/","_meta":{"progressToken":"t"}}`, StringID("t")},
		{`{"_meta":{},"a":{"_meta":1}}`, StringID("t"), `{"_meta":{"progressToken":"t"},"a":{"_meta":1}}`, StringID("t")},
		{`{"a":1,"_meta":{"com.example/x":[1]}}`, StringID("t"), `{"a":1,"_meta":{"com.example/x":[1],"progressToken":"t"}}`, StringID("t")},
		{`{"a":{"_meta":{"progressToken":"deeper"}}}`, StringID("t"), `{"a":{"_meta":{"progressToken":"deeper"}},"_meta":{"progressToken":"t"}}`, StringID("t")},
		// Of two _meta the last one counts, for the server as for belay.
		{`{"_meta":{"progressToken":"no"},"_meta":{}}`, StringID("t"), `{"_meta":{"progressToken":"no"},"_meta":{"progressToken":"t"}}`, StringID("t")},
		// The user's own token wins, also where belay would send none.
		{`{"_meta":{"progressToken":"mine"}}`, StringID("t"), `{"_meta":{"progressToken":"mine"}}`, StringID("mine")},
		{`{"_meta":{"progressToken":7}}`, ID{}, `{"_meta":{"progressToken":7}}`, IntID(7)},
		{`{"\u005fmeta":{"progress\u0054oken":7}}`, StringID("t"), `{"\u005fmeta":{"progress\u0054oken":7}}`, IntID(7)},
		// Where there is no place for a token there is none.
		{`{"_meta":{"progressToken":null}}`, StringID("t"), `{"_meta":{"progressToken":null}}`, ID{}},
		{`{"_meta":{"progressToken":{}}}`, StringID("t"), `{"_meta":{"progressToken":{}}}`, ID{}},
		{`{"_meta":null}`, StringID("t"), `{"_meta":null}`, ID{}},
		{`{"_meta":"x"}`, StringID("t"), `{"_meta":"x"}`, ID{}},
		{`[1,2]`, StringID("t"), `[1,2]`, ID{}},
		// Line breaks and the space around them go, space in strings stays.
		{"{\r\n  \"a\" : \"x  y\\n\\\" z\",\n\t\"b\" : [ 1 , 2 ]\n}", StringID("t"), `{"a":"x  y\n\" z","b":[1,2],"_meta":{"progressToken":"t"}}`, StringID("t")},
		{"{\n}", StringID("t"), `{"_meta":{"progressToken":"t"}}`, StringID("t")},
		{"{\"_meta\": {\n} }", StringID("t"), `{"_meta":{"progressToken":"t"}}`, StringID("t")},
	} {
		out, effect := AppendRequest([]byte("before"), IntID(1), "m", []byte(c.params), c.token, nil)
		want := `before{"jsonrpc":"2.0","id":1,"method":"m"`
		if c.want != "" {
			want += `,"params":` + c.want
		}
		if want += "}"; string(out) != want || effect != c.effect {
			t.Errorf("%s with %v:\n got %s, token %v\nwant %s, token %v", c.params, c.token, out, effect, want, c.effect)
		}
	}
}

func TestAppendRequestLeavesParamsAlone(t *testing.T) {
	params := []byte("{\"a\":1}   {\"_meta\":{}}")[:7]
	whole := params[:cap(params)]
	before := bytes.Clone(whole)
	AppendRequest(nil, IntID(1), "m", params, StringID("t"), nil)
	if !bytes.Equal(whole, before) {
		t.Errorf("the caller's bytes are now %s", whole)
	}
}

func TestCancelNamesTheRequest(t *testing.T) {
	requirements.Rows(t, "CXL-08", "CXL-10", "SD0-25")
	for _, c := range []struct {
		id     ID
		reason string
		want   string
	}{
		{IntID(7), "too slow", `{"requestId":7,"reason":"too slow"}`},
		{IntID(0), "", `{"requestId":0}`},
		{IntID(-1), "", `{"requestId":-1}`},
		{IntID(9007199254740993), "", `{"requestId":9007199254740993}`},
		{StringID("7"), "", `{"requestId":"7"}`},
		{StringID(""), "", `{"requestId":""}`},
		{StringID("a\"\n"), "x\n\"y\"\u2028", `{"requestId":"a\"\n","reason":"x\n\"y\"` + "\u2028" + `"}`},
	} {
		got := string(AppendCancelled(nil, c.id, c.reason))
		if want := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + c.want + `}`; got != want {
			t.Errorf("%v:\n got %s\nwant %s", c.id, got, want)
		}
		n := Decode([]byte(got)).Cancelled
		if n == nil || !n.Valid || n.ID != c.id || n.Reason != c.reason {
			t.Errorf("%s is read as %+v", got, n)
		}
	}
}

func TestAppendAnswers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(AppendResult(nil, []byte(`1.0`), []byte(`{"a": 1}`))), `{"jsonrpc":"2.0","id":1.0,"result":{"a": 1}}`},
		{string(AppendResult(nil, []byte(`"\u0061"`), nil)), `{"jsonrpc":"2.0","id":"\u0061","result":{}}`},
		{string(AppendResult(nil, []byte(`0`), []byte("{\n\"a\": 1}"))), `{"jsonrpc":"2.0","id":0,"result":{"a":1}}`},
		{string(AppendError(nil, []byte(`""`), -32601, "no \"x\"\n", nil)), `{"jsonrpc":"2.0","id":"","error":{"code":-32601,"message":"no \"x\"\n"}}`},
		{string(AppendError(nil, []byte(`3`), -1, "", []byte("[\n]"))), `{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"","data":[]}}`},
		{string(AppendNotification(nil, "notifications/initialized", nil)), `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
		{string(AppendNotification(nil, "x", []byte(`{"a":1}`))), `{"jsonrpc":"2.0","method":"x","params":{"a":1}}`},
	} {
		if c.got != c.want {
			t.Errorf("\n got %s\nwant %s", c.got, c.want)
		}
	}
}

// Whatever goes in, what comes out is one JSON object on one line.
func TestMessagesAreOneLine(t *testing.T) {
	requirements.Rows(t, "STD-03", "BASE-20")
	nasty := "a\nb\r\nc\u2028\x00\x1b[31m\"\\\n\xff"
	raw := []byte("{\r\n \"x\" : \"line\\nbreak\" ,\n\"y\":[\n]\r}")
	request, _ := AppendRequest(nil, StringID(nasty), nasty, raw, StringID(nasty), nil)
	for _, m := range [][]byte{
		request,
		AppendNotification(nil, nasty, raw),
		AppendCancelled(nil, StringID(nasty), nasty),
		AppendResult(nil, []byte("\"a\\n\""), raw),
		AppendError(nil, []byte("1"), 1, nasty, raw),
	} {
		if bytes.ContainsAny(m, "\r\n") || m[0] != '{' || !json.Valid(m) {
			t.Errorf("%q", m)
		}
	}
	// Not even what is no JSON can end a message early.
	for _, broken := range []string{"{\"a\":\"x\ny\"}", "{\"a\":\"x\\\ny\"}", "{\"a\n", "\n", "{\n\"", "x\ny"} {
		m, _ := AppendRequest(nil, IntID(1), "m", []byte(broken), StringID("t"), nil)
		if bytes.ContainsAny(m, "\r\n") {
			t.Errorf("%q becomes %q", broken, m)
		}
	}
}

func TestCheckObject(t *testing.T) {
	for _, ok := range []string{`{}`, " {\n\"a\": [1, {}]\n}\n", `{"a":1,"a":2}`, `{"a":"\ud800"}`, `{"ä":1e999}`} {
		if err := CheckObject([]byte(ok)); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	for raw, want := range map[string]string{
		``:                     "nothing typed; an empty object is {}",
		" \n":                  "nothing typed; an empty object is {}",
		`[1]`:                  "line 1, column 1: an array where an object is expected",
		"\n  \"x\"":            "line 2, column 3: a string where an object is expected",
		`7`:                    "line 1, column 1: a number where an object is expected",
		`x`:                    "line 1, column 1: an object is expected",
		`{"a":1,}`:             "line 1, column 8: a comma too many before }",
		"{\"a\":[1,\n 2, ]}":   "line 2, column 5: a comma too many before ]",
		`{a:1}`:                "line 1, column 2: names and text stand in double quotes",
		`{'a':1}`:              "line 1, column 2: names and text stand in double quotes",
		`{"ä":'x'}`:            "line 1, column 6: names and text stand in double quotes",
		`{"a":yes}`:            "line 1, column 6: names and text stand in double quotes",
		`{"a":1`:               "the text ends before the object does",
		`{"a":"x`:              "the text ends before the object does",
		`{`:                    "the text ends before the object does",
		`{"a" 1}`:              "line 1, column 6: ",
		"{\"a\":1\n\"b\":2}":   "line 2, column 1: ",
		`{"a":01}`:             "line 1, column 7: ",
		"{\n \"a\": \"x\ny\"}": "line 2, column 9: a line break or control character within a string",
		`{} x`:                 "line 1, column 4: something follows the end of the object",
		`{}{}`:                 "line 1, column 3: something follows the end of the object",
		"{\"ä\":\"\xff\"}":     "line 1, column 7: a byte that is not UTF-8",
	} {
		err := CheckObject([]byte(raw))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "jsontext") {
			t.Errorf("%q: %v, want %s", raw, err, want)
		}
	}
}

// A member of _meta is left out, and nothing else is touched.
func TestWithoutMeta(t *testing.T) {
	for params, want := range map[string]string{
		`{"name":"t","_meta":{"a":1,"b":{"c":2}},"x":[1, 2]}`: `{"name":"t","_meta":{"a":1},"x":[1, 2]}`,
		` {"_meta":{"b":7}} `:         `{"_meta":{}}`,
		`{"_meta":{"a":1}}`:           `{"_meta":{"a":1}}`,
		`{"_meta":7}`:                 `{"_meta":7}`,
		`{"b":1}`:                     `{"b":1}`,
		`{"_meta":{"b":1,"b":2}}`:     `{"_meta":{}}`,
		`{"_meta":1,"_meta":{"b":1}}`: `{"_meta":1,"_meta":{}}`,
	} {
		if got := string(WithoutMeta([]byte(params), "b")); got != want {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
}
