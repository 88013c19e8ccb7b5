package secret

import (
	"encoding/json"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// Each cookie of a header is masked, up to the end of its line or of its string, and nothing behind
// that is.
func TestEachCookieOfAHeaderIsMasked(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	for line, want := range map[string]string{
		`Cookie: sid=abc-123; lang=en`:                                   `Cookie: *********************`,
		"cookie: a=1; b=\"x y\"; c=3\nAccept: x":                         "cookie: *******************\nAccept: x",
		"Set-Cookie: a=1; Path=/; HttpOnly; d=4\r\nVary: b":              "Set-Cookie: **************************\r\nVary: b",
		`cookie:a=1;c=3`:                                                 `cookie:*******`,
		`> cookie: a=it's; c=3`:                                          `> cookie: ***********`,
		`curl -H 'Cookie: a=1; b="x y"; c=3' https://h/p`:                `curl -H 'Cookie: *******************' https://h/p`,
		`curl -H "cookie: a=1; b=\"x y\"; c=3" https://h/p`:              `curl -H "cookie: *********************" https://h/p`,
		`curl -H "Cookie: a=it's; c=" -v`:                                `curl -H "Cookie: ***********" -v`,
		`{"text":"cookie: a=1; b=\"x y\"; c=3","next":"a cookie: here"}`: `{"text":"cookie: *********************","next":"a cookie: here"}`,
		`{"text":"Cookie: a=1; c=3\nAccept: x=1; y","n":1}`:              `{"text":"Cookie: ********\nAccept: x=1; y","n":1}`,
		`{"text":"{\"h\":\"Cookie: a=1; c=3\",\"n\":\"v=1; w\"}"}`:       `{"text":"{\"h\":\"Cookie: ********\",\"n\":\"v=1; w\"}"}`,
		`{"text":"{\"h\":\"GET / Cookie: a=1; c=3\",\"n\":\"v=1; w\"}"}`: `{"text":"{\"h\":\"GET / Cookie: ********\",\"n\":\"v=1; w\"}"}`,
		`{"text":"{\"h\":\"X: 1 Cookie: a=1; c=3\\nAccept: x=1\"}"}`:     `{"text":"{\"h\":\"X: 1 Cookie: ********\\nAccept: x=1\"}"}`,
		`{"text":"{\"h\":\"Cookie: a=1; b=\\\"x y\\\"; c=3\",\"n\":2}"}`: `{"text":"{\"h\":\"Cookie: ***********************\",\"n\":2}"}`,
		`["Set-Cookie: a=\/x; c=3","Path: b=2"]`:                         `["Set-Cookie: **********","Path: b=2"]`,
		`["Cookie: a=","b=2; c"]`:                                        `["Cookie: **","b=2; c"]`,
		"Cookie: a=\"open\nAccept: \"x\"":                                "Cookie: *******\nAccept: \"x\"",
		// What only speaks of cookies.
		`a cookie: the name=value pair that is set; see RFC 6265`: `a cookie: the name=value pair that is set; see RFC 6265`,
		`{"text":"the cookie is a=1; c=3","cookies":[]}`:          `{"text":"the cookie is a=1; c=3","cookies":[]}`,
		`{"text":"Cookie:","b":"x=1; y=2"}`:                       `{"text":"Cookie:","b":"x=1; y=2"}`,
		`cookie jar: a=1; c=3`:                                    `cookie jar: a=1; c=3`,
	} {
		got := unkeyed.RedactText(line)
		if squeezed(got) != squeezed(want) || len(got) != len(line) {
			t.Errorf("%s\nwant %s", got, want)
		}
		if json.Valid([]byte(line)) != json.Valid([]byte(got)) {
			t.Errorf("%s is JSON no more: %s", line, got)
		}
	}
}

// squeezed has one asterisk for several: how long a mask is stands elsewhere.
func squeezed(text string) string {
	for strings.Contains(text, "**") {
		text = strings.ReplaceAll(text, "**", "*")
	}
	return text
}

// A line may hold a header of cookies in each of its pairs: its pairs are read once.
func TestHeadersOfCookiesWithinOneAnother(t *testing.T) {
	text := []byte(strings.Repeat("cookie: a=", 1000))
	r := unkeyed.newReader(text)
	before := r.steps
	r.likely()
	if spent := before - r.steps; spent == 0 || spent > len(text) {
		t.Errorf("%d bytes were read of %d", spent, len(text))
	}
}
