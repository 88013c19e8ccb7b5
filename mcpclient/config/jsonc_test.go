package config

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestCommentsAndTrailingCommasBecomeSpaces(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"a": 1}`, `{"a": 1}`},
		{`{"a": 1,}`, `{"a": 1 }`},
		{`["a", "b" , ]`, `["a", "b"   ]`},
		{"[1, // one\n]", "[1        \n]"},
		{"[1 /* a\r\nb */ ]", "[1     \r\n     ]"},
		{"{} // the end", "{}           "},
		{`{"url": "http://x/*y*/,]"}`, `{"url": "http://x/*y*/,]"}`},
		{`{"q": "a\"//b", "c": 1}`, `{"q": "a\"//b", "c": 1}`},
		{"\xef\xbb\xbf{}", "   {}"},
		{`[[1,],]`, `[[1 ] ]`},
		// These are wrong and stay so.
		{`[,]`, `[,]`},
		{`{,}`, `{,}`},
		{`[1,,]`, `[1,,]`},
		{`{"a":,}`, `{"a":,}`},
		{`[1] /* no end`, `[1] /* no end`},
		{`["no end, ]`, `["no end, ]`},
		{`/`, `/`},
	} {
		if got := string(plainJSON([]byte(tt.in))); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
		}
	}
}

// What is JSON already is not touched, and nothing ever moves.
func FuzzPlainJSON(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "//", {}], "b": null,}`, "// x\n[1,/**/]", `"\"`, "[,]", "/*/"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		plain := plainJSON(file)
		if len(plain) != len(file) {
			t.Fatalf("%d bytes become %d", len(file), len(plain))
		}
		for i := range file {
			if plain[i] != file[i] && (plain[i] != ' ' || file[i] == '\n') {
				t.Fatalf("byte %d: %q becomes %q", i, file[i], plain[i])
			}
		}
		if jsontext.Value(file).IsValid() && !bytes.Equal(plain, file) {
			t.Fatalf("%q is JSON and becomes %q", file, plain)
		}
		if again := plainJSON(plain); !bytes.Equal(again, plain) && !bytes.HasPrefix(file, utf8Mark) {
			t.Fatalf("%q becomes %q, and that %q", file, plain, again)
		}
	})
}
