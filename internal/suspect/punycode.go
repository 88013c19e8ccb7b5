package suspect

import (
	"strings"

	"golang.org/x/net/idna"
)

// acePrefix begins a label that is coded as RFC 3492 says.
const acePrefix = "xn--"

// Shown returns a host with its coded labels in their own scripts.
func Shown(host string) string {
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if rest, coded := strings.CutPrefix(strings.ToLower(l), acePrefix); coded {
			if text, ok := decodePunycode(rest); ok {
				labels[i] = text
			}
		}
	}
	return strings.Join(labels, ".")
}

// decodePunycode returns the text of a coded label without its prefix, and
// whether the code is that of a text.
func decodePunycode(code string) (string, bool) {
	text, err := idna.Punycode.ToUnicode(acePrefix + code)
	return text, err == nil && text != ""
}

// encodePunycode returns the code of a label's text, without its prefix, and
// whether there is one.
func encodePunycode(label string) (string, bool) {
	code, err := idna.Punycode.ToASCII(label)
	code, coded := strings.CutPrefix(code, acePrefix)
	return code, err == nil && coded
}
