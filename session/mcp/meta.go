package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// The user may write a _meta of the request's own. Its keys are a name, and before it, with a
// slash between, the domain of whoever defines it, backwards: "com.example/trace" (BASE-23 …
// BASE-25; basic).

// CheckMeta says why a _meta of the user's cannot be sent, and what is odd about
// one that can: a prefix that belongs to the protocol, or is no domain written
// backwards. Both may hold the user's text.
func CheckMeta(rev Revision, meta []byte) (odd []string, err error) {
	meta = bytes.TrimSpace(meta)
	if rawjson.Kind(meta) != '{' {
		return nil, errors.New(`an object, such as {"com.example/key":1}`)
	}
	if err := CheckObject(meta); err != nil {
		return nil, err
	}
	for m := rawjson.MembersOf(meta); ; {
		name, _, ok := m.Next()
		if !ok {
			return odd, nil
		}
		key := string(name)
		prefix, fault := splitKey(key)
		switch {
		case fault != "":
			return nil, fmt.Errorf("the key %s %s", sentence.Quoted(sentence.Clip(key)), fault)
		case prefix == nil:
		case isReservedPrefix(rev, prefix):
			odd = append(odd, "reserved prefix: "+strings.Join(prefix, "."))
		case rev >= Rev20251125 && !backwards(prefix):
			odd = append(odd, "no reverse DNS: "+strings.Join(prefix, "."))
		}
	}
}

// splitKey takes a key apart, and says what is wrong with it.
func splitKey(key string) (prefix []string, fault string) {
	name := key
	if before, after, ok := strings.Cut(key, "/"); ok {
		prefix, name = strings.Split(before, "."), after
	}
	for _, label := range prefix {
		if !edges(label, isLetter, isAlphanumeric) || !isOnlyOf(label, "-") {
			return nil, "has a prefix that is no labels with dots between them"
		}
	}
	if name != "" && (!edges(name, isAlphanumeric, isAlphanumeric) || !isOnlyOf(name, "-_.")) {
		return nil, "has a name that is not letters and digits, with - _ . between them"
	}
	return prefix, ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlphanumeric(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' }

// edges reports whether text begins and ends as it may.
func edges(text string, first, last func(byte) bool) bool {
	return text != "" && first(text[0]) && last(text[len(text)-1])
}

// isOnlyOf reports whether text is of letters, digits and others.
func isOnlyOf(text, others string) bool {
	for i := range len(text) {
		if !isAlphanumeric(text[i]) && strings.IndexByte(others, text[i]) < 0 {
			return false
		}
	}
	return true
}

// isReservedPrefix reports whether a prefix belongs to the protocol. In 2025-06-18
// the label may stand anywhere but at the end, since then it is the second one.
func isReservedPrefix(rev Revision, prefix []string) bool {
	for i, label := range prefix {
		if l := strings.ToLower(label); l != "mcp" && l != "modelcontextprotocol" {
			continue
		}
		if rev >= Rev20251125 && i == 1 || rev < Rev20251125 && i < len(prefix)-1 {
			return true
		}
	}
	return false
}

// topLabels are top-level domains of more than two letters that people use: a
// prefix that begins with none of them is no domain written backwards.
var topLabels = map[string]bool{
	"com": true, "org": true, "net": true, "edu": true, "gov": true, "mil": true, "int": true, "arpa": true, "info": true, "biz": true,
	"dev": true, "app": true, "cloud": true, "name": true, "pro": true, "page": true, "tech": true, "online": true, "xyz": true,
	"site": true, "run": true, "software": true, "systems": true, "tools": true, "test": true, "local": true, "internal": true,
}

// backwards reports whether a prefix looks like a domain that is written backwards.
func backwards(prefix []string) bool {
	top := strings.ToLower(prefix[0])
	return len(prefix) > 1 && (len(top) == 2 || topLabels[top])
}

// WithMeta puts a _meta into parameters, JSON objects both, in the place of one
// that is there.
func WithMeta(params, meta []byte) []byte {
	params = rawjson.Without(params, "_meta")
	if len(params) == 0 {
		params = []byte("{}")
	}
	return append(rawjson.AppendMember(rawjson.Unclosed(params), []byte(`"_meta"`), meta), '}')
}
