package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"belay/session/rawjson"
)

// codes are the problems of a frame.
func codes(f *Frame) []DiagCode {
	var c []DiagCode
	for _, p := range f.Problems {
		c = append(c, p.Code)
	}
	return c
}

func TestDecodeClassifies(t *testing.T) {
	diags := func(c ...DiagCode) []DiagCode { return c }
	for _, c := range []struct {
		name string
		raw  string
		kind FrameKind
		id   string // as people read it
		want []DiagCode
	}{
		// Proper messages.
		{"request", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, FrameRequest, `7`, nil},
		{"request, id 0", `{"jsonrpc":"2.0","id":0,"method":"roots/list"}`, FrameRequest, `0`, nil},
		{"request, empty id", `{"jsonrpc":"2.0","id":"","method":"ping"}`, FrameRequest, `""`, nil},
		{"request, id last", `{"params":{},"method":"ping","jsonrpc":"2.0","id":"a"}`, FrameRequest, `"a"`, nil},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, FrameNotification, ``, nil},
		{"unknown notification", `{"jsonrpc":"2.0","method":"x/y","params":[1]}`, FrameNotification, ``, nil},
		{"result", `{"jsonrpc":"2.0","id":1,"result":{}}`, FrameResult, `1`, nil},
		{"result null", `{"jsonrpc":"2.0","id":1,"result":null}`, FrameResult, `1`, nil},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}`, FrameError, `1`, nil},
		{"space and CR", " \t{\"jsonrpc\" : \"2.0\" ,\"id\": 1 , \"result\" :{ } } \r", FrameResult, `1`, nil},
		{"escaped names", `{"\u006asonrpc":"\u0032.0","i\u0064":1,"r\u0065sult":{}}`, FrameResult, `1`, nil},
		{"unknown members", `{"jsonrpc":"2.0","id":1,"result":{},"x":{"id":2,"method":"m"}}`, FrameResult, `1`, nil},
		{"half a surrogate pair", `{"jsonrpc":"2.0","id":1,"result":{"text":"\ud800"}}`, FrameResult, `1`, nil},

		// BASE-01: the version member.
		{"version 1.0", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, FrameRequest, `7`, diags(DiagVersionMember)},
		{"version missing", `{"id":7,"result":{}}`, FrameResult, `7`, diags(DiagVersionMember)},
		{"version number", `{"jsonrpc":2.0,"id":7,"result":{}}`, FrameResult, `7`, diags(DiagVersionMember)},

		// BASE-02, BASE-03: the ID.
		{"request, id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, FrameInvalid, ``, diags(DiagIDNull)},
		{"request, id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, FrameInvalid, ``, diags(DiagIDType)},
		{"request, id object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, FrameInvalid, ``, diags(DiagIDType)},
		{"request, id array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, FrameInvalid, ``, diags(DiagIDType)},
		{"request, id 1.5", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, FrameRequest, `1.5`, diags(DiagIDFraction)},
		{"result, id 1.0", `{"jsonrpc":"2.0","id":1.0,"result":{}}`, FrameResult, `1`, diags(DiagIDFraction)},
		{"result, id true", `{"jsonrpc":"2.0","id":true,"result":{}}`, FrameInvalid, ``, diags(DiagIDType)},
		{"result, id null", `{"jsonrpc":"2.0","id":null,"result":{}}`, FrameInvalid, ``, diags(DiagIDNull)},
		{"result, no id", `{"jsonrpc":"2.0","result":{}}`, FrameInvalid, ``, diags(DiagResultNoID)},
		{"error, id object", `{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":"m"}}`, FrameInvalid, ``, diags(DiagIDType)},

		// BASE-07: exactly one of result and error.
		{"both", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}`, FrameMalformed, `1`, diags(DiagBothResultError)},
		{"result, error null", `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, FrameResult, `1`, diags(DiagNullBeside)},
		{"error, result null", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}}`, FrameError, `1`, diags(DiagNullBeside)},
		{"error, result null, no id", `{"jsonrpc":"2.0","result":null,"error":{"code":1,"message":"m"}}`, FrameError, ``, diags(DiagNullBeside, DiagErrorNoID)},
		{"both null", `{"jsonrpc":"2.0","id":1,"result":null,"error":null}`, FrameMalformed, `1`, diags(DiagBothResultError, DiagErrorShape)},
		{"error null beside text", `{"jsonrpc":"2.0","id":1,"result":"x","error":null}`, FrameMalformed, `1`, diags(DiagBothResultError, DiagErrorShape)},
		{"both, no id", `{"jsonrpc":"2.0","result":{},"error":{"code":1,"message":"m"}}`, FrameInvalid, ``, diags(DiagBothResultError)},
		{"neither", `{"jsonrpc":"2.0","id":1}`, FrameMalformed, `1`, diags(DiagNoMethod)},
		{"nothing", `{}`, FrameInvalid, ``, diags(DiagVersionMember, DiagNoMethod)},
		{"method and result", `{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, FrameInvalid, `1`, diags(DiagMethodAndResult)},
		{"method and error", `{"jsonrpc":"2.0","id":1,"method":"m","error":{}}`, FrameInvalid, `1`, diags(DiagMethodAndResult)},

		// BASE-08, BASE-09, BASE-10: the error.
		{"no message", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603}}`, FrameError, `1`, diags(DiagErrorShape)},
		{"no code", `{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}`, FrameError, `1`, diags(DiagErrorShape)},
		{"empty error", `{"jsonrpc":"2.0","id":1,"error":{}}`, FrameError, `1`, diags(DiagErrorShape)},
		{"error string", `{"jsonrpc":"2.0","id":1,"error":"boom"}`, FrameError, `1`, diags(DiagErrorShape)},
		{"error null", `{"jsonrpc":"2.0","id":1,"error":null}`, FrameError, `1`, diags(DiagErrorShape)},
		{"message number", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":2}}`, FrameError, `1`, diags(DiagErrorShape)},
		{"code string", `{"jsonrpc":"2.0","id":1,"error":{"code":"E1","message":"m"}}`, FrameError, `1`, diags(DiagErrorCode)},
		{"code fraction", `{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}`, FrameError, `1`, diags(DiagErrorCode)},
		{"code too big", `{"jsonrpc":"2.0","id":1,"error":{"code":9223372036854775808,"message":"m"}}`, FrameError, `1`, diags(DiagErrorCode)},
		{"error, no id", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`, FrameError, ``, diags(DiagErrorNoID)},
		{"error, id null", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, FrameError, ``, diags(DiagErrorNoID)},

		// BASE-11: a notification with an ID is none the less a notification.
		{"notification, id", `{"jsonrpc":"2.0","id":3,"method":"notifications/progress","params":{}}`, FrameNotification, ``, diags(DiagNotificationID)},
		{"notification, id null", `{"jsonrpc":"2.0","id":null,"method":"notifications/progress","params":{}}`, FrameNotification, ``, diags(DiagNotificationID)},

		// Method and params.
		{"method number", `{"jsonrpc":"2.0","id":1,"method":5}`, FrameInvalid, `1`, diags(DiagMethodType)},
		{"method null", `{"jsonrpc":"2.0","method":null}`, FrameInvalid, ``, diags(DiagMethodType)},
		{"params string", `{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}`, FrameRequest, `1`, diags(DiagParamsType)},
		{"params null", `{"jsonrpc":"2.0","method":"m","params":null}`, FrameNotification, ``, diags(DiagParamsType)},

		// Duplicates: the last one wins.
		{"two ids", `{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, FrameResult, `2`, diags(DiagDuplicateMember)},
		{"three results", `{"jsonrpc":"2.0","id":1,"result":1,"result":2,"re\u0073ult":3}`, FrameResult, `1`, diags(DiagDuplicateMember, DiagDuplicateMember)},
		{"duplicate deeper down", `{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}`, FrameResult, `1`, nil},

		// Bytes.
		{"byte order mark", "\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":1,"result":{}}`, FrameResult, `1`, diags(DiagBOM)},
		{"no UTF-8 in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"\xff\xfe\"}}", FrameResult, `1`, diags(DiagInvalidUTF8)},
		{"no UTF-8 outside", "{\"jsonrpc\":\"2.0\",\xff\"id\":1}", FrameInvalid, ``, diags(DiagNotJSON)},
		{"empty", ``, FrameInvalid, ``, diags(DiagNotJSON)},
		{"blank", " \r", FrameInvalid, ``, diags(DiagNotJSON)},
		{"only a byte order mark", "\xef\xbb\xbf", FrameInvalid, ``, diags(DiagBOM, DiagNotJSON)},
		{"NUL", "\x00", FrameInvalid, ``, diags(DiagNotJSON)},
		{"words", `Server listening on port 3000`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"log line", `[INFO] started`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"date", `2026-11-21 12:01:06 up`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"two messages", `{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"more after it", `{"jsonrpc":"2.0","id":1,"result":{}} x`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"cut off in a string", `{"jsonrpc":"2.0","id":1,"resu`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"cut off after a value", `{"jsonrpc":"2.0","id":1`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"raw newline in a string", "{\"a\":\"x\ny\"}", FrameInvalid, ``, diags(DiagNotJSON)},
		{"string", `"hello"`, FrameInvalid, ``, diags(DiagNotObject)},
		{"number", `42`, FrameInvalid, ``, diags(DiagNotObject)},
		{"null", ` null `, FrameInvalid, ``, diags(DiagNotObject)},

		// STD-28: JSON printed over several lines.
		{"opening", `{`, FrameInvalid, ``, diags(DiagMultiline)},
		{"opening of two", `[{`, FrameInvalid, ``, diags(DiagMultiline)},
		{"closing", `}`, FrameInvalid, ``, diags(DiagMultiline)},
		{"closing, comma", `  },`, FrameInvalid, ``, diags(DiagMultiline)},
		{"member", `  "jsonrpc": "2.0",`, FrameInvalid, ``, diags(DiagMultiline)},
		{"last member", `  "id": 1`, FrameInvalid, ``, diags(DiagMultiline)},
		{"member opens", `  "result": {`, FrameInvalid, ``, diags(DiagMultiline)},
		{"member opens an array", `"content": [`, FrameInvalid, ``, diags(DiagMultiline)},
		{"member with an object", `"a": {"b": [1, 2]},`, FrameInvalid, ``, diags(DiagMultiline)},
		{"element", `"text",`, FrameInvalid, ``, diags(DiagMultiline)},
		{"member on the first line", `{"jsonrpc": "2.0",`, FrameInvalid, ``, diags(DiagMultiline)},
		{"params opens on the first line", `{"id": 1, "params": {"a": "\"{", "b": [`, FrameInvalid, ``, diags(DiagMultiline)},
		{"a comma", `,`, FrameInvalid, ``, diags(DiagNotJSON)},
		{"words with a comma", `well, `, FrameInvalid, ``, diags(DiagNotJSON)},
		{"quoted words", `"starting": now`, FrameInvalid, ``, diags(DiagNotJSON)},

		// Batches.
		{"empty batch", `[ ]`, FrameBatch, ``, diags(DiagBatchEmpty)},
		{"batch", `[{"jsonrpc":"2.0","id":1,"result":{}}]`, FrameBatch, ``, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Decode([]byte(c.raw))
			if f.Kind != c.kind || f.ID.String() != c.id || !slices.Equal(codes(f), c.want) {
				t.Errorf("%s\n got kind %d, id %s, problems %v\nwant kind %d, id %s, problems %v", c.raw, f.Kind, f.ID, f.Problems, c.kind, c.id, c.want)
			}
			if f.Size != len(c.raw) || string(f.Raw) != c.raw || f.Owned {
				t.Errorf("size %d, owned %v, raw %q", f.Size, f.Owned, f.Raw)
			}
			for _, p := range f.Problems {
				if p.Detail == "" || len(p.Detail) > 200 {
					t.Errorf("the detail of %d is %q", p.Code, p.Detail)
				}
			}
		})
	}
}

