package secret

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// masksEach fails where a line that a program writes, or one of JSON with it as a text,
// shows anything of a value, which is marked in it, and where the rest does not stay.
func masksEach(t *testing.T, value string, lines ...string) {
	t.Helper()
	mask := unkeyed.With(Value{Name: "SOME_NAME", Text: value})
	inside := func(text string) string { text = quotePlain(text); return text[1 : len(text)-1] }
	for _, line := range lines {
		before, rest, ok := strings.Cut(line, "«")
		spelt, behind, isEnded := strings.Cut(rest, "»")
		if !ok || !isEnded {
			t.Fatalf("%s marks no value", line)
		}
		for _, form := range []struct {
			begin, end string
			of         func(string) string
		}{
			{"", "", func(text string) string { return text }},
			{`{"jsonrpc":"2.0","id":1,"result":{"t":"`, `"}}`, inside},
			{`{"jsonrpc":"2.0","id":1,"result":{"t":"\"`, `\""}}`, func(text string) string { return inside(inside(text)) }},
		} {
			head, code, tail := form.begin+form.of(before), form.of(spelt), form.of(behind)+form.end
			got := mask.RedactText(head + code + tail)
			if want := head + strings.Repeat("*", len(code)) + tail; got != want {
				t.Errorf("%s\nis   %s\nwant %s", head+code+tail, got, want)
			}
		}
	}
}

// A value is masked as shells quote it: bash and zsh with a backslash, in single quotes
// and in double ones, and dash and Python's shlex with the other quotes.
func TestAValueThatAShellQuotes(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksEach(t, "it's-my-pass", `+ curl -u 'me:«it'\''s-my-pass»' h`, `+ curl '«it'"'"'s-my-pass»'`, `declare -x P="«it's-my-pass»"`, `P=«it\'s-my-pass»`, `set P '«it\'s-my-pass»'`)
	masksEach(t, `pa$sword99`, `declare -x DB_P="«pa\$sword99»"`, `+ x 'm=«pa$sword99»'`, `a «pa\$sword99»;`)
	masksEach(t, `two words9`, `a «two\ words9».`, `a '«two words9»'`)
	masksEach(t, "a\tb*c?d~e#f", `a «a\	b\*c\?d\~e\#f»`, `a $'«a\tb*c?d~e#f»'`)
	masksEach(t, `a''b\c'def`, `+ x '«a'\'''\''b\c'\''def»'`, `+ x '«a'"''"'b\c'"'"'def»'`, `x «a\'\'b\\c\'def»`, `declare -x P="«a''b\\c'def»"`)
	masksEach(t, "a\nb'cdef", `P=$'«a\nb\'cdef»'`, `x '«a`+"\n"+`b'\''cdef»'`)
}

// Where a text was cut within what a shell or Python writes, nothing of the value is left.
func TestACutInWhatAShellQuotes(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	mask := unkeyed.With(Value{Text: `hunter's$22-and`}, Value{Text: "geheim-é€😀-x"})
	for _, spelt := range []string{
		`hunter'\''s$22-and`, `hunter'"'"'s$22-and`, `hunter\'s\$22-and`, `geheim-\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80-x`, `geheim-\xe9\u20ac\U0001f600-x`,
		`geheim-\u{e9}\u{20AC}\u{1F600}-x`, `geheim-\303\251\342\202\254\360\237\230\200-x`,
	} {
		for cut := leastSecret; cut < len(spelt); cut++ {
			line := "log: '" + spelt[:cut] + "… "
			for _, line := range []string{line, strings.ReplaceAll(line, "…", "..."), `{"t":` + quotePlain(line) + `}`} {
				got := mask.RedactText(line)
				at, end := strings.Index(line, "log: '")+len("log: '"), max(strings.Index(line, "…"), strings.Index(line, "..."))
				if got[:at] != line[:at] || got[end:] != line[end:] || strings.Trim(got[at:end], "*") != "" {
					t.Errorf("%s\nis  %s", line, got)
				}
			}
		}
	}
}

// A value with letters beyond ASCII is masked as Python writes it in ASCII or in bytes, and
// one with marks as JavaScript does.
func TestAValueInTheNumbersOfItsLetters(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksEach(t, "Gé-Passwört😀", `b'«G\xc3\xa9-Passw\xc3\xb6rt\xf0\x9f\x98\x80»'`, `'«G\xe9-Passw\xf6rt\U0001f600»'`, `"«G\u00e9-Passw\u{f6}rt\u{1F600}»"`, `$'«G\303\251-Passw\303\266rt\360\237\230\200»'`)
	masksEach(t, "ÿÿÿÿÿÿ", `'«\xff\xff\xff\xff\xff\xff»'`, `b'«\xc3\xbf\xc3\xbf\xc3\xbf\xc3\xbf\xc3\xbf\xc3\xbf»'`)
	masksEach(t, "Gruß-é", `'«Gru\xdf-\xe9»'`, `end «Gru\xdf-\xe9»`)
	masksEach(t, "a&b<c\"d", `"«a\x26b\x3Cc\x22d»"`, `"«a\u{26}b\u{3c}c\u{000022}d»"`)
}

// What only looks like an escape stays.
func TestWhatIsNoEscapeStays(t *testing.T) {
	mask := unkeyed.With(Value{Text: "hunter'22"}, Value{Text: "Gé-Passwort"})
	for _, line := range []string{`\`, `C:\xampp\u{}\u{1234567}\U1234 \x4 \9 \1 \u{`, `it's '"' '"'''`, `'\'`, `\x`, `\xc3`, `\xc3\xe2\x82 \u{110000}`, `hunter'"''22 hunter'"22`} {
		if got := mask.RedactText(line); got != line {
			t.Errorf("%s is %s", line, got)
		}
	}
}

// BenchmarkEscapes is what it costs to look through lines that are nothing but escapes: the
// time for a byte stays the same however long they are.
func BenchmarkEscapes(b *testing.B) {
	mask := unkeyed.With(Value{Text: "it's a pa$sword"})
	for name, escape := range map[string]string{"quotes": `'"''`, "one quote": `'"` + strings.Repeat("'", 1<<10), "backslashes": `'\''`, "bytes": `\xf0`, "letters": `\u{1F60`, "dots": "...", "dots and marks": "...….."} {
		for _, n := range []int{1 << 12, 1 << 16} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				line := []byte(strings.Repeat(escape, n/len(escape)))
				b.SetBytes(int64(len(line)))
				for b.Loop() {
					mask.Redact(line)
				}
			})
		}
	}
}
