package secret

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"belay/internal/requirements"
)

// unkeyed knows no values.
var unkeyed = NewMask("")

func TestRedactMasksSecretsAndKeepsTheRest(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	for _, secret := range []string{
		"sk-abcdefghijklmnopqrst", "ghp_abcdefghijklmnopqrstuvwx", "github_pat_11ABCDEFG0abcdefghijkl",
		"glpat-abcdefghijklmnop", "npm_" + strings.Repeat("a1", 18), "xoxb-1234567890-abc", "AKIAABCDEFGHIJKLMNOP",
		"AIza" + strings.Repeat("x", 35), "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def",
	} {
		line := `{"text":"use ` + secret + ` for it"}`
		got := unkeyed.RedactText(line)
		if want := `{"text":"use ` + strings.Repeat("*", len(secret)) + ` for it"}`; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	for line, want := range map[string]string{
		`{"password":"hunter2"}`:                       `{"password":"*******"}`,
		`{"text":"{\"api_key\":\"abc\"}"}`:             `{"text":"{\"api_key\":\"***\"}"}`,
		`{"h":"Authorization: Bearer abcdefgh"}`:       `{"h":"Authorization: Bearer ********"}`,
		`{"progressToken":"belay-7","token":"x"}`:      `{"progressToken":"belay-7","token":"x"}`,
		`{"params":{"requestId":7,"reason":"secret"}}`: `{"params":{"requestId":7,"reason":"secret"}}`,
		// A number in groups is masked to its end, and not further.
		`{"text":"cardNumber: 4111 2222 3333 4444 cvv=123"}`:       `{"text":"cardNumber: ******************* cvv=***"}`,
		`{"text":"SSN: 078-05-1120 is on file"}`:                   `{"text":"SSN: *********** is on file"}`,
		`{"text":"iban: DE89 3704 0044 0532 0130 00, in Germany"}`: `{"text":"iban: ***************************, in Germany"}`,
		`{"text":"pin: 12 34\nsteps: 3"}`:                          `{"text":"pin: *****\nsteps: 3"}`,
		`{"text":"the password: 12 characters or more"}`:           `{"text":"the password: 12 characters or more"}`,
	} {
		if got := unkeyed.RedactText(line); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// What is called a secret is masked wherever it is written so, and what is
// around it stays.
func TestRedactMasksWhatIsCalledASecret(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	for _, line := range []string{
		`{"accessToken":"S3CRET-1"}`, `{"passphrase":"S3CRET-1"}`, `{"env":{"API_TOKEN":"S3CRET-1","n":1}}`, `{"DB_PASS":"S3CRET-1"}`,
		`{"secret":{"value":"S3CRET-1","n":[1,"S3CRET-2"]},"x":"y"}`, `{"credentials":["S3CRET-1"]}`, `{"X-Api-Key": "S3CRET-1"}`,
		`{"text":"password=S3CRET-1 and more"}`, `{"text":"the token: S3CRET-1, they say"}`, `{"text":"password=\"S3CRET-1\", x"}`,
		`{"text":"{\"clientSecret\":\"S3CRET-1 \\\"S3CRET-2\\\"\"}"}`, `{"text":"{\"t\":\"{\\\"refreshToken\\\":\\\"S3CRET-1\\\"}\"}"}`,
		`{"text":"{\"secret\":{\"a\":\"S3CRET-1\"}}"}`, `{"uri":"https://h/p?token=S3CRET-1&x=y"}`, `{"uri":"https://h/p?a=b&sig=S3CRET-1"}`,
		`{"uri":"/message?sessionId=S3CRET-1"}`, `{"url":"postgres://u:S3CRET-1@h/db"}`, `{"url":"https:\/\/u:S3CRET-1@h"}`,
		`{"k":"-----BEGIN PRIVATE KEY-----\nS3CRETxxxxxxxxxxxxx\n-----END PRIVATE KEY-----"}`,
		`{"text":"Authorization: Token S3CRET-1"}`, `{"text":"Cookie: sid=S3CRET-1; theme=S3CRET-2"}`,
		`{"cardNumber":"S3CRET-1"}`, `{"cvv":"S3CRET-1"}`, `{"ssn":"S3CRET-1"}`, `{"seedPhrase":"S3CRET-1 S3CRET-2"}`, `{"kennwort":"S3CRET-1"}`,
		"PASSWORD=S3CRET-1", "api_key: 'S3CRET-1'", "using token = S3CRET-1 now", "{'password': 'S3CRET-1'}", `password="S3CRET-1"`,
	} {
		got := unkeyed.RedactText(line)
		if strings.Contains(got, "S3CRET") || len(got) != len(line) {
			t.Errorf("%s\nof   %s", got, line)
		}
		if json.Valid([]byte(line)) != json.Valid([]byte(got)) {
			t.Errorf("%s is JSON no more: %s", line, got)
		}
		for _, kept := range []string{" and more", "they say", "x=y", `"x":"y"`, "@h", " now"} {
			if strings.Contains(line, kept) && !strings.Contains(got, kept) {
				t.Errorf("%q is gone from %s", kept, got)
			}
		}
	}
}

func TestRedactLeavesOrdinaryTextAlone(t *testing.T) {
	for _, line := range []string{
		`{"progressToken":"belay-7","token":"x","maxTokens":100,"nextPageToken":"abc123-4","tokens":["a1b2c3d4"]}`,
		`{"text":"the password must have 12 characters; a token: optional, secret: unexpected_eof"}`,
		`{"text":"set password=","b":"plain"}`, `{"text":"{\"t\":\"set token=\",\"b\":\"plain\"}"}`, `{"text":"token:","b":"abc-123-def"}`,
		`{"inputSchema":{"type":"object","properties":{"password":{"type":"string","title":"Password"},"token":{"type":["string","null"]}},"required":["password"]}}`,
		`{"text":"{\"secret\":{\"type\":\"string\",\"description\":\"a secret\"}}"}`,
		`{"password":true,"secret":false,"token":null,"cookie":{}}`, `{"text":"a basic understanding of bearer authentication"}`, `{"key":"abc-123-def","keyword":"abc-123-def","monkey":"abc-123-def"}`,
		`{"uri":"https://example.com:8080/mcp?page=2&limit=10","mail":"mailto:a@b.example","ssh":"ssh://git@h/p"}`,
		`{"text":"at 12:30: key: value, session: 123456, sid: abc-1234"}`, `{"token":"ethereum"}`,
		"Error: invalid token: end of file at 12:30:11", "secretary: Jane-2 Doe", "authorization: user lacks 3 scopes",
	} {
		if got := unkeyed.RedactText(line); got != line {
			t.Errorf("%s\nwant %s", got, line)
		}
	}
}

// What is known is masked however it is spelt, in messages and outside of them;
// a message stays one, with the same members.
func TestAMaskKnowsValues(t *testing.T) {
	for _, secret := range []string{"hunter-22", `a"b\c/d<e>&é€😀'+`, "postgres://u:p@h/x?y=z", "line one\nline two", "nabcdef", "00e9ab", `ends in \`, "öööö"} {
		mask := unkeyed.With(values(secret, "four")...)
		nested := secret
		for level := range nestings {
			for name, spelt := range map[string]func(string) string{"html": quoteHTML, "plain": quotePlain, "ascii": quoteASCII, "slash": quoteSlash} {
				line := `{"jsonrpc":"2.0","method":"x","params":{"text":` + spelt("\né "+nested+` four\`) + `,"` + "a" + `":1}}`
				got := mask.RedactText(line)
				if !json.Valid([]byte(line)) || !json.Valid([]byte(got)) || len(got) != len(line) {
					t.Fatalf("%s, %d: %s from %s", name, level, got, line)
				}
				plain := got
				for range nestings + 1 {
					if strings.Contains(plain, secret) {
						t.Errorf("%s, %d: %q is in %s", name, level, secret, got)
					}
					plain = string(inJSON.unescaped([]byte(plain)))
				}
				if !strings.Contains(got, " four") {
					t.Errorf("more is gone from %s", got)
				}
			}
			if nested = quoteHTML(nested); level == nestings-2 {
				break
			}
		}
		for _, line := range []string{"oops: " + secret, "%7B" + url.QueryEscape(secret) + "&x", `{"broken":` + secret, "[log] " + secret + "!"} {
			if got := mask.RedactText(line); len(got) != len(line) || !strings.Contains(got, "******") || strings.Contains(got, secret) {
				t.Errorf("%s, from %s", got, line)
			}
		}
	}
	mask := unkeyed.With(values("12345678", "method", "params")...)
	line := `{"jsonrpc":"2.0","id":12345678,"method":"method","params":{"message":"a 12345678","12345678":"params"}}`
	got, want := mask.RedactText(line), `{"jsonrpc":"2.0","id":12345678,"method":"`+mask.fingerprint([]byte("method"))[:6]+`","params":{"message":"a ********","`+mask.fingerprint([]byte("12345678"))+`":"******"}}`
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for _, line := range []string{ // a value may stand as an ID
		`{"jsonrpc":"2.0","id":"12345678","method":"ping"}`, `{"jsonrpc":"2.0","id":12345678,"error":{"code":12345678}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345678}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"12345678","progress":12345678}}`,
		`{"jsonrpc":"2.0","method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"12345678"}}}`,
	} {
		if got := mask.RedactText(line); got != line {
			t.Errorf("%s, from %s", got, line)
		}
		free := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":` + line + `}}`
		if got := mask.RedactText(free); strings.Contains(got, "12345678") || len(got) != len(free) {
			t.Errorf("%s, from %s", got, free)
		}
	}
	more := mask.With(values("another-one")...)
	if mask.RedactText("another-one") != "another-one" || more.RedactText("another-one 12345678") != "*********** ********" || more.With(values("another-one")...) != more {
		t.Error("a mask was changed, or knows not what it should")
	}
	if a, b := more.RedactMember("id", "12345678-a"), string(more.With(values("87654321")...).RedactToken("id", []byte(`"87654321-a"`))); a == b || strings.Contains(a+b, "12345678") || strings.Contains(a+b, "87654321") {
		t.Errorf("IDs: %s, %s", a, b)
	}
	if a, b := NewMask("a").With(mask.values...).RedactText(line), NewMask("b").With(mask.values...).RedactText(line); a == b {
		t.Errorf("what stands for an identifier can be tried out: %s", a)
	}
	var none *Mask
	if none.RedactText(`{"password":"x"}`) != `{"password":"x"}` {
		t.Error("no mask hides something")
	}
}

// values are values without names.
func values(texts ...string) (all []Value) {
	for _, text := range texts {
		all = append(all, Value{Text: text})
	}
	return all
}

func quoteHTML(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

func quotePlain(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

// quoteASCII escapes all that some libraries do.
func quoteASCII(text string) string {
	var b strings.Builder
	for _, r := range quotePlain(text) {
		if r < 0x7f && !strings.ContainsRune("<>&'+", r) {
			b.WriteRune(r)
			continue
		}
		for _, half := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04X`, half)
		}
	}
	return b.String()
}

func quoteSlash(text string) string { return strings.ReplaceAll(quotePlain(text), "/", `\/`) }

// fuzzedBytes bounds what a fuzzer tries. The engine makes every input short that
// reaches something new, by about as many tries as the square of its length: long
// ones keep it busy for a minute each, in which nothing else is tried.
const fuzzedBytes = 160

// A message stays one, whatever is masked in it.
func FuzzRedact(f *testing.F) {
	f.Add(`{"id":"S3CRET-1","a":["password=\"x\"",{"secret":{"b":"c"}}],"t":"\u00e9 S3CRET-1\\"}`, "S3CRET-1")
	f.Add(`{"t":"password=","b":"x"}`, `b":"x`)
	f.Add(`[{"value":12345678,"name":"API_KEY"},"&lt;&#x3c; \"key\":\"PIN\",\"value\":1"]`, "12345678")
	f.Add(`{"t":"{\"token\":\"a1b2c3d4\",\"secret\":[\"x\"]}"}`, "u00e9abc")
	f.Fuzz(func(t *testing.T, line, secret string) {
		if len(line)+len(secret) > fuzzedBytes {
			return
		}
		got := unkeyed.With(Value{Name: "a", Text: secret}).RedactText(line)
		if len(got) != len(line) {
			t.Fatalf("%q has another length than %q", got, line)
		}
		if (strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[")) && json.Valid([]byte(line)) && !json.Valid([]byte(got)) {
			t.Errorf("%q is a message no more: %q", line, got)
		}
	})
}

// BenchmarkRedact is what a mask costs that knows the values of an environment:
// a message of a flood in which nothing is secret, one with escapes, one with an
// address, and one that holds a value.
func BenchmarkRedact(b *testing.B) {
	var given []Value
	for i := range 40 {
		given = append(given, Value{fmt.Sprintf("VARIABLE_%d", i), fmt.Sprintf("value-%d-%x", i*i, i*7919)}, Value{fmt.Sprintf("SHORT_%d", i), fmt.Sprint(i)})
	}
	mask := unkeyed.With(given...)
	for name, line := range map[string]string{
		"progress": `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-7","progress":17,"total":1000000000,"message":"compiling package number 17 of very many packages"}}`,
		"escapes":  `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a line of a log,\nas \"servers\" write them by the thousand"}}`,
		"address":  `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///srv/data/file-0001.txt"}}`,
		"value":    `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"it is value-400-26aac"}}`,
		"stderr":   `2026-11-21 12:01:06 INFO server: listening on port 3000`,
	} {
		b.Run(name, func(b *testing.B) {
			line := []byte(line)
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				mask.Redact(line)
			}
		})
	}
}
