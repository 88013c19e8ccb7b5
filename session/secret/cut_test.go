package secret

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// Where a text was cut, nothing of a value is left from six bytes on, however it is
// spelt; where it was not, ordinary words stay.
func TestACutLeavesNoBeginning(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	for _, value := range []string{"hunter-22-and-more", `abc"def\ghi<jkl>&mno é€😀'+ `, "line one\nline two\nline three", "öööööööööö"} {
		mask := unkeyed.With(values(value)...)
		inside := func(quoted string) string { return quoted[1 : len(quoted)-1] }
		percent, ascii := "", inside(quoteASCII(value))
		for _, c := range []byte(value) {
			percent += fmt.Sprintf("%%%02x", c)
		}
		spelt := map[string]string{
			"as it is": value, "JSON": inside(quotePlain(value)), "ASCII": ascii, "JSON in JSON": inside(quoteASCII(quoteASCII(value)))[2:],
			"query": url.QueryEscape(value), "each byte": percent, "each byte twice": url.QueryEscape(percent), "each byte in JSON": strings.ReplaceAll(ascii, "%", `\u0025`),
			"base64": base64.RawStdEncoding.EncodeToString([]byte(value)), "base64 of a query": base64.RawURLEncoding.EncodeToString([]byte(url.QueryEscape(value))),
			"hex": hex.EncodeToString([]byte(value)), "upper hex": strings.ToUpper(hex.EncodeToString([]byte(value))),
		}
		for name, text := range spelt {
			text = strings.TrimSuffix(text, `\"`)
			from := enough(name, text)
			for cut := from; cut < len(text); cut++ {
				head := text[:cut]
				for line, kept := range map[string]string{
					"log: " + head + "… (12 bytes more)\n":       "log: ",
					"log: " + head + "... (12 bytes more)\n":     "log: ",
					"a...b… hunt....\n" + head + "....…":         "a...b… hunt....\n",
					`{"broken":"` + head:                         `{"broken":"`,
					"a…b hunt… hunter-\n" + head + "…":           "a…b hunt… hunter-\n",
					strings.Repeat("\\", 40) + " " + head + "… ": strings.Repeat("\\", 40) + " ",
				} {
					got := mask.RedactText(line)
					if !strings.Contains(line, "…") {
						got = string(mask.RedactCut([]byte(line)))
					}
					end := len(kept) + len(head)
					if len(got) != len(line) || got[:len(kept)] != kept || strings.Trim(got[len(kept):end], "*") != "" || got[end:] != line[end:] {
						t.Fatalf("%s: %q became %q", name, line, got)
					}
				}
			}
			if line := "log: " + text[:from] + " and"; mask.RedactText(line) != line {
				t.Errorf("%s: %q became %q without a cut", name, line, mask.RedactText(line))
			}
		}
	}
}

// enough is how much of a spelling stands for six bytes of a value and more.
func enough(name, text string) int {
	if strings.Contains(name, "base64") || strings.Contains(name, "hex") {
		return leastSecret
	}
	for n := range text {
		plain := text[:n]
		for range 3 {
			plain = string(inAddress.unescaped(inJSON.unescaped([]byte(plain))))
		}
		if plain = strings.TrimRight(plain, "%\\0123456789abcdefABCDEFu\uFFFD"); len(plain) >= leastSecret+3 {
			return n
		}
	}
	return len(text)
}

// The reason of a cancel is cut without a mark, where it is long.
func TestALongReasonMayBeCut(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	mask := unkeyed.With(values("hunter-22")...)
	for _, size := range []int{CutReason - 1, CutReason, CutReason + 3} {
		reason := strings.Repeat("a", size-len("hunter-")) + "hunter-"
		message := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"` + reason + `"}}`
		got := []string{string(mask.Redact([]byte(message))), mask.RedactMember("reason", reason), string(mask.RedactToken("reason", []byte(`"`+reason+`"`)))}
		for i, masked := range got {
			if hides := strings.Contains(masked, "a*******"); hides != (size >= CutReason) || !hides && !strings.Contains(masked, "ahunter-") {
				t.Errorf("%d: of %d bytes became %s", i, size, masked)
			}
		}
		if other := mask.RedactMember("text", reason); other != reason {
			t.Errorf("what is no reason became %s", other)
		}
	}
	if got := unkeyed.RedactMember("reason", strings.Repeat("a", CutReason)+"hunter-"); strings.Contains(got, "*") {
		t.Errorf("with no values it became %s", got)
	}
}

// A whole message is no beginning, and of an identifier that was cut it is still seen
// which one it is.
func TestACutOfAMessageAndOfAnIdentifier(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	mask := unkeyed.With(values("hunter-22", "a-key-of-22")...)
	whole := `{"jsonrpc":"2.0","id":"hunter-","method":"tools/list"}`
	if got := string(mask.RedactCut([]byte(whole))); got != whole {
		t.Errorf("%s became %s", whole, got)
	}
	one, other := mask.RedactCutMember("id", "x/hunter-"), mask.RedactCutMember("id", "x/a-key-")
	if one == other || len(one) != len("x/hunter-") || strings.Contains(one, "hunter") || strings.Contains(other, "a-key") {
		t.Errorf("%s, %s", one, other)
	}
	for _, text := range []string{"hunter-", "", "message"} {
		if got := mask.RedactMember("id", text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := unkeyed.With(values("abcde%41-and")...).RedactText("x abcde%4… y"); got != "x *******… y" { // no escape
		t.Errorf("it became %q", got)
	}
	var none *Mask
	if got := string(none.RedactCut([]byte("hunter-"))) + none.RedactCutMember("id", "hunter-"); got != "hunter-hunter-" {
		t.Errorf("no mask made %s", got)
	}
}
