package secret

import (
	"bytes"
	"regexp"

	"belay/session/rawjson"
)

// shape is what a credential looks like. The last group of the expression is the
// secret itself. Hints are words without which the expression cannot match:
// looking for them first makes it cheap to find that there is nothing.
type shape struct {
	hints []string
	is    *regexp.Regexp
	isNot *regexp.Regexp // what it matches, and what is none; nil: all of it is
}

// shapes are those of well-known credentials.
var shapes = [...]shape{
	{[]string{"sk-"}, regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,})`), nil},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,})`), nil},
	{[]string{"github_pat_"}, regexp.MustCompile(`\b(github_pat_[A-Za-z0-9_]{20,})`), nil},
	{[]string{"glpat-"}, regexp.MustCompile(`\b(glpat-[A-Za-z0-9_-]{16,})`), nil},
	{[]string{"xox"}, regexp.MustCompile(`\b(xox[abeoprs]-[A-Za-z0-9-]{10,})`), nil},
	{[]string{"akia", "asia"}, regexp.MustCompile(`\b((?:AKIA|ASIA)[A-Z0-9]{16})\b`), nil},
	{[]string{"aiza"}, regexp.MustCompile(`\b(AIza[A-Za-z0-9_-]{35})`), nil},
	{[]string{"eyj"}, regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`), nil},
	{[]string{"bearer", "basic"}, regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`), regexp.MustCompile(`^[A-Z]?[a-z]+\.?$`)},
	{[]string{"://", `:\/`}, regexp.MustCompile(`:(?:\\*/){2}[^\s/?#@:"'<>\\]*:([^\s/?#@"'<>\\]+)@`), nil},
	{[]string{"private key--"}, regexp.MustCompile(`PRIVATE KEY-----([^-"]{16,})(?:-----END|$)`), nil},
}

// shapeOf is the shape of which something is a hint; a hint of a name has none.
var shapeOf = func() map[string]int {
	of := map[string]int{}
	for i, s := range shapes {
		for _, h := range s.hints {
			of[h] = i
		}
	}
	return of
}()

// nameHints are without which no name is that of a secret, in lower case.
var nameHints = []string{
	"pass", "pwd", "secret", "token", "key", "auth", "cookie", "credential", "bearer", "jwt", "connection", "session", "sig", "sid", "kennwort", "contrase",
	"wachtwoord", "ароль", "密码", "密碼", "phrase", "card", "security", "account", "karten", "mnemonic", "totp", "geheimnis", "pin", "otp", "cvv", "cvc", "csc",
	"ssn", "iban", "mfa", "puk", "senha",
}

// looksRandom reports whether a value in a text can hardly be words or a number.
func looksRandom(value []byte) bool {
	return len(value) >= leastSecret && !everyday.Match(value) && !number.Match(value)
}

// isOrdinary reports whether a value is an everyday word, or two, and its name
// none of a secret.
func isOrdinary(v Value) bool { return !Named(v.Name) && oneOrTwo.MatchString(v.Text) }

// isLiteral reports whether a value is written in JSON as it is.
func isLiteral(value string) bool {
	kind := rawjson.Kind([]byte(value))
	return (kind == '0' || kind == 't' || kind == 'f') && isJSON([]byte(value))
}

var (
	everyday = regexp.MustCompile(`^\p{L}+(?:[-_./:]+\p{L}+)*[.!?…:]*$`)
	oneOrTwo = regexp.MustCompile(`^\p{L}{1,16}(?:[-_./]\p{L}{1,16})?$`)
	number   = regexp.MustCompile(`^[0-9.,:+-]+$`)
)

// schemaNames are names of members that an object has as a JSON Schema.
var schemaNames = map[string]bool{"type": true, "$ref": true, "enum": true, "anyOf": true, "oneOf": true}

// schemaType is what stands behind the name "type" in a JSON Schema.
var schemaType = regexp.MustCompile(`^\s*:\s*\[?\s*\\*"(?:string|number|integer|boolean|object|array|null)\\*"`)

// shuts are what stands behind a quotation mark that ends a string.
var shuts = []byte(",:}] \t\r\n")

// inName reports whether a byte may be part of a name: letters of any script are.
func inName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c >= 0x80
}

func blanks(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// deepestQuote bounds the backslashes before a quotation mark: so many has one in
// JSON in JSON, five times over.
const deepestQuote = 31

// quoteAt reads a quotation mark with the backslashes before it, as it stands in
// a string of JSON within one; empty, and at, where there is none.
func quoteAt(text []byte, at int) (behind int, quote string) {
	mark := at
	for mark < len(text) && text[mark] == '\\' && mark-at < deepestQuote {
		mark++
	}
	if mark < len(text) && (text[mark] == '"' || text[mark] == '\'' && mark == at) {
		return mark + 1, string(text[at : mark+1])
	}
	return at, ""
}

// closing is where the string ends whose opening quotation mark was quote: at the
// next one with as many backslashes, or with fewer, where more ends than that.
func closing(text []byte, at int, quote string) int {
	mark, most := quote[len(quote)-1], len(quote)-1
	for ; at < len(text); at++ {
		run := at
		for run < len(text) && text[run] == '\\' {
			run++
		}
		if run == len(text) {
			break
		}
		if c := text[run]; (c == mark || c == '"') && run-at <= most {
			return at
		}
		at = run
	}
	return len(text)
}

// bareEnd is where a value without quotes ends.
func bareEnd(text []byte, at int) int {
	if end := bytes.IndexAny(text[at:], " \t\r\n&;,\"'<>()[]{}`\\"); end >= 0 {
		return at + end
	}
	return len(text)
}
