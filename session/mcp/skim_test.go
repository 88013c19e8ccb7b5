package mcp

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// skimmed feeds raw in chunks of n bytes.
func skimmed(raw string, n int) *Skim {
	s := new(Skim)
	for chunk := range bytesChunks([]byte(raw), n) {
		s.Write(chunk)
	}
	return s
}

func TestSkim(t *testing.T) {
	big := `"` + strings.Repeat(`\"}]\\`, 5000) + `"`
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		name   string
		raw    string
		id     string
		method string
		answer bool
	}{
		{"id last", `{"jsonrpc":"2.0","result":{"a":` + big + `,"id":8,"method":"no"},"id":7}`, `7`, "", true},
		{"id first", `{"id":"a","jsonrpc":"2.0","result":[` + big + `]}`, `"a"`, "", true},
		{"error", `{"error":{"code":1,"message":` + big + `},"id":7}`, `7`, "", true},
		{"result is a string", `{"result":` + big + `,"id":7}`, `7`, "", true},
		{"request", `{"params":{"method":"no","id":1,"x":` + big + `},"method":"sampling/createMessage","id":0}`, `0`, "sampling/createMessage", false},
		{"notification", `{"params":` + big + `,"method":"notifications/message"}`, ``, "notifications/message", false},
		{"notification with an id", `{"params":` + big + `,"id":3,"method":"notifications/message"}`, ``, "notifications/message", false},
		{"escapes", `{"r\u0065sult":` + big + `,"i\u0064":"\u0061","m\u0065thod2":1}`, `"a"`, "", true},
		{"escaped method", `{"params":` + big + `,"method":"a\/b\"","id":1}`, `1`, `a/b"`, false},
		{"space", " \t\r{ \"result\" : " + big + " , \"id\" : 1.50 } \r", `1.5`, "", true},
		{"byte order mark", "\xef\xbb\xbf{\"result\":" + big + ",\"id\":7}", `7`, "", true},
		{"last id wins", `{"id":1,"result":` + big + `,"id":2}`, `2`, "", true},
		{"last id is none", `{"id":1,"result":` + big + `,"id":null}`, ``, "", true},
		{"id is an object", `{"result":` + big + `,"id":{"id":7}}`, ``, "", true},
		{"id is too long", `{"result":1,"id":"` + long + `"}`, ``, "", true},
		{"method is too long", `{"id":1,"method":"` + long + `"}`, `1`, "", false},
		{"method is a number", `{"result":1,"id":1,"method":7}`, `1`, "", false},
		{"name is long", `{"` + long + `id":5,"result":1,"id":1}`, `1`, "", true},
		{"result null", `{"x":` + big + `,"result":null,"id":1}`, `1`, "", true},
		{"nothing in it", `{"x":` + big + `}`, ``, "", false},
		{"empty", `{}`, ``, "", false},
		{"batch", `[{"result":` + big + `,"id":7}]`, ``, "", false},
		{"garbage", `x{"result":` + big + `,"id":7}`, ``, "", false},
		{"a string", `"{\"id\":7,\"result\":1}"`, ``, "", false},
		{"cut off", `{"id":7,"result":{"a":` + big, ``, "", false},
		{"cut off at the end", `{"id":7,"result":` + big, ``, "", false},
		{"more after it", `{"id":7,"result":` + big + `} {}`, ``, "", false},
		{"no comma", `{"id":7 "result":` + big + `}`, ``, "", false},
		{"no value", `{"id":,"result":` + big + `}`, ``, "", false},
		{"no name", `{"result":` + big + `,7,"id":7}`, ``, "", false},
		{"no bytes", ``, ``, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 7, 1000, 1 << 20} {
				s := skimmed(c.raw, n)
				f := s.Frame()
				if f.Kind != FrameOversize || f.ID.String() != c.id || f.Method != c.method || f.Answer != c.answer {
					t.Fatalf("in chunks of %d: id %s, method %q, answer %v", n, f.ID, f.Method, f.Answer)
				}
				if (len(f.IDRaw) > 0) != (c.id != "") || f.Size != len(c.raw) || !f.Owned || !slices.Equal(codes(f), []DiagCode{DiagOversize}) {
					t.Fatalf("in chunks of %d: raw id %s, size %d, problems %v", n, f.IDRaw, f.Size, f.Problems)
				}
				if head := c.raw[:min(len(c.raw), skimHead)]; string(f.Raw) != head {
					t.Fatalf("in chunks of %d: the head is %q", n, f.Raw)
				}
			}
		})
	}
}

func TestSkimSaysTheSize(t *testing.T) {
	for size, want := range map[int]string{999: "999 bytes", 1500: "1.5 kB", 73_400_320: "73.4 MB"} {
		var s Skim
		s.Write(bytes.Repeat([]byte(" "), size))
		if got := s.Frame().Problems[0].Detail; got != "a message of "+want {
			t.Errorf("%d bytes: %s", size, got)
		}
	}
}

func TestSkimIsReusable(t *testing.T) {
	s := skimmed(`{"id":7,"method":"m","params":{}}`, 5)
	old := s.Frame()
	s.Reset()
	s.Write([]byte(`{"result":[],"id":8}`))
	if f := s.Frame(); f.ID != IntID(8) || f.Method != "" || !f.Answer || f.Size != 20 || string(f.Raw) != `{"result":[],"id":8}` {
		t.Errorf("after Reset: %s", dump(f))
	}
	if old.ID != IntID(7) || string(old.Raw) != `{"id":7,"method":"m","params":{}}` {
		t.Errorf("the frame of before changed: %s", dump(old))
	}
}

func TestSkimMemoryIsConstant(t *testing.T) {
	s := skimmed(`{"id":"`+strings.Repeat("x", skimID)+`","method":"`+strings.Repeat("m", skimMethod)+`","`+strings.Repeat("n", skimName)+`":[`, 64)
	chunk := []byte(strings.Repeat(`{"id":"`+strings.Repeat("y", 5000)+`"},[[`, 10))
	if n := testing.AllocsPerRun(100, func() { s.Write(chunk) }); n != 0 {
		t.Errorf("each chunk allocates %v times", n)
	}
}
