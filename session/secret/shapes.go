package secret

import (
	"bytes"
	"regexp"

	"belay/session/rawjson"
)

// shape is what a credential looks like, as regular expressions. The last group of is is the
// secret itself. Hints are words of which each match contains one: a search for them first is
// cheap, and mostly finds nothing.
type shape struct {
	hints []string
	is    string
	isNot string // what it matches, and what is none; empty: all of it is
}

// shapes are those of well-known credentials.
var shapes = [...]shape{
	{[]string{"sk-"}, `\b(sk-[A-Za-z0-9_-]{16,})`, ""},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, `\b(gh[pousr]_[A-Za-z0-9]{20,})`, ""},
	{[]string{"github_pat_"}, `\b(github_pat_[A-Za-z0-9_]{20,})`, ""},
	{[]string{"npm_"}, `\b(npm_[A-Za-z0-9]{30,})`, ""},
	{[]string{"glpat-"}, `\b(glpat-[A-Za-z0-9_-]{16,})`, ""},
	{[]string{"xox"}, `\b(xox[abeoprs]-[A-Za-z0-9-]{10,})`, ""},
	{[]string{"akia", "asia"}, `\b((?:AKIA|ASIA)[A-Z0-9]{16})\b`, ""},
	{[]string{"aiza"}, `\b(AIza[A-Za-z0-9_-]{35})`, ""},
	{[]string{"eyj"}, `\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`, ""},
	{[]string{"bearer", "basic"}, `(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`, `^[A-Z]?[a-z]+\.?$`},
	{[]string{"://", `:\/`}, `:(?:\\*/){2}[^\s/?#@:"'<>\\]*:([^\s/?#@"'<>\\]+)@`, ""},
	{[]string{"private key--"}, `PRIVATE KEY-----([^-"]{16,})(?:-----END|$)`, ""},
}

// patterns are what masks look with. To make them takes longer than all else that
// belay does before its first frame, so that they come with the first mask, which
// only a recording needs.
type patterns struct {
	shapes  [len(shapes)]compiled
	shapeOf map[string]int // of a hint; a hint of a name has none
	likely  *finder        // of the hints of all shapes and names in one go

	everyday, number *regexp.Regexp
	groups           *regexp.Regexp // a number in groups, as that of a card or an account is written

	schemaType *regexp.Regexp // what stands behind the name "type" in a JSON Schema
	ownID      *regexp.Regexp // what IDs look like that belay has made

	brokenEscape *regexp.Regexp // what is left at a cut of an escape, of any kind, or of a character

	// What begins otherwise is of another kind: an address has a scheme, and what
	// wants no answer is called so.
	scheme, notification *regexp.Regexp
}

// compiled is a shape, ready to be looked for.
type compiled struct{ is, isNot *regexp.Regexp }

func newPatterns() *patterns {
	p := &patterns{
		shapeOf:      map[string]int{},
		everyday:     regexp.MustCompile(`^\p{L}+(?:[-_./:]+\p{L}+)*[.!?…:]*$`),
		number:       regexp.MustCompile(`^[0-9.,:+-]+$`),
		groups:       regexp.MustCompile(`^(?:[A-Z]{2}[0-9]{2}(?:[ -][0-9A-Z]{2,4})+|[0-9]{2,6}(?:[ -][0-9]{2,6})+)\b`),
		schemaType:   regexp.MustCompile(`^\s*:\s*\[?\s*\\*"(?:string|number|integer|boolean|object|array|null)\\*"`),
		ownID:        regexp.MustCompile(`^(?:belay-)?[0-9]{1,19}$`),
		brokenEscape: regexp.MustCompile(`(?:\\+(?:u[0-9A-Fa-f]{0,3}|u\{[0-9A-Fa-f]{0,6}|U[0-9A-Fa-f]{0,7}|x[0-9A-Fa-f]?|[0-3][0-7]?)?|'(?:\\+'?|"'+"?|")|%[0-9A-Fa-f]?|&(?:#?[0-9A-Za-z]*)|\x{FFFD})+$`),
		scheme:       regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:(?:\\?/){0,3}`),
		notification: regexp.MustCompile(`^notifications\\?/`),
	}
	var hints []word
	for _, h := range nameHints {
		hints = append(hints, word{text: h})
	}
	for i, s := range shapes {
		p.shapes[i].is = regexp.MustCompile(s.is)
		if s.isNot != "" {
			p.shapes[i].isNot = regexp.MustCompile(s.isNot)
		}
		for _, h := range s.hints {
			p.shapeOf[h] = i
			hints = append(hints, word{text: h})
		}
	}
	p.likely = newFinder(hints...)
	return p
}

// nameHints are without which no name is that of a secret, in lower case. A finder
// does not know the cases of other letters than ASCII's: a hint leaves out what a
// capital may stand for, or has both.
var nameHints = []string{
	"pass", "pwd", "secret", "token", "key", "auth", "cookie", "credential", "bearer", "jwt", "connection", "session", "sig", "sid", "kennwort", "contrase",
	"wachtwoord", "арол", "АРОЛ", "озинка", "ОЗИНКА", "όσβασης", "密码", "密碼", "口令", "パスワ", "ﾊﾟｽﾜ", "パスフレ", "暗証番号", "비밀번호", "패스워드", "ผ่าน", "पासवर्ड", "סיסמ",
	"كلمة", "عبور", "palavra", "hasło", "hasŁo", "haslo", "heslo", "geslo", "jelsz", "salasana", "senord", "adgangskode", "lozinka", "ifre", "khau", "khẩu", "khẨu", "sandi",
	"phrase", "card", "security", "account", "karten", "ccn", "cc_", "cc-", "cc n", "pan", "mnemonic", "totp", "geheimnis", "pin", "otp", "cvv", "cvc", "csc",
	"ssn", "iban", "mfa", "puk", "senha", "seed",
	"-u ", `-u"`, `-u'`, `-u\`, "-b ", `-b"`, `-b'`, `-b\`, "-user", // flags of command lines
}

// looksRandom reports whether a value in a text can hardly be words or a number.
func (p *patterns) looksRandom(value []byte) bool {
	value = value[:min(len(value), longestWord)]
	return len(value) >= leastSecret && !p.everyday.Match(value) && !p.number.Match(value)
}

// isLiteral reports whether a value is written in JSON as it is.
func isLiteral(value string) bool {
	kind := rawjson.Kind([]byte(value))
	return (kind == '0' || kind == 't' || kind == 'f') && isJSON([]byte(value))
}

// schemaNames are names of members that an object has as a JSON Schema.
var schemaNames = map[string]bool{"type": true, "$ref": true, "enum": true, "anyOf": true, "oneOf": true}

// shuts are what stands behind a quotation mark that ends a string.
var shuts = []byte(",:}] \t\r\n")

// isOfName reports whether a byte may be part of a name: letters of any script are.
func isOfName(c byte) bool {
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

// bareEnd is bareEnd in the text, of which names may stand in one word many times over.
func (r *reader) bareEnd(at int) int {
	if at < r.word.from || r.word.to < at {
		r.word = piece{at, bareEnd(r.text, at)}
	}
	return r.word.to
}

// longestWord is how much of a value is looked at to see what it looks like, in bytes.
const longestWord = 1 << 10

// bareEnd is where a value without quotes ends.
func bareEnd(text []byte, at int) int {
	if end := bytes.IndexAny(text[at:], " \t\r\n&;,\"'<>()[]{}`\\"); end >= 0 {
		return at + end
	}
	return len(text)
}
