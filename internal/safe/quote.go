package safe

import "strings"

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Quoted returns s as in [Line], between double quotes, with the quotes and
// backslashes inside it escaped. Where foreign words stand among belay's own,
// they stand quoted, so that they can neither end the quote nor continue the
// sentence (SEC-23).
func Quoted(s string) Text {
	return `"` + Text(quoting.Replace(string(Line(s)))) + `"`
}

// QuotedCut is [Quoted] in at most width columns. What is too long is cut
// inside the quotes, which stay: a cut text cannot run into what follows it.
// With width < 3 there is no room for a quote, and it returns … or nothing.
func QuotedCut(s string, width int) Text {
	if width < 3 {
		return Cut(ellipsis, width)
	}
	// A column holds at least one of the characters that are not marks.
	inner := LineN(s, width*(maxMarks+1)+1)
	return `"` + Cut(Text(quoting.Replace(string(inner))), width-2) + `"`
}
