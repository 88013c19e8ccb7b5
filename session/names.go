package session

import (
	"strconv"
	"strings"
)

// quotedAbove is the length from which a foreign name in a sentence is quoted
// and cut.
const quotedAbove = 48

// named is a foreign name within one of belay's sentences. A name that could be
// taken for words of the sentence is quoted (SEC-23); control bytes are the
// screen's business.
func named(name string) string {
	if len(name) > 0 && len(name) <= quotedAbove && plainToken(name) {
		return name
	}
	if len(name) > quotedAbove {
		name = strings.ToValidUTF8(name[:quotedAbove], "") + "…"
	}
	return strconv.Quote(name)
}

// plainToken says whether a name is made of letters, digits and the marks that
// names of methods and tools have.
func plainToken(name string) bool {
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		case r == '_', r == '-', r == '.', r == '/', r == ':':
		default:
			return false
		}
	}
	return true
}

// name is how belay's sentences speak of a call: "#7 tools/call slow".
func (c *call) name() string {
	n := "#" + c.wire().String() + " " + named(c.Method)
	if c.target != "" {
		n += " " + named(c.target)
	}
	return n
}
