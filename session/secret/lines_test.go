package secret

import (
	"encoding/json"
	"html"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// masksMarked fails where a text, by itself or within JSON, shows anything of what is marked in
// it or hides anything else.
func masksMarked(t *testing.T, marked ...string) {
	t.Helper()
	inside := func(text string) string { text = quotePlain(text); return text[1 : len(text)-1] }
	for _, marked := range marked {
		for how, form := range map[string]struct {
			begin, end string
			of         func(string) string
		}{
			"as a text": {"", "", func(text string) string { return text }},
			"as a log":  {`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"`, `"}}`, inside},
			"in JSON in a text": {`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"a\":\"`, `\",\"b\":\"c d\"}"}]}}`, func(text string) string {
				return inside(inside(text))
			}},
		} {
			text, want := form.begin, form.begin
			for rest := marked; rest != ""; {
				before, secret, isMarked := strings.Cut(rest, "«")
				secret, rest, _ = strings.Cut(secret, "»")
				if text, want = text+form.of(before), want+form.of(before); !isMarked {
					break
				}
				text, want = text+form.of(secret), want+strings.Repeat("*", len(form.of(secret)))
			}
			text, want = text+form.end, want+form.end
			if got := unkeyed.RedactText(text); got != want {
				t.Errorf("%s, %s:\nis   %s\nwant %s", marked, how, got, want)
			}
			if got := unkeyed.RedactText(text); json.Valid([]byte(text)) != json.Valid([]byte(got)) {
				t.Errorf("%s, %s: JSON no more: %s", marked, how, got)
			}
		}
	}
}

// What a name has that begins a line or a string is masked, whatever it is made of: one word of
// any name, and of a header or a phrase all of it.
func TestAValueBehindANameThatBeginsALine(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksMarked(
		t,
		"password: «qwertzui»", "password: «Qab12»", "apiKey: «QW!9»", "PIN: «12»", "password:«x»", "secret: «qwertzuiopas»", "token: «abcdefghijklmnopqrstuvwxyz»",
		"db:\n  password: «qwertzui»\n  host: h", "users:\n- password: «qwertzui»\n  name: n", "- - secret: «a,b;c&d<e»\r\n", "\tpassword: «qwertzui»\t\nx", "# password: «qwertzui»",
		"> X-Auth-Token: «Qa1»\n> Accept: x", "< token: «Qa1»", "* password: «qwertzui»", "+  password: «qwertzui»", "password: «qwertzui» # of the test", "password: «qwertzui»   ",
		"password: «qwertzui» user: me", "password: «qwertzui» user=me", "password = «qwertzui»\nx = y", "token: \"«qwertzui»\"", "token: '«qwertzui»'", "password : «qwertzui»",
		"password: «it's-a»", `password: «a"b»`, `password: «a\b»`, "пароль: «qwertzui»", "walletSeed: «qwertzui»",

		"passphrase: «correct-horse-battery-staple»", "passphrase: «correct horse battery staple»\nx: y z", "seedPhrase: «abandon ability able»", "wallet_seed: «abandon ability able»",
		"mnemonic: «abandon ability able»\r\nx", "  recovery-phrase:  «abandon ability able» ",

		"Authorization: «qwertzuiopasdf»", "Proxy-Authorization: «qwertzuiop»\nHost: h", "Authorization: Bearer «abc»", "authorization: basic  «abc»", "Authorization: «Custom qwertzui»",
		`Authorization: Digest «username=a, response=b c»`, `Authorization: «AWS4-HMAC-SHA256 Credential=a/b, Signature=c»`, "GET / HTTP/1.1\r\nAuthorization: «qwertzui»\r\nHost: h",
		"Private-Token: «qwertzui»", "X-Api-Key: «one two three»",

		`curl -H "X-Api-Key: «qwertzuiopasdfgh»" https://h/p`, `curl -H 'X-Api-Key: «qwertzuiopasdfgh»' https://h/p`, `curl -H "X-Api-Key:«a»" -H "Authorization: «qwertzui»" -H "Accept: x y" -H 'Private-Token: «b c»' -v`,
		`curl -H 'X-Api-Key: «it'\''s a»' -v`, `curl -H 'X-Api-Key: «it'"'"'s a»' -v`, `curl -H "X-Api-Key: «a\"b»" -v`, `["X-Api-Key: «qwertzui»","Accept: x"]`, `{'h': 'password: «qwertzui»', 'b': 1}`,
		`{"h":"password: «qwertzui»","b":"c d"}`, `("password: «qwertzui»")`, `h="seedPhrase: «a b c»"; x`,
	)
}

// A header is none of the words of a sentence, wherever it stands.
func TestAValueBehindTheNameOfAHeader(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksMarked(
		t,
		"sent X-Api-Key: «qwertzui» to h", "got (Private-Token: «abc»), it said", "with X-CSRF-Token: «qwertzui», and Accept: x", "headers Proxy-Authorization: «qwertzui»",
		"headers Proxy-Authorization: Bearer «qwertzui» were sent", "map[X-Auth-Token:«Qa1» Accept:x]",
	)
}

// Sentences stay, and so do names without a value and the words of other lines.
func TestSentencesAboutSecretsStay(t *testing.T) {
	masksMarked(
		t,
		"Password: enter the one that you chose", "password: at least eight characters", "Token: see the page of your account.", "- secret: what nobody knows", "secret: unexpected end of file",
		"authorization: user lacks some scopes", "the password: required", "a secret: qwertzui", "say the token: optional", "the authorization: denied", "Enter your password: please",
		"password:", "password:\n  next: line", "password: \nx", "secret: |\n  text", "password: >-\n  x", "tokens: many", "maxTokens: five", "password_policy: strict", "author: me", "progressToken: x", "nextPageToken: abc",
		"well-known: yes", "primary-key: id", "x-request-id: abc", "seed: forty", "random-seed: forty", "a phrase: word", "it's password: done now", "key: value",
	)
}

// A flag has its value in the word behind it, in a line and in a list.
func TestAValueBehindAFlag(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksMarked(
		t,
		"x --password «hunterZZ9»", "x --password «Qa1» -v", "x --password '«qwert zui»' y", `x --password "«qwertzui»"`, "mysql --password «qwertzui» --host h", "x -password «a1»", "x --api-key «a-1» y",
		`["x","--password","«hunterYY9»"]`, `["--password", "«qwertzui»", "-v"]`, `['--token', '«qwertzui»']`, "[\"--secret\",\n  \"«two words»\"]", "x --pin «1234»", "`x --password «a1b»`", "[x --password «a1b»]",
		"curl -u me:«qwertzui» https://h", "curl --user me:«p:w» h", "curl -u 'me:«two words»' h", `curl --user="me:«qwertzui»" h`, "curl --user=me:«x» h", `["curl","-u","me:«qwertzui»","h"]`, "curl --proxy-user me:«x» h",
		"curl -b '«a=1; b=2»' h", `curl --cookie "«a=1; b=2»" h`, `curl --cookie='«a=1; b=2»' h`, `["-b","«a=1; b=2»"]`, "curl -b «a=1» h",
	)
}

// What only speaks of a flag stays, and so does one that has no value.
func TestSentencesAboutFlagsStay(t *testing.T) {
	masksMarked(
		t,
		"use --password to set it", "use --token or --password instead", "--password PASSWORD  The password to use.", "[--token TOKEN] [--user USER]", "--password <password>", "--token=", "--token ${TOKEN} x",
		"--password, -p", "the --secret flag; --cookie is another", "`--token` is needed", `["--password","--verbose"]`, "x --password -v", "x --password", `["--password"]`, "--no-password x1", "--token (required)", "max-token x1",
		"docker run -u 1000:1000 x", "docker run --user 1000:1000 x", "x -u https://h/p", "git push -u origin main", "x -u me: y", "x -u :y", "sort -u file:", "--user-agent a:b", "grep -b word", "x -bare a=1", "menu-u a:b", `["-u","-v"]`,
	)
}

// Cookies are masked by whatever name a program gives to their header.
func TestCookiesByOtherNames(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksMarked(
		t,
		"HTTP_COOKIE=«a=1; b=2»\nHOME=x", "X-Cookie: «a=1; b=2»", "Cookies: «a=1; b=2»\nx", "Cookie2: «a=1; b=2»", "got X-Forwarded-Cookie: «a=1; b=2»", "Cookie: «qwertzui»",
		"GET /x?cookie=«a=b»&c=d HTTP/1.1", "cookies: one or more", "a cookie=«abc»; path=/",
	)
}

// A value in HTML is one as well.
func TestALineInMarkup(t *testing.T) {
	for text, want := range map[string]string{
		`-H "X-Api-Key: qwertzui" x`: `-H &#34;X-Api-Key: ********&#34; x`,
	} {
		if got := unkeyed.RedactText(html.EscapeString(text)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A line may hold names in each of its values: it is read a few times at most.
func TestLinesOfNamesAreReadOnce(t *testing.T) {
	for _, part := range []string{
		"X-Api-Key: ", "x-api-key:", `"x-api-key: `, `'x-api-key: `, `\"x-api-key: `, "passphrase: a ", "\npassphrase: a b", "\npassword: ", "--password ", `"--password",`, "-u a:", `"-u","a:`, "--cookie '", "- - - password: ",
		"password=", "password=a,", "password=x;b=", "?password=a", "&password=a", "password=\x1b[0m", "\x1b[31mpassword\x1b[0m=", "**password:** ", "password:= ", "[password] => ",
	} {
		text := []byte(strings.Repeat(part, 1<<10))
		r := unkeyed.newReader(text)
		before := r.steps
		r.likely()
		if spent := before - r.steps; spent > 3*len(text) {
			t.Errorf("%d bytes were read of the %d of %q", spent, len(text), part)
		}
	}
	r := unkeyed.newReader([]byte("passphrase: " + strings.Repeat("x y ", 1<<10)))
	before := r.steps
	r.likely()
	if spent := before - r.steps; spent < 1<<12-1 {
		t.Errorf("%d steps are counted of those through a long line", spent)
	}
}