func TestDecodeKeepsRawValues(t *testing.T) {
	f := Decode([]byte(`{"jsonrpc":"2.0","id": 1.50 ,"method":"m\/\u00e4","params": {"n" : 1.0e0, "n":2} }`))
	if f.Method != "m/ä" || string(f.Params) != `{"n" : 1.0e0, "n":2}` || string(f.IDRaw) != `1.50` {
		t.Errorf("method %q, params %s, id %s", f.Method, f.Params, f.IDRaw)
	}
	f = Decode([]byte(`{"jsonrpc":"2.0","id":"\u0061","result": [ 1 ]}`))
	if string(f.Result) != `[ 1 ]` || string(f.IDRaw) != `"\u0061"` || f.Shape.Kind != '[' {
		t.Errorf("result %s, id %s, shape %c", f.Result, f.IDRaw, f.Shape.Kind)
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		failure, codeRaw, message, data string
		code                            int64
	}{
		{`{"code":-32603,"message":"a\nb","data":{"x": 1}}`, `-32603`, "a\nb", `{"x": 1}`, -32603},
		{`{"code":-3.2e1,"message":""}`, `-3.2e1`, "", ``, -32},
		{`{"code":"E1","message":"m"}`, `"E1"`, "m", ``, 0},
		{`{"code":1.5,"message":"m","data":null}`, `1.5`, "m", `null`, 0},
		{`{"message":"m"}`, ``, "m", ``, 0},
		{`{"code":0,"message":["m"]}`, `0`, `["m"]`, ``, 0},
		{`"boom"`, ``, "boom", ``, 0},
		{"{\"code\":1,\"message\":\"\xff\\ud800\"}", `1`, "\uFFFD\uFFFD", ``, 1},
	} {
		e := Decode([]byte(`{"jsonrpc":"2.0","id":1,"error":` + c.failure + `}`)).Error
		if e.Code != c.code || string(e.CodeRaw) != c.codeRaw || e.Message != c.message || string(e.Data) != c.data {
			t.Errorf("%s: %d, %s, %q, %s", c.failure, e.Code, e.CodeRaw, e.Message, e.Data)
		}
	}
}

