// Package sentence puts what others wrote into belay's own sentences: cut, in
// quotes, and told apart from the words around it. What a control character does
// to a terminal is not its business, but the screen's.
package sentence

import (
	"fmt"
	"strconv"
	"strings"
)

// Limit bounds what is kept of foreign text in a sentence, in bytes.
const Limit = 400

// Clip is foreign text of [Limit] bytes at most, and a mark where it was cut.
func Clip(text string) string {
	if len(text) > Limit {
		return text[:Limit] + "…"
	}
	return text
}

// Quoted is foreign text between double quotes. Its control characters are left
// for the screen to show.
func Quoted(text string) string {
	return `"` + quoting.Replace(text) + `"`
}

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quotedAbove is the length from which a foreign name in a sentence is quoted
// and cut.
const quotedAbove = 48

// Name is a foreign name within one of belay's sentences. A name that could be
// taken for words of the sentence is quoted (SEC-23); control bytes are the
// screen's business.
func Name(name string) string {
	if len(name) > 0 && len(name) <= quotedAbove && plain(name) {
		return name
	}
	if len(name) > quotedAbove {
		name = strings.ToValidUTF8(name[:quotedAbove], "") + "…"
	}
	return strconv.Quote(name)
}

// plain says whether a name is made of letters, digits and the marks that names
// of methods and tools have.
func plain(name string) bool {
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

// Size is a number of bytes for people. The units are decimal.
func Size(n int) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}
