package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"belay/internal/requirements"
)

// A value is masked in base64 wherever it begins there, with each digit that
// holds a bit of it, and in hexadecimal digits; and what is around it stays.
func TestAMaskKnowsCodes(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	random := rand.New(rand.NewPCG(1, 2))
	for n := leastSecret; n < 30; n++ {
		value := make([]byte, n)
		for i := range value {
			value[i] = byte(' ' + 1 + random.IntN(94))
		}
		mask := unkeyed.With(Value{"SOME_NAME", string(value)})
		for before := range 5 {
			for behind := range 4 {
				around := slices.Concat([]byte("~~~~~~~~"[:before]), value, []byte("~~~~"[:behind]))
				for name, code := range map[string]*base64.Encoding{"std": base64.StdEncoding, "url": base64.URLEncoding, "raw": base64.RawStdEncoding, "raw url": base64.RawURLEncoding} {
					text := code.EncodeToString(around)
					for i, where := range []string{`{"a":"%s"}`, `{"a":"x %s."}`, `{"a":"{\"b\":\"%s\"}"}`, "%s", "log: %s;", `{"jsonrpc":"2.0","id":1,"result":{"%s":1}}`} {
						got := mask.RedactText(fmt.Sprintf(where, text))
						begin := strings.Index(where, "%s")
						got = got[begin : begin+len(text)]
						for at := range got {
							holds := 6*at < 8*(before+n) && 6*(at+1) > 8*before && text[at] != '='
							if i == 5 && holds { // a name: what differs still does
								holds = got[at] == '*' || strings.Contains(got, mask.fingerprint([]byte(text[8*before/6:(8*(before+n)+5)/6])))
								if !holds {
									t.Fatalf("%s, %q after %d bytes: %s as a name", name, value, before, got)
								}
								continue
							}
							if (got[at] == '*') != holds {
								t.Fatalf("%s, %q after %d bytes and before %d: %s of %s (%s)", name, value, before, behind, got, text, where)
							}
						}
					}
					if got := mask.RedactText("a=" + url.QueryEscape(text)); n > 12 && strings.Count(got, "*") < (n-3)*4/3 {
						t.Errorf("%s in an address: %s of %s", name, got, url.QueryEscape(text))
					}
				}
				digits := hex.EncodeToString(around)
				for _, text := range []string{digits, strings.ToUpper(digits), mixed(digits)} {
					if got, want := mask.RedactText(`{"a":"`+text+`"}`), `{"a":"`+text[:2*before]+strings.Repeat("*", 2*n)+text[2*(before+n):]+`"}`; got != want {
						t.Fatalf("%s, want %s", got, want)
					}
				}
			}
		}
	}
	for _, where := range []string{`{"basic":"%s"}`, "Authorization: Basic %s"} { // the password in it
		mask := unkeyed.With(Value{"DB_PASS", "hunter-22"})
		if got := mask.RedactText(fmt.Sprintf(where, base64.StdEncoding.EncodeToString([]byte("me:hunter-22")))); strings.Contains(got, "aHVudGVy") || !strings.Contains(got, "****") {
			t.Error(got)
		}
	}
}

// mixed is a text with every other letter in upper case.
func mixed(text string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n%2 == 0 {
			return unicode.ToUpper(r)
		}
		return r
	}, text)
}