func TestDecodeBatch(t *testing.T) {
	f := Decode([]byte(` [{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}, 5,[{}], {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1}},{"id":null,"method":"m"}]`))
	want := []struct {
		kind  FrameKind
		codes []DiagCode
	}{
		{FrameResult, nil},
		{FrameInvalid, []DiagCode{DiagNotObject}},
		{FrameInvalid, []DiagCode{DiagBatchNested}},
		{FrameNotification, nil},
		{FrameInvalid, []DiagCode{DiagVersionMember, DiagIDNull}},
	}
	if f.Kind != FrameBatch || len(f.Batch) != len(want) {
		t.Fatalf("kind %d with %d members", f.Kind, len(f.Batch))
	}
	for i, w := range want {
		if m := f.Batch[i]; m.Kind != w.kind || !slices.Equal(codes(m), w.codes) || m.Size != len(m.Raw) {
			t.Errorf("member %d: kind %d, problems %v, %d bytes %s", i, m.Kind, m.Problems, m.Size, m.Raw)
		}
	}
	if f.Batch[0].List == nil || !f.Batch[3].Progress.Valid {
		t.Error("members are not read as messages by themselves are")
	}
}

// A batch must not multiply itself in memory.
func TestDecodeBoundsBatches(t *testing.T) {
	f := Decode([]byte("[" + strings.Repeat("1,", 200_000) + `{"jsonrpc":"2.0","id":1,"result":{}}]`))
	if n := len(f.Batch); n != invalidLimit+1 || f.Batch[n-1].Kind != FrameResult {
		t.Errorf("%d members are kept", n)
	}
	if !slices.Equal(codes(f), []DiagCode{DiagOversize}) || !strings.Contains(f.Problems[0].Detail, "200001") {
		t.Errorf("problems %v", f.Problems)
	}
	f = Decode([]byte("[" + strings.Repeat("{},", 200_000) + `{"jsonrpc":"2.0","id":1,"result":{}}]`))
	if n := len(f.Batch); n != invalidLimit+1 || f.Batch[n-1].Kind != FrameResult {
		t.Errorf("%d members are kept", n)
	}
	if f.Left != 200_001-len(f.Batch) {
		t.Errorf("%d members are left out", f.Left)
	}
}

