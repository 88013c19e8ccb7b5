package safe

import "strings"

// doubleQuotes are the double quote and its lookalikes, which a reader may take for the end
// of a quotation.
const doubleQuotes = `"` + "\u02ba\u02dd\u02ee\u05f4\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u2e42\u3003\u301d\u301e\u301f\uff02\U0001f676\U0001f677\U0001f678"

// quoting puts a backslash before each backslash and each of doubleQuotes.
var quoting = func() *strings.Replacer {
	pairs := []string{`\`, `\\`}
	for _, r := range doubleQuotes {
		pairs = append(pairs, string(r), `\`+string(r))
	}
	return strings.NewReplacer(pairs...)
}()

// Quoted returns s as in [Line], between double quotes, with the backslashes inside
// it escaped and all that looks like a double quote. Where foreign words stand among
// belay's own, they stand quoted, so that they can neither end the quote nor
// continue the sentence (SEC-23).
func Quoted(s string) Text {
	return `"` + Text(quoting.Replace(string(Line(s)))) + `"`
}

// QuotedCut is [Quoted] in at most width columns. What is too long is cut
// inside the quotes, which stay: a cut text cannot run into what follows it.
// With width < 3 there is no room for a quote, and it returns … or nothing.
func QuotedCut(s string, width int) Text {
	// A column holds at least one of the characters that are not marks.
	return quotedIn(LineN(s, max(width, 0)*(maxMarks+1)+1), width, Cut)
}

// QuotedCutMiddle is [QuotedCut] for names, of which the middle is missing as in
// [CutMiddle]. The end of what is longer than 1,024 characters is not looked for.
func QuotedCutMiddle(s string, width int) Text {
	return quotedIn(LineN(s, 1024), width, CutMiddle)
}

// quotedIn quotes inner, of which cut leaves what fits. It cuts before it escapes: a
// quote must not lose its backslash to a cut.
func quotedIn(inner Text, width int, cut func(Text, int) Text) Text {
	if width < 3 {
		return Cut(ellipsis, width)
	}
	for room := width - 2; ; {
		quoted := Text(quoting.Replace(string(cut(inner, room))))
		over := Width(quoted) - (width - 2)
		if over <= 0 {
			return `"` + quoted + `"`
		}
		room -= (over + 1) / 2 // each backslash stands before a column that is kept
	}
}