// A value is masked in upper and in lower case, and in both mixed, wherever it is masked
// as it is: programs write variables in capitals, and the media type of a header comes
// in lower case.
func TestAMaskKnowsValuesInAnyCase(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	for _, value := range []string{"tr0ub4Dor&3", "xYzzYx", "Ключ от двери", "straße-Éß"} {
		mask := unkeyed.With(Value{"X", value})
		cases := []string{value, strings.ToUpper(value), strings.ToUpper(strings.ReplaceAll(value, "ß", "SS")), strings.ToLower(value)}
		if isASCII(value) {
			cases = append(cases, mixed(value))
		}
		for _, text := range cases {
			stars := strings.Repeat("*", len(text))
			for _, where := range []string{"%s", "x=%s.", `{"text":"it is %s, yes"}`, `{"text":"{\"a\":\"%s\"}"}`, `{"id":1,"result":{"content":[{"type":"text","text":"%s"}]}}`} {
				if got, want := mask.RedactText(fmt.Sprintf(where, text)), fmt.Sprintf(where, stars); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
			if got := mask.RedactText("GET /x?q=" + url.QueryEscape(text) + "&r=1"); got != "GET /x?q="+strings.Repeat("*", len(url.QueryEscape(text)))+"&r=1" {
				t.Errorf("%q in an address: %s", text, got)
			}
			if got := mask.RedactText(`{"result":{"` + text + `":1}}`); strings.Contains(got, text) {
				t.Errorf("as a name: %s", got)
			}
			if got := mask.RedactMember("media", text+"/plain"); got != stars+"/plain" {
				t.Errorf("as a media type: %s", got)
			}
			if cut := text[:len(text)*3/4]; len(cut) >= leastSecret && utf8.ValidString(cut) {
				if got := mask.RedactText("cut: " + cut + "…"); strings.Contains(got, cut) {
					t.Errorf("cut: %s", got)
				}
			}
		}
	}
	if got := unkeyed.With(Value{"X", "other!"}).RedactText("OTHER? 0THER!"); got != "OTHER? 0THER!" {
		t.Error(got)
	}
}

// A value is masked in an address however much of it is encoded there, in either
// case, with %20 or + for a blank, and when the address is a part of another.
func TestAMaskKnowsValuesInAddresses(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	lower := func(s string) string {
		return regexp.MustCompile(`%[0-9A-F]{2}`).ReplaceAllStringFunc(s, strings.ToLower)
	}
	everyByte := func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
		return b.String()
	}
	for _, value := range []string{"hunter 22!", "p@ss w=rd&/?#", "a+b c%20d", "it's (very) *secret*", "ключ от двери", "tr0ub4dor&3", "a%41bcdef"} {
		mask := unkeyed.With(Value{"X", value})
		spelt := map[string]string{
			"query": url.QueryEscape(value), "path": url.PathEscape(value), "every byte": everyByte(value),
			"component": strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(url.QueryEscape(value)),
			"form":      strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "~", "%7E").Replace(url.QueryEscape(value)),
			"slashes":   strings.ReplaceAll(url.QueryEscape(value), "%2F", "/"),
		}
		for name, text := range maps.Clone(spelt) {
			spelt["lower "+name] = lower(text)
			spelt["twice "+name] = url.QueryEscape(text)
			spelt["twice lower "+name] = lower(url.QueryEscape(lower(text)))
		}
		for name, text := range spelt {
			stars := strings.Repeat("*", len(text))
			for _, where := range []string{"GET /x?q=%s&r=1", `{"text":"https://h/x?q=%s&r=%%41"}`, `{"text":"{\"a\":\"%s;\"}"}`, `{"broken":"%s`, "100%% of C++: %s."} {
				if got, want := mask.RedactText(fmt.Sprintf(where, text)), fmt.Sprintf(where, stars); got != want {
					t.Errorf("%s: %s of %s, want %s", name, got, fmt.Sprintf(where, text), want)
				}
			}
			if got := mask.RedactMember("uri", "https://h/"+text); strings.ContainsFunc(strings.TrimPrefix(got, "https://h/"), func(r rune) bool { return r != '*' && r != '/' && !strings.ContainsRune("0123456789abcdef", r) }) {
				t.Errorf("%s: %s of %s", name, got, text)
			}
		}
	}
	// Shorter ones beside their names, and codes.
	mask := unkeyed.With(Value{"USER", "a b"}, Value{"TOKEN", "?>?>?>?>"})
	for line, want := range map[string]string{
		`{"text":"/p?user=a%20b&user=a+b&u=a+b"}`: `{"text":"/p?user=*****&user=***&u=a+b"}`,
		`{"text":"x=Pz4%2fPj8%2BPz4&y"}`:          `{"text":"x=***************&y"}`,
	} {
		if got := mask.RedactText(line); got != want {
			t.Errorf("%s gave %s, want %s", line, got, want)
		}
	}
}