// What may be kept of a task in a large message keeps no more than twice its own length.
func TestWhatIsKeptOfATaskIsSetApart(t *testing.T) {
	const form = `{"message":"?","requestedSchema":{}}`
	more := `"more":"` + strings.Repeat("x", 1000) + `"`
	for name, c := range map[string]struct {
		task string
		part func(t *Task) []byte
		want string
	}{
		"what it asks for":    {`"status":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":` + form + `}}`, func(t *Task) []byte { return t.Inputs.Asks[0].Params }, form},
		"the key of that":     {`"status":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":` + form + `}}`, func(t *Task) []byte { return t.Inputs.Asks[0].Token }, `"a"`},
		"what it ended with":  {`"status":"completed","result":{"content":[]}`, func(t *Task) []byte { return t.Outcome.Result }, `{"content":[]}`},
		"what it failed with": {`"status":"failed","error":{"code":1,"message":"no","data":[7]}`, func(t *Task) []byte { return t.Outcome.Error.Data }, `[7]`},
	} {
		raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","taskId":"t",` + c.task + `,` + more + `}}`)
		f := NewDecoder().DecodeOwned(raw)
		clear(raw)
		if got := c.part(&f.Task.Task); string(got) != c.want {
			t.Errorf("%s is a part of the message: %q", name, got)
		}
	}
}

