package form

import (
	"strings"

	"belay/session/sentence"
)

// What a schema says stands in the sentences of this package as foreign words do
// everywhere: quoted, unless it is a name that cannot be taken for anything else.

// quotedMost is how many characters of a schema's words stand in a sentence.
const quotedMost = 40

// clipTo shortens a text to so many characters. What is left out is not looked at.
func clipTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n, last := 0, 0
	for i := range s {
		if n++; n == most {
			last = i
		}
		if n > most {
			return s[:last] + "…"
		}
	}
	return s
}

func quoted(name string) string { return sentence.Quoted(clipTo(name, quotedMost)) }

// nameWords is a name of the schema's, in at most so many characters of it.
func nameWords(name string, most int) string {
	if short := clipTo(name, most); !sentence.IsPlain(strings.TrimSuffix(short, "…")) {
		return sentence.Quoted(short)
	}
	return clipTo(name, most)
}

// patternWords is a pattern of the schema's. One without blanks is no words, and
// easier to read without the backslashes that quotes would bring.
func patternWords(pattern string, most int) string {
	short := clipTo(pattern, most)
	for i := range len(strings.TrimSuffix(short, "…")) {
		if c := short[i]; c <= ' ' || c == '"' || c > '~' {
			return sentence.Quoted(short)
		}
	}
	return short
}

// jsonWords is a value as the schema has it, closed also where it is cut.
func jsonWords(raw []byte) string {
	const runes = 4 // bytes of a character
	text := strings.TrimSpace(string(raw[:min(len(raw), (quotedMost+1)*runes)]))
	short := clipTo(text, quotedMost)
	if short != text && text[0] == '"' {
		short += `"`
	}
	return sentence.EscapeLookalikes(short)
}
