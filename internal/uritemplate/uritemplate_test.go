package uritemplate

import (
	"slices"
	"testing"
)

// The examples are those of RFC 6570, section 3.2, as far as their values are
// text.
func TestExpand(t *testing.T) {
	values := map[string]string{
		"var": "value", "hello": "Hello World!", "half": "50%", "path": "/foo/bar", "x": "1024", "y": "768",
		"empty": "", "base": "http://example.com/home/", "v": "6", "who": "fred", "dub": "me/too", "u": "bücher 日本",
	}
	for template, want := range map[string]string{
		"{var}":             "value",
		"{hello}":           "Hello%20World%21",
		"{half}":            "50%25",
		"O{empty}X":         "OX",
		"O{undef}X":         "OX",
		"{x,y}":             "1024,768",
		"{x,hello,y}":       "1024,Hello%20World%21,768",
		"?{x,empty}":        "?1024,",
		"?{x,undef}":        "?1024",
		"?{undef,y}":        "?768",
		"{var:3}":           "val",
		"{var:30}":          "value",
		"{+var}":            "value",
		"{+hello}":          "Hello%20World!",
		"{+half}":           "50%25",
		"{base}index":       "http%3A%2F%2Fexample.com%2Fhome%2Findex",
		"{+base}index":      "http://example.com/home/index",
		"{+path}/here":      "/foo/bar/here",
		"{+path:6}/here":    "/foo/b/here",
		"{#hello}":          "#Hello%20World!",
		"foo{#empty}":       "foo#",
		"foo{#undef}":       "foo",
		"{.who}":            ".fred",
		"{.half,who}":       ".50%25.fred",
		"X{.empty}":         "X.",
		"{/who,dub}":        "/fred/me%2Ftoo",
		"{/var,x}/here":     "/value/1024/here",
		"{;x,y,empty}":      ";x=1024;y=768;empty",
		"{;v,undef,who}":    ";v=6;who=fred",
		"{?x,y,empty}":      "?x=1024&y=768&empty=",
		"{?x,y,undef}":      "?x=1024&y=768",
		"?fixed=yes{&x}":    "?fixed=yes&x=1024",
		"{?var:3}":          "?var=val",
		"demo://f/{u}":      "demo://f/b%C3%BCcher%20%E6%97%A5%E6%9C%AC",
		"demo://f/{u:2}":    "demo://f/b%C3%BC",
		"demo://a b/%41/ü/": "demo://a%20b/%41/%C3%BC/",
	} {
		tmpl, err := Parse(template)
		if err != nil {
			t.Errorf("%s: %v", template, err)
			continue
		}
		if got := tmpl.Expand(values); got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}

func TestNamesAndBrokenTemplates(t *testing.T) {
	tmpl, err := Parse("a://{b}/{c,b}{?d*}")
	if err != nil || !slices.Equal(tmpl.Names(), []string{"b", "c", "d"}) {
		t.Errorf("names %v, %v", tmpl.Names(), err)
	}
	for _, s := range []string{"{", "}", "a{}", "{a", "{a:x}", "{a:0}", "{a b}", "{,}", "{a}}", "{!a}"} {
		if _, err := Parse(s); err == nil {
			t.Errorf("%q is a template", s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("demo://{+a:3}/{?b,c*}%zz")
	f.Fuzz(func(t *testing.T, s string) {
		tmpl, err := Parse(s)
		if err != nil {
			return
		}
		values := map[string]string{}
		for _, n := range tmpl.Names() {
			values[n] = "ü\x00\xff %"
		}
		for _, c := range []byte(tmpl.Expand(values)) {
			if c <= ' ' || c >= 0x7f {
				t.Fatalf("%q expands to a byte %#x", s, c)
			}
		}
	})
}