// Two requests of a task are alike where they ask the same, whatever else is.
func TestTheDigestOfWhatIsAsked(t *testing.T) {
	asks := inputNote([]byte(`{"inputRequests":{
		"a":{"method":"elicitation/create","params":{"message":"1"}}, "b":{"method":"elicitation/create","params":{"message":"1"},"more":1},
		"c":{"method":"elicitation/create","params":{"message":"2"}}, "d":{"method":"sampling/createMessage","params":{"message":"1"}}}}`)).Asks
	if len(asks) != 4 || asks[0].Digest != asks[1].Digest || asks[0].Digest == asks[2].Digest || asks[0].Digest == asks[3].Digest {
		t.Errorf("%+v", asks)
	}
	if asks[0].Keyed == asks[1].Keyed || asks[0].Keyed == asks[0].Digest {
		t.Error("the key is no part of the digest that has it")
	}
}

// All members of a batch are handled in one hold of the lock, so there are not many; and a flood of
// other members leaves room for the answers.
func TestDecodeBoundsTheWorkOfABatch(t *testing.T) {
	const answer, note, request = `{"jsonrpc":"2.0","id":1,"result":{}},`, `{"jsonrpc":"2.0","method":"notifications/x"},`, `{"jsonrpc":"2.0","id":1,"method":"ping"},`
	times := strings.Repeat
	for name, c := range map[string]struct {
		members   string
		all, want int
	}{
		"as many as are taken":              {times(note, batchMost), batchMost, batchMost},
		"a flood":                           {times(note, 50_000), 50_000, batchMost},
		"requests":                          {times(request, 50_000), 50_000, batchMost},
		"answers":                           {times(answer, 50_000), 50_000, batchMost},
		"answers behind a flood":            {times(note, 50_000) + times(answer, 7), 50_007, batchMost + 7},
		"what is neither, and then answers": {times(`{"id":1},`, batchMost-7) + times("1,", 50_000) + times(answer, 50_000), batchMost - 7 + 100_000, batchMost + invalidLimit},
	} {
		f := Decode([]byte("[" + strings.TrimSuffix(c.members, ",") + "]"))
		if len(f.Batch) != c.want || f.Left != c.all-c.want || slices.Equal(codes(f), []DiagCode{DiagOversize}) != (f.Left > 0) {
			t.Errorf("%s: %d members, %d left out, problems %v", name, len(f.Batch), f.Left, f.Problems)
		}
	}
}

// Each problem of a message is told under the lock: there are not many, however often a member stands in
// the message.
func TestDecodeBoundsProblems(t *testing.T) {
	f := Decode([]byte(`{"jsonrpc":"2.0",` + strings.Repeat(`"id":1,"result":{},`, 100_000) + `"error":{}}`))
	if n := len(f.Problems); n > MaxProblems+2 {
		t.Errorf("%d problems", n)
	}
}