// A name counts however much of it is encoded in an address or the body of a form, and
// the address may be a part of another. The value ends where the text has its end.
func TestAMaskKnowsEncodedNames(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	mask := unkeyed.With(Value{"DB_NO", "1234"})
	for line, want := range map[string]string{
		"api%5Fkey=s3cret&page=2":                                    "api%5Fkey=******&page=2",
		"page=2&%61%70%69%5f%6b%65%79=s3%26cret;x":                   "page=2&%61%70%69%5f%6b%65%79=*********;x",
		"api%255Fkey=a%2526b&b=1":                                    "api%255Fkey=*******&b=1",
		"user=me&mot+de+passe=sesame&b=1":                            "user=me&mot+de+passe=******&b=1",
		`{"text":"POST /x?pass%77ord=s3cret HTTP/1.1"}`:              `{"text":"POST /x?pass%77ord=****** HTTP/1.1"}`,
		`{"text":"https://h/x?k%65y=s3cret&keys=2"}`:                 `{"text":"https://h/x?k%65y=******&keys=2"}`,
		`{"text":"{\"body\":\"pass%77ord=s3cret&a=b\"}"}`:            `{"text":"{\"body\":\"pass%77ord=******&a=b\"}"}`,
		"to=https%3A%2F%2Fh%2Fx%3Fapi_key%3Ds3cret%26page%3D2&a=b":   "to=https%3A%2F%2Fh%2Fx%3Fapi_key%3D******%26page%3D2&a=b",
		"to=https%3A%2F%2Fh%2Fx%3Fapi%255Fkey%3Ds3cret%26page%3D2":   "to=https%3A%2F%2Fh%2Fx%3Fapi%255Fkey%3D******%26page%3D2",
		"to=https%253A%252F%252Fh%253Fk%2565y%253Ds3cret%2526page=2": "to=https%253A%252F%252Fh%253Fk%2565y%253D******%2526page=2",
		"to=https%3A%2F%2Fme:s3cret%40h%2F&a=b":                      "to=https%3A%2F%2Fme:******%40h%2F&a=b",
		"db%5Fno=1234&page=1234":                                     "db%5Fno=****&page=1234",
		`{"api%5Fkey":"s3cret","api_key":"s3cret"}`:                  `{"api%5Fkey":"******","api_key":"******"}`,
		"page%5Fsize=20&p%69e=apple a+b=c 100%=all":                  "page%5Fsize=20&p%69e=apple a+b=c 100%=all",
		"what is 5%20=5 and %zz=z and pass%77ord=":                   "what is 5%20=5 and %zz=z and pass%77ord=",
	} {
		if got := mask.RedactText(line); got != want {
			t.Errorf("%s\ngave %s\nwant %s", line, got, want)
		}
	}
}

