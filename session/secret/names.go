package secret

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// IsName reports whether a name is that of a secret: of a field that a form must not ask for
// (ELI-20, ELI-21; client/elicitation), and of a value that a recording must not hold (LOG-13;
// server/utilities/logging). Case does not matter, nor what joins the words of a name, nor whether
// it is encoded as in an address. There is one list for both: what a form warns of is masked.
func IsName(name string) bool {
	words := wordsOf(name)
	for i := range words {
		for n := 1; n <= longestTerm && i+n <= len(words); n++ {
			if isTerm(words[:i], words[i:i+n], words[i+n:]) {
				return true
			}
		}
	}
	return false
}

// IsNameInAddress reports whether a parameter of an address holds a secret. Some
// names mean one there, and something harmless elsewhere.
func IsNameInAddress(name string) bool {
	return IsName(name) || slices.Contains(addressTerms, strings.Join(wordsOf(name), ""))
}

// IsNameOfHeader reports whether a header field of HTTP lets in whoever has its value,
// as a session does.
func IsNameOfHeader(name string) bool {
	words := wordsOf(name)
	if len(words) > 1 && words[0] == "x" {
		words = words[1:]
	}
	if n := len(words); n > 1 && words[n-1] == "key" && !slices.Contains(openKeys, words[n-2]) {
		return true
	}
	for n := 1; n <= min(2, len(words)); n++ {
		if slices.Contains(fieldTerms, strings.Join(words[len(words)-n:], "")) {
			return true
		}
	}
	return IsName(name) || slices.Contains(addressTerms, strings.Join(words, ""))
}

// longestTerm is the most words that a term is written in: mot_de_passe.
const longestTerm = 3

// The terms are those of English, and the words for password in the languages that
// forms are most often written in. Out of scope are inflected forms (but for Russian's),
// words that mean something ordinary elsewhere (parola is a word in Italian, parole in
// English, and 암호 is any cipher), and spellings that only look like a term: Cyrillic
// letters in a Latin word, or figures for letters.
var (
	// anyTerms mean a secret wherever in a word they stand: passwordRepeat,
	// oldpassword2.
	anyTerms = []string{
		"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "motdepasse", "contraseña", "contrasena", "contrasenya", "wachtwoord",
		"парол", "лозинка", "κωδικόςπρόσβασης", "密码", "密碼", "口令", "パスワード", "パスフレーズ", "暗証番号", "비밀번호", "패스워드", "รหัสผ่าน", "पासवर्ड", "סיסמה", "סיסמא",
		"كلمةالمرور", "كلمةالسر", "رمزعبور",
		"apikey", "accesskey", "secretkey", "privatekey", "privkey", "sshkey", "signingkey", "encryptionkey", "masterkey", "accountkey", "subscriptionkey", "sharedkey",
		"credential", "connectionstring", "seedphrase", "recoveryphrase", "walletseed", "seedwords", "cardnumber", "creditcard", "debitcard", "kartennummer",
		"securitycode", "socialsecurity", "accountnumber",
	}
	// endTerms mean one at the end of a word: authtoken, and not tokenizer.
	endTerms = []string{
		"secret", "secrets", "token", "accesstokens", "refreshtokens", "apitokens", "authtokens", "sessiontokens", "pwd", "cookie", "cookies",
		"authkey", "bearer", "jwt", "authorization", "mnemonic", "totp", "geheimnis",
		"palavrapasse", "hasło", "haslo", "heslo", "geslo", "jelszó", "jelszo", "salasana", "lösenord", "losenord", "passord", "adgangskode", "lozinka", "şifre", "sifre",
		"mậtkhẩu", "matkhau", "katasandi",
	}
	// wordTerms mean one only as words of their own, at the end of a name: pin, and
	// neither spinner nor pinned nor pinMessage.
	wordTerms = []string{"pin", "otp", "cvv", "cvc", "csc", "ssn", "iban", "mfa", "puk", "pass", "senha", "cardno", "cardnr", "cardnum", "ccno", "ccnr", "ccnum", "ccnumber", "pan"}
	// addressTerms mean one in the query of an address.
	addressTerms = []string{"key", "sig", "signature", "auth", "sid", "sessionid"}
	// fieldTerms end the name of a header field with one.
	fieldTerms = []string{"session", "sessionid", "sessionkey", "auth", "authentication", "signature"}
	// openKeys are the last words but Key of the fields that name a thing or a place by
	// one. Any other field that ends in Key is taken for one that lets somebody in.
	openKeys = []string{"", "idempotency", "deduplication", "partition", "routing", "ordering", "sort", "cache", "surrogate", "public", "socket", "message", "object", "primary", "foreign"}
)

