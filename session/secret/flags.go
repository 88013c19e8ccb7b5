package secret

import (
	"bytes"
	"strings"
)

// A flag of a command line has its value in the next word: --password x, in a line of a shell and
// in a list of its words. The flags are those whose name is that of a secret, and those by which
// curl and its like get an account (-u name:password) and cookies (-b name=value).

// A flag whose value is secret in part or only where it looks so.
var (
	userFlags   = words("u user proxy-user") // without their dashes
	cookieFlags = words("b")
)

// readFlag notes where the secret of a flag stands, and reports whether the name that ends before
// a place is such a flag.
func (r *reader) readFlag(n *name, from, at int) bool {
	if r.text[from] != '-' || n.end-from > longestName {
		return false
	}
	text := string(r.text[from:n.end])
	if !isFlag(text) {
		return false
	}
	begin, quote := at, ""
	switch {
	case n.quote != "":
		if quoteBefore(r.text, from) != n.quote {
			return false
		}
		begin += len(r.text[at:]) - len(bytes.TrimLeft(r.text[at:min(len(r.text), at+longestName)], space+",")) - len(r.text[min(len(r.text), at+longestName):])
		if begin, quote = quoteAt(r.text, begin); quote != n.quote {
			return false
		}
	case at < len(r.text) && r.text[at] == '=':
		begin, quote = quoteAt(r.text, at+1)
	default:
		if begin = blanks(r.text, at); begin == at {
			return false
		}
		begin, quote = quoteAt(r.text, begin)
	}
	var end int
	if quote == "" {
		end = r.valueEnd(begin, "", false)
		end = begin + len(bytes.TrimRight(r.text[begin:end], "])}`"))
	} else {
		end = closing(r.text, begin, quote)
		r.steps -= end - begin
	}
	value := r.text[begin:end]
	if quote == "" && !isIn(userFlags, text) && !isIn(cookieFlags, text) && !r.isArgument(value, end) {
		return false
	}
	at, ok := r.mask.behindFlag(text, value)
	n.value = piece{begin + at, end}
	return ok
}

// isFlag reports whether a text is a flag that has something secret.
func isFlag(text string) bool {
	return strings.HasPrefix(text, "-") && (isIn(userFlags, text) || isIn(cookieFlags, text) || len(text) <= longestName && !strings.ContainsAny(text, "= ") && IsName(text))
}

// isIn reports whether a word of a command line is one of the flags.
func isIn(flags map[string]bool, word string) bool {
	name := strings.TrimLeft(word, "-")
	return name != word && flags[name]
}

// behindFlag is from where on the word behind a flag is secret.
func (m *Mask) behindFlag(flag string, value []byte) (from int, ok bool) {
	switch {
	case len(value) == 0 || value[0] == '-':
		return 0, false
	case isIn(userFlags, flag):
		user, password, _ := bytes.Cut(value, []byte(":"))
		isAddress := bytes.HasPrefix(password, []byte("//"))
		return len(user) + 1, len(user) > 0 && len(password) > 0 && !isAddress && !m.number.Match(value) // not the numbers of a user and a group
	case isIn(cookieFlags, flag):
		return 0, beginsPair(value)
	}
	return 0, true
}

// inList masks what stands in a list behind a flag.
func (r *reading) inList(p place, from, to int) {
	n := len(r.open)
	if n == 0 || r.open[n-1].isObject {
		return
	}
	c := &r.open[n-1]
	if c.flag != "" && !p.isWord(r.mask.patterns, r.text[from:to]) {
		if at, ok := r.mask.behindFlag(c.flag, r.text[from:to]); ok {
			r.hide(piece{from + at, to}, p.identifies())
		}
	}
	c.flag = ""
	if text := r.text[from:min(to, from+longestName)]; len(text) > 1 && text[0] == '-' && isFlag(string(text)) {
		c.flag = string(text)
	}
}

// isArgument reports whether a word behind a flag is its value, and not one of a sentence about
// the flag, or what stands in place of a value where its use is described.
func (r *reader) isArgument(word []byte, end int) bool {
	if len(word) == 0 || strings.IndexByte("<[{($", word[0]) >= 0 {
		return false
	}
	plain := bytes.TrimRight(word, ",;.:!?")
	if !r.mask.everyday.Match(plain) {
		return len(plain) > 0
	}
	next := blanks(r.text, end)
	return len(plain) == len(word) && len(word) >= leastWord && next > end && next < len(r.text) && r.text[next] == '-'
}

// leastWord is longer than what stands between two flags in a sentence: and, or.
const leastWord = 4