// Short values, and those that JSON has no quotes for, are masked where their name
// stands, and nowhere else.
func TestAMaskKnowsValuesByTheirNames(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	mask := unkeyed.With(
		Value{"DB_NO", "1234"}, Value{"DEBUG", "true"}, Value{"ACCOUNT", "12345678"}, Value{"USER", "bob"}, Value{"X-Thing", `a"b`}, Value{"X", "7"},
		Value{"RATE", "-1.5e3"}, Value{"user", "eve"},
	)
	for line, want := range map[string]string{
		`{"DB_NO":"1234","other":"1234","dbNo":1234,"db-no":[1234,"1234",{"a":"1234"}]}`: `{"DB_NO":"****","other":"1234","dbNo":"**","db-no":["**","****",{"a":"1234"}]}`,
		`{"debug":true,"verbose":true,"text":"debug is true"}`:                           `{"debug":"**","verbose":true,"text":"debug is true"}`,
		`{"account":12345678,"text":"it is 12345678","n":12345678}`:                      `{"account":"******","text":"it is ********","n":"******"}`,
		`{"rate":-1.5e3,"x":7,"y":7}`:                                                    `{"rate":"****","x":0,"y":7}`,
		`{"text":"USER=bob, user: bob; user=eve user=bobby; bob"}`:                       `{"text":"USER=***, user: ***; user=*** user=bobby; bob"}`,
		`{"text":"{\"user\":\"bob\",\"db_no\":1234,\"u\":\"bob\"}"}`:                     `{"text":"{\"user\":\"***\",\"db_no\":\"\",\"u\":\"bob\"}"}`,
		`{"headers":{"x-thing":["a\"b"],"X-Thing":"a\"b"},"text":"x-thing: \"a\\\"b\""}`: `{"headers":{"x-thing":["****"],"X-Thing":"****"},"text":"x-thing: \"******\""}`,
		`{"params":{"arguments":{"user":"bob","name":"bob"}}}`:                           `{"params":{"arguments":{"user":"***","name":"bob"}}}`,
		`{"text":"X=7&y=7, https://h/p?user=bob&u=bob"}`:                                 `{"text":"X=*&y=7, https://h/p?user=***&u=bob"}`,
		`{"\u0075ser":"bo\u0062"}`:                                                       `{"\u0075ser":"********"}`,
		"USER=bob DB_NO=1234 PIN=4321 NO=1234":                                           "USER=*** DB_NO=**** PIN=**** NO=1234",
		"env: ['USER': 'bob']":                                                           "env: ['USER': '***']",
	} {
		if got := mask.RedactText(line); got != want {
			t.Errorf("%s\ngave %s\nwant %s", line, got, want)
		}
	}
	if got, want := mask.Counts(), (Counts{Anywhere: 2, Beside: 6}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	more := mask.With(Value{"OTHER", "12345678"}, Value{"", "abc"}, Value{"A", "abcdef"}, Value{"B", "abcdef"})
	if got, want := more.Counts(), (Counts{Anywhere: 3, Beside: 6}); got != want {
		t.Errorf("%+v, want %+v: a value counts once, and what is not masked not at all", got, want)
	}
}

// structured are messages of all kinds, with all that a session looks at.
var structured = []string{
	`{"jsonrpc":"2.0","id":7,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":"7","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"x","version":"y"}}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true}},"serverInfo":{"name":"x","version":"y"}}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"ttlMs":5000,"cacheScope":"public"}}`,
	`{"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"x","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":5,"total":10}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"x"}}`,
	`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`,
	`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{},"_meta":{"progressToken":"7","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/logLevel":"info"}}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[{"type":"text","text":"x"},{"type":"resource_link","uri":"x","size":5}]}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"form","message":"x","requestedSchema":{"type":"object","properties":{"a":{"type":"string","minLength":5,"maxLength":10,"format":"email"}},"required":["a"]}}}}}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"action":"accept","content":{}}}`,
	`{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"maxTokens":5,"temperature":0.5,"includeContext":"none"}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"x","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":5,"default":5}}},"annotations":{"destructiveHint":true}}]}}`,
	`{"jsonrpc":"2.0","id":7,"result":{"taskId":"x","status":"working","ttl":5000,"pollInterval":5}}`,
	`[{"jsonrpc":"2.0","id":7,"result":{}}]`,
	"  \uFEFF" + `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`,
	`{"method":"logging/setLevel","params":{"level":"warning"}}`,
}

// What a message is made of is not masked, whatever somebody has in the
// environment, and under whatever name.
func TestTheStructureIsNotMasked(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	var all []Value
	for name := range members {
		if IsName(name) {
			t.Errorf("%s is a member of messages, and counts as the name of a secret", name)
		}
		all = append(all, Value{name, name}, Value{"V_" + name, name})
	}
	for name, of := range memberWords {
		for w := range of {
			all = append(all, Value{"V" + name, w}, Value{name, w})
		}
	}
	for _, name := range []string{"id", "progress", "total", "code", "requestId", "progressToken", "maxTokens", "size", "minLength", "maxLength", "minimum", "default", "ttl", "ttlMs", "pollInterval", "temperature"} {
		for _, v := range []string{"7", "5", "10", "-32022", "5000", "0.5"} {
			all = append(all, Value{name, v}, Value{strings.ToUpper(name), v})
		}
	}
	for _, name := range []string{"isError", "listChanged", "subscribe", "destructiveHint"} {
		all = append(all, Value{strings.ToUpper(name), "true"})
	}
	mask := unkeyed.With(all...)
	for _, line := range structured {
		if got := mask.RedactText(line); got != line {
			t.Errorf("%s\nis  %s", line, got)
		}
	}
	// Where the specification has no say, they are values like others.
	for line, want := range map[string]string{
		`{"method":"tools/call","params":{"name":"x","arguments":{"method":"tools/call","id":7,"total":10,"isError":true}}}`: `{"method":"tools/call","params":{"name":"x","arguments":{"method":"**********","id":0,"total":"","isError":"**"}}}`,
		`{"result":{"structuredContent":{"code":-32022,"role":"assistant"}}}`:                                                `{"result":{"structuredContent":{"code":"****","role":"*********"}}}`,
		`{"method":"notifications/message","params":{"level":"warning","data":{"level":"warning","total":10}}}`:              `{"method":"notifications/message","params":{"level":"warning","data":{"level":"*******","total":""}}}`,
		`{"result":{"action":"accept","content":{"action":"accept","size":5}}}`:                                              `{"result":{"action":"accept","content":{"action":"******","size":0}}}`,
		`{"result":{"content":[{"type":"text","text":"the tools/call of an assistant"}]}}`:                                   `{"result":{"content":[{"type":"text","text":"the ********** of an *********"}]}}`,
	} {
		if got := mask.RedactText(line); got != want {
			t.Errorf("%s\ngave %s\nwant %s", line, got, want)
		}
	}
}

// The names of members are texts like others, also those that look like names, unless
// the specification calls something so.
func TestAMaskKnowsValuesInNames(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	mask := NewMask("k").With(Value{"NODE_ENV", "production"}, Value{"X-A", "MyPassPhrase"}, Value{"X-B", "letmein"}, Value{"DB", "correct_horse"}, Value{"S", "hunter"}, Value{"P", "properties"}, Value{"N", "1"})
	named := func(value string) string {
		which := mask.fingerprint([]byte(value))
		return strings.Repeat("*", max(0, len(value)-len(which))) + which[:min(len(which), len(value))]
	}
	for line, want := range map[string]string{
		`{"result":{"structuredContent":{"k":{"MyPassPhrase":true,"letmein":"letmein"}}}}`:                    `{"result":{"structuredContent":{"k":{"` + named("MyPassPhrase") + `":true,"` + named("letmein") + `":"*******"}}}}`,
		`{"method":"notifications/message","params":{"data":{"hunter":1,"my_correct_horse":2}}}`:              `{"method":"notifications/message","params":{"data":{"` + named("hunter") + `":1,"my_` + named("correct_horse") + `":2}}}`,
		`{"params":{"arguments":{"production":{"properties":1}}}}`:                                            `{"params":{"arguments":{"` + named("production") + `":{"properties":1}}}}`,
		`{"result":{"schema":{"properties":{"production":{"type":"string"}},"required":["production","1"]}}}`: `{"result":{"schema":{"properties":{"` + named("production") + `":{"type":"string"}},"required":["` + named("production") + `","1"]}}}`,
		`{"result":{"production":"in production"}}`:                                                           `{"result":{"` + named("production") + `":"in **********"}}`,
	} {
		if got := mask.RedactText(line); got != want {
			t.Errorf("%s\ngave %s\nwant %s", line, got, want)
		}
	}
}

// What the specification calls something is what its schemas call so, of all revisions,
// and what JSON Schema does.
func TestTheNamesOfTheSpecification(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	text, err := os.ReadFile("testdata/specification.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\nmembers\n")
	names, methods, _ := strings.Cut(rest, "\nmethods\n")
	theirs := words(names)
	for name := range theirs {
		if !isMember(name) {
			t.Errorf("the member %s is not known", name)
		}
	}
	for method := range words(methods) {
		if !memberWords["method"][method] {
			t.Errorf("the method %s is not known", method)
		}
	}
	if len(theirs) < 150 || len(words(methods)) < 30 {
		t.Errorf("only %d members and %d methods were read", len(theirs), len(words(methods)))
	}
	// The rest are JSON Schema's, and those of the extensions for tasks and mirrored fields.
	others := words(`$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions allOf not if then else dependentSchemas
		dependentRequired dependencies prefixItems additionalItems contains patternProperties propertyNames unevaluatedItems unevaluatedProperties
		multipleOf exclusiveMaximum exclusiveMinimum pattern uniqueItems maxContains minContains maxProperties minProperties deprecated readOnly
		writeOnly examples contentEncoding contentMediaType contentSchema x-mcp-header pollIntervalMs taskIds`)
	for name := range members {
		if !theirs[name] && !others[name] {
			t.Errorf("the specification knows no %s", name)
		}
	}
}

// Names that identify something still differ, and are alike where they were.
func TestIdentifiersStillDiffer(t *testing.T) {
	mask := NewMask("k").With(Value{"A", "s3cret-a"}, Value{"B", "s3cret-b"}, Value{"C", "/home/u1"}, Value{"D", "/home/u2"})
	for _, line := range []string{
		`{"tools":[{"name":"x-s3cret-a"},{"name":"x-s3cret-b"}]}`, `{"nextCursor":"s3cret-a","cursor":"s3cret-b"}`, `{"resources":[{"uri":"file:///home/u1"},{"uri":"file:///home/u2"}]}`,
		`{"id":"s3cret-a","requestId":"s3cret-b"}`, `{"a":{"s3cret-a":1,"s3cret-b":2}}`, `{"resourceSubscriptions":["file:///home/u1","file:///home/u2"]}`,
	} {
		got := mask.RedactText(line)
		if swapped := mask.RedactText(strings.NewReplacer("s3cret-a", "s3cret-b", "s3cret-b", "s3cret-a", "u1", "u2", "u2", "u1").Replace(line)); got == swapped || strings.Contains(got, "s3cret") || strings.Contains(got, "/home") {
			t.Errorf("%s: %s and %s", line, got, swapped)
		}
	}
}

// Numbers that are secret by their name are masked, too.
func TestNumbersCalledSecrets(t *testing.T) {
	for line, want := range map[string]string{
		`{"cardNumber":4111111111111111,"cvv":123,"pin":7,"token":12345,"n":12345}`: `{"cardNumber":"**************","cvv":"*","pin":0,"token":12345,"n":12345}`,
		`{"text":"{\"cvv\":123}, pin: 1234, pin: 12"}`:                              `{"text":"{\"cvv\":0.0}, pin: ****, pin: 12"}`,
		`{"properties":{"pin":{"type":"integer","minimum":1000}}}`:                  `{"properties":{"pin":{"type":"integer","minimum":1000}}}`,
		`{"credentials":{"user":"me","n":12345},"password":true}`:                   `{"credentials":{"user":"**","n":12345},"password":true}`,
	} {
		if got := unkeyed.RedactText(line); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// A message stays one of the same members, whatever is masked in it.
func FuzzValues(f *testing.F) {
	for _, line := range structured {
		f.Add(line, "NAME", "production", "PIN", "1234")
	}
	f.Add(`{"a\u0062":"\ud83d\ude00é\\\"","pin":1,"x":{"pin":{"b":[true,"c"]}}}`, "ab", "é\\\"", "pin", "1")
	f.Fuzz(func(t *testing.T, line, name1, value1, name2, value2 string) {
		got := unkeyed.With(Value{name1, value1}, Value{name2, value2}).RedactText(line)
		if len(got) != len(line) {
			t.Fatalf("%q has another length than %q", got, line)
		}
		if !strings.HasPrefix(line, "{") || !json.Valid([]byte(line)) {
			return
		}
		if !json.Valid([]byte(got)) {
			t.Fatalf("%q is a message no more: %q", line, got)
		}
		if a, b := shapeOfJSON(line), shapeOfJSON(got); a != b {
			t.Fatalf("%q and %q: %s is %s", line, got, a, b)
		}
	})
}

// shapeOfJSON is what is left of a message without its strings and literals.
func shapeOfJSON(line string) string {
	var b strings.Builder
	for at := 0; at < len(line); at++ {
		switch c := line[at]; c {
		case '"':
			at += 1 + quoteIn([]byte(line[at+1:]))
		case '{', '}', '[', ']', ':', ',':
			b.WriteByte(c)
		}
	}
	return b.String()
}

// A value with both quotation marks is masked as Python's repr writes it, in whatever is
// no JSON.
func TestAValueInAReprOfPython(t *testing.T) {
	mask := unkeyed.With(values("hu'nter\"x")...)
	for _, text := range []string{`{'a': 'hu\'nter"x', 'b': 1}`, `"{'a': 'hu\\'nter\"x'}"`, `{"text":"{'a': 'hu\\'nter\"x'}"}`} {
		if got := mask.RedactText(text); strings.Contains(got, "nter") || len(got) != len(text) || !strings.Contains(got, "'a': '*") {
			t.Errorf("%s, from %s", got, text)
		}
	}
}