// An answer that is too deep to be read still ends its call, by name.
func TestDecodeDeep(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	f := Decode([]byte(`{"jsonrpc":"2.0","id":7,"result":` + deep(rawjson.DepthLimit-1) + `}`))
	if f.Kind != FrameResult || len(f.Problems) != 0 {
		t.Errorf("at the limit: kind %d, problems %v", f.Kind, f.Problems)
	}
	for _, c := range []struct {
		raw  string
		kind FrameKind
		id   string
		code DiagCode
	}{
		{`{"jsonrpc":"2.0","result":` + deep(rawjson.DepthLimit) + `,"id":7}`, FrameMalformed, `7`, DiagTooDeep},
		{`{"jsonrpc":"2.0","error":` + deep(1_000_000) + `,"id":"a"}`, FrameMalformed, `"a"`, DiagTooDeep},
		{`{"jsonrpc":"2.0","id":7,"method":"m","params":` + deep(rawjson.DepthLimit) + `}`, FrameInvalid, `7`, DiagTooDeep},
		{`{"jsonrpc":"2.0","id":7,"result":` + strings.Repeat("[", rawjson.DepthLimit), FrameInvalid, ``, DiagTooDeep},
		{deep(rawjson.DepthLimit + 1), FrameInvalid, ``, DiagTooDeep},
		{`{"jsonrpc":"2.0","id":7,"result":x` + deep(rawjson.DepthLimit) + `}`, FrameInvalid, ``, DiagNotJSON},
	} {
		f := Decode([]byte(c.raw))
		if f.Kind != c.kind || f.ID.String() != c.id || !slices.Equal(codes(f), []DiagCode{c.code}) {
			t.Errorf("%.40s…: kind %d, id %s, problems %v", c.raw, f.Kind, f.ID, f.Problems)
		}
	}
}

func TestDecoderReusesItsFrame(t *testing.T) {
	d := NewDecoder()
	first := d.Decode([]byte(`{"jsonrpc":"1.0","id":1,"id":2,"result":{"protocolVersion":"x","tools":[],"isError":true}}`))
	second := d.Decode([]byte(`{"jsonrpc":"2.0","method":"ping"}`))
	if first != second {
		t.Error("a second frame was allocated")
	}
	if got, want := dump(second), dump(Decode([]byte(`{"jsonrpc":"2.0","method":"ping"}`))); got != want {
		t.Errorf("left over from the message before:\n got %s\nwant %s", got, want)
	}
	owned := d.DecodeOwned([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	d.Decode([]byte(`garbage`))
	if !owned.Owned || owned.Kind != FrameResult || owned.ID != IntID(1) {
		t.Errorf("an owned frame changed: %s", dump(owned))
	}
}

// dump is all of a frame as text, to compare frames by.
func dump(f *Frame) string {
	var b strings.Builder
	c := *f
	c.Cancelled, c.Init, c.List, c.Batch, c.Ask, c.Needed, c.Complete = nil, nil, nil, nil, nil, nil, nil
	c.Sub, c.Inputs, c.Discover, c.Server = nil, nil, nil, nil
	fmt.Fprintf(&b, "%+v", c)
	if f.Cancelled != nil {
		fmt.Fprintf(&b, " cancelled %+v", *f.Cancelled)
	}
	if f.Sub != nil {
		fmt.Fprintf(&b, " sub %+v", *f.Sub)
	}
	if f.Inputs != nil {
		fmt.Fprintf(&b, " inputs %+v", *f.Inputs)
	}
	if f.Discover != nil {
		fmt.Fprintf(&b, " discover %+v", *f.Discover)
	}
	if f.Server != nil {
		fmt.Fprintf(&b, " server %+v", *f.Server)
	}
	if f.Ask != nil {
		fmt.Fprintf(&b, " ask %+v", *f.Ask)
	}
	if f.Needed != nil {
		fmt.Fprintf(&b, " needed %+v", *f.Needed)
	}
	if f.Complete != nil {
		fmt.Fprintf(&b, " complete %+v", *f.Complete)
	}
	if f.Init != nil {
		fmt.Fprintf(&b, " init %+v", *f.Init)
	}
	if f.List != nil {
		fmt.Fprintf(&b, " list %+v", *f.List)
	}
	for _, m := range f.Batch {
		b.WriteString("\n  " + dump(m))
	}
	return b.String()
}