var (
	// panWords may stand before pan, which is also what a camera does.
	panWords = []string{"card", "cc", "credit", "debit", "payment", "customer", "user", "the", "my", "your"}
	// valueWords may follow one of the wordTerms: pinCode.
	valueWords = []string{"code", "number", "no", "num", "nr", "value", "confirm", "confirmation", "repeat", "again"}
	// aboutWords follow the name of what is no secret, but says something about one:
	// password_policy, tokenCount.
	aboutWords = []string{
		"type", "types", "count", "counts", "limit", "limits", "length", "len", "max", "min", "policy", "policies", "hint", "hints", "url", "uri", "endpoint",
		"expiry", "expires", "expiration", "ttl", "age", "format", "kind", "strength", "rule", "rules", "required", "enabled", "disabled", "supported", "usage",
		"budget", "status", "state", "label", "placeholder", "lifetime", "timeout", "version", "algorithm", "alg", "manager", "provider", "rotation", "consent",
		"domain", "path", "set", "valid", "changed", "window", "size", "index", "position", "less",
	}
	// askWords begin the name of a question, and of a number: hasPassword, max_token.
	askWords = []string{
		"is", "has", "have", "no", "show", "hide", "require", "requires", "required", "allow", "allows", "allowed", "use", "uses", "with", "without",
		"enable", "disable", "needs", "forgot", "max", "min", "num", "total", "count", "gpio", "boarding",
	}
	// placeWords make of a token a place in a list or a text.
	placeWords = []string{
		"progress", "page", "next", "previous", "prev", "continuation", "sync", "cursor", "resume", "eos", "bos", "pad", "unk", "sep", "cls", "mask", "stop",
		"special",
	}
)

// isTerm reports whether words hold a term, which begins in the first and ends in
// the last of them, and with the words before and behind them are the name of a
// secret.
func isTerm(before, words, behind []string) bool {
	if slices.ContainsFunc(behind, in(aboutWords)) || len(before) > 0 && slices.Contains(askWords, before[len(before)-1]) {
		return false
	}
	term, first, last := strings.Join(words, ""), len(words[0]), len(words[len(words)-1])
	if term == "pan" && len(before) > 0 && !slices.Contains(panWords, before[len(before)-1]) {
		return false
	}
	if slices.Contains(wordTerms, term) {
		return !slices.ContainsFunc(behind, func(w string) bool { return !slices.Contains(valueWords, w) })
	}
	for _, t := range anyTerms {
		at := strings.Index(term, t)
		if end := at + len(t); at >= 0 && at < first && end > len(term)-last && !slices.Contains(aboutWords, term[end:]) {
			return true
		}
	}
	for _, t := range endTerms {
		rest, ok := strings.CutSuffix(term, t)
		if !ok || len(rest) >= first {
			continue
		}
		rest = strings.Join(before, "") + rest
		if t != "token" || !slices.ContainsFunc(placeWords, func(w string) bool { return strings.HasSuffix(rest, w) }) {
			return true
		}
	}
	return false
}

func in(list []string) func(string) bool {
	return func(w string) bool { return slices.Contains(list, w) }
}

// longestName bounds what is read of a name, in bytes.
const longestName = 128

// wordsOf are the words of a name in lower case, without the numbers behind them:
// of apiKey2, API_KEY and api-key they are the same.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if w := strings.TrimRight(strings.ToLower(string(word)), "0123456789"); w != "" {
			words = append(words, w)
		}
		word = word[:0]
	}
	name = decodedName(name)
	runes := []rune(norm.NFKC.String(name[:min(len(name), longestName)])) // ｐｉｎ is pin, and an accent may be a rune of its own
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end()
			continue
		case i == 0 || !unicode.IsUpper(r):
		case !unicode.IsUpper(runes[i-1]), i+1 < len(runes) && unicode.IsLower(runes[i+1]): // apiKey, APIKey
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}
