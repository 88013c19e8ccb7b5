package suspect

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"belay/internal/requirements"
)

func TestJudge(t *testing.T) {
	requirements.Rows(t, "ELI-41", "ELI-42", "ELI-45", "ELI-56")
	for _, tt := range []struct {
		raw, host, main string
		refused         string   // part of it
		notes           []string // parts of them, in order; nothing else may be noted
	}{
		{raw: "https://example.com/a?b=c", host: "example.com", main: "example.com"},
		{raw: "https://EXAMPLE.com", host: "example.com", main: "example.com"},
		{raw: "https://login.example.co.uk/", host: "login.example.co.uk", main: "example.co.uk"},
		{raw: "https://a.b.com.au/", host: "a.b.com.au", main: "b.com.au"},
		{raw: "https://a.b.github.io/", host: "a.b.github.io", main: "b.github.io", notes: []string{"anybody can have a name below github.io"}},
		{raw: "https://github.io/", host: "github.io", main: "github.io", notes: []string{"no name of somebody's: anybody can have one below github.io"}},
		{raw: "https://co.uk/", host: "co.uk", main: "co.uk", notes: []string{"no name of somebody's"}},
		{raw: "https://www.ck/", host: "www.ck", main: "www.ck"},
		{raw: "https://a.b.ck/", host: "a.b.ck", main: "a.b.ck"},
		{raw: "https://b.c.kobe.jp/", host: "b.c.kobe.jp", main: "b.c.kobe.jp"},
		{raw: "https://city.kobe.jp/", host: "city.kobe.jp", main: "city.kobe.jp"},
		{raw: "https://bank.com.t.co/", host: "bank.com.t.co", main: "t.co"},
		{raw: "https://go.gov.ru.com/", host: "go.gov.ru.com", main: "gov.ru.com", notes: []string{"below ru.com"}},
		{raw: "https://a.個人.香港", host: "a.xn--gmqw5a.xn--j6w193g", main: "a.xn--gmqw5a.xn--j6w193g", notes: []string{"beyond ASCII"}},
		{raw: "https://a.b.example.internal/", host: "a.b.example.internal", main: "example.internal"},
		{raw: "https://a.evil.co.uk./", host: "a.evil.co.uk.", main: "evil.co.uk", notes: []string{"ends in a dot"}},
		{raw: "https://evil..com/", host: "evil..com", main: "evil..com"},
		{raw: "https://[2001:db8::1]:8443/", host: "2001:db8::1", main: "2001:db8::1", notes: []string{"an IP address", "port 8443"}},
		{raw: "http://intranet:8080/", host: "intranet", main: "intranet", notes: []string{"local network", "http: everybody", "port 8080"}},
		{raw: "https://bank.com.evil.io/login", host: "bank.com.evil.io", main: "evil.io"},
		{raw: "https://bank.com@evil.io", host: "evil.io", main: "evil.io", notes: []string{"before the @ is a user name"}},
		{raw: "https://u:p@evil.io", host: "evil.io", main: "evil.io", notes: []string{"user name", "a password"}},
		{raw: "https://xn--mnchen-3ya.de", host: "xn--mnchen-3ya.de", main: "xn--mnchen-3ya.de", notes: []string{"beyond ASCII"}},
		{raw: "https://münchen.de", host: "xn--mnchen-3ya.de", main: "xn--mnchen-3ya.de", notes: []string{"beyond ASCII"}},
		{raw: "https://xn--80ak6aa92e.com", host: "xn--80ak6aa92e.com", main: "xn--80ak6aa92e.com", notes: []string{"looks like apple.com, and is another", "beyond ASCII"}},
		{raw: "https://login.аррӏе.рф", host: "login.xn--80ak6aa92e.xn--p1ai", main: "xn--80ak6aa92e.xn--p1ai", notes: []string{"looks like login.apple.xn--p1ai,", "beyond ASCII"}},
		{raw: "https://bıtbucket.org", host: "xn--btbucket-tkb.org", main: "xn--btbucket-tkb.org", notes: []string{"looks like bitbucket.org,", "beyond ASCII"}},
		{raw: "https://gọọgle.com", host: "xn--ggle-gx5aa.com", main: "xn--ggle-gx5aa.com", notes: []string{"looks like google.com,", "beyond ASCII"}},
		{raw: "https://пример.испытание", host: "xn--e1afmkfd.xn--80akhbyknj4f", main: "xn--e1afmkfd.xn--80akhbyknj4f", notes: []string{"beyond ASCII"}},
		{raw: "https://xn--apple-.com", refused: "no name that can be read"},
		{raw: "https://pаypal.com", host: "xn--pypal-4ve.com", main: "xn--pypal-4ve.com", notes: []string{"mixes the letters of Cyrillic and Latin", "looks like paypal.com,", "beyond ASCII"}},
		{raw: "https://pаy.pаy.com", host: "xn--py-7kc.xn--py-7kc.com", main: "xn--py-7kc.com", notes: []string{"mixes the letters of Cyrillic and Latin", "looks like pay.pay.com,", "beyond ASCII"}},
		{raw: "https://日本ごカナa.jp", host: "xn--a-x8tvmie254zcvb.jp", main: "xn--a-x8tvmie254zcvb.jp", notes: []string{"beyond ASCII"}},
		{raw: "https://xn--999999999999999.com", refused: "no name that can be read"},
		{raw: "https://ｅvil.com", host: "evil.com", main: "evil.com", notes: []string{"unusual characters"}},
		{raw: "https://evil。com", host: "evil.com", main: "evil.com", notes: []string{"unusual characters"}},
		{raw: "https://a℀b.com", refused: "no host can have"},
		{raw: "https://192.0.2.7/", host: "192.0.2.7", main: "192.0.2.7", notes: []string{"an IP address"}},
		{raw: "https://2130706433/", host: "2130706433", main: "2130706433", notes: []string{"an IP address", "unusual way: it is 127.0.0.1, this machine"}},
		{raw: "https://0177.1/", host: "0177.1", main: "0177.1", notes: []string{"an IP address", "unusual way: it is 127.0.0.1, this machine"}},
		{raw: "https://3221225991/", host: "3221225991", main: "3221225991", notes: []string{"an IP address", "unusual way: it is 192.0.2.7"}},
		{raw: "https://0xC0.0.2.7/", host: "0xc0.0.2.7", main: "0xc0.0.2.7", notes: []string{"an IP address", "unusual way: it is 192.0.2.7"}},
		{raw: "https://0300.0.2.7/", host: "0300.0.2.7", main: "0300.0.2.7", notes: []string{"an IP address", "unusual way: it is 192.0.2.7"}},
		{raw: "https://[2001:db8::1]/", host: "2001:db8::1", main: "2001:db8::1", notes: []string{"an IP address"}},
		{raw: "http://[::1]:8080/", host: "::1", main: "::1"},
		{raw: "http://127.0.0.1:8080/", host: "127.0.0.1", main: "127.0.0.1"},
		{raw: "http://localhost:3000/cb", host: "localhost", main: "localhost"},
		{raw: "http://app.localhost/", host: "app.localhost", main: "app.localhost"},
		{raw: "http://example.com/", host: "example.com", main: "example.com", notes: []string{"http: everybody"}},
		{raw: "https://127.evil.com/", host: "127.evil.com", main: "evil.com"},
		{raw: "http://localhost.evil.com/", host: "localhost.evil.com", main: "evil.com", notes: []string{"http: everybody"}},
		{raw: "https://example.com:8443/", host: "example.com", main: "example.com", notes: []string{"port 8443"}},
		{raw: "https://example.com:443/", host: "example.com", main: "example.com"},
		{raw: "https://example.com./", host: "example.com.", main: "example.com", notes: []string{"ends in a dot"}},
		{raw: "https://intranet/", host: "intranet", main: "intranet", notes: []string{"local network"}},
		{raw: "https://example.com/\u202egnp.exe", host: "example.com", main: "example.com", notes: []string{"cannot be seen"}},
		{raw: "https://exa\u200bmple.com/", refused: "host", notes: []string{"cannot be seen"}},
		{raw: "https://example.com/\x1b[2J", refused: "no URL", notes: []string{"control characters"}},
		{raw: "https://example.com/?access_token=abc", host: "example.com", main: "example.com", notes: []string{`"access_token" in it looks like a secret`}},
		{raw: "https://example.com/?a=1&sig=ab&key=k&key=l", host: "example.com", main: "example.com", notes: []string{`"sig"`, `"key"`}},
		{raw: "https://example.com/#id_token=abc", host: "example.com", main: "example.com", notes: []string{`"id_token"`}},
		{raw: "https://example.com/?token=", host: "example.com", main: "example.com"},
		{raw: "https://good.com\\@evil.com", refused: "no URL"},
		{raw: "javascript:alert(1)", refused: "only http and https"},
		{raw: "file:///etc/passwd", refused: "only http and https"},
		{raw: "data:text/html,hi", refused: "only http and https"},
		{raw: "-https://example.com", refused: "no URL"},
		{raw: "example.com", refused: "http or https"},
		{raw: "https:///path", refused: "no host"},
		{raw: "https:example.com", refused: "no host"},
		{raw: "", refused: "http or https"},
		{raw: "HTTPS://example.com", host: "example.com", main: "example.com"},
	} {
		u := Judge(tt.raw)
		ok := u.Host == tt.host && (tt.refused != "" || u.Main == tt.main) && len(u.Notes) == len(tt.notes) &&
			strings.Contains(u.Refused, tt.refused) && (u.Refused == "") == (tt.refused == "") && (u.Open == "") == (tt.refused != "")
		for i, n := range tt.notes {
			ok = ok && strings.Contains(u.Notes[i], n)
		}
		if !ok {
			t.Errorf("%q:\n got %+v\nwant %+v", tt.raw, u, tt)
		}
	}
}

// Both forms of a host are there whichever came (ELI-42).
func TestBothForms(t *testing.T) {
	for _, raw := range []string{"https://bücher.example", "https://xn--bcher-kva.example"} {
		if u := Judge(raw); u.Host != "xn--bcher-kva.example" || u.Unicode != "bücher.example" || u.Open != "https://xn--bcher-kva.example" {
			t.Errorf("%s: %+v", raw, u)
		}
	}
}

// What may be opened is a plain http or https address, whatever came.
func TestOpenIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.OneOf(rapid.String(), rapid.Map(rapid.String(), func(s string) string { return "https://a.example/" + s }),
			rapid.Map(rapid.String(), func(s string) string { return "http://" + s })).Draw(t, "raw")
		u := Judge(raw)
		if u.Refused != "" {
			if u.Open != "" {
				t.Fatalf("%q is refused and can be opened", raw)
			}
			return
		}
		lower := strings.ToLower(u.Open)
		if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") || u.Host == "" || hasHidden(u.Host) {
			t.Fatalf("%q opens %q on %q", raw, u.Open, u.Host)
		}
	})
}

func TestPunycode(t *testing.T) {
	for text, code := range map[string]string{ // from RFC 3492, section 7.1
		"ليهمابتكلموشعربي؟": "egbpdaj6bu4bxfgehfvwxn", "他们为什么不说中文": "ihqwcrb4cv8a8dqg056pqjye",
		"Pročprostěnemluvíčesky": "Proprostnemluvesky-uyb24dma41a", "3年B組金八先生": "3B-ww4c5e180e575a65lsy2b",
		"bücher": "bcher-kva",
	} {
		if got, ok := encodePunycode(text); !ok || got != code {
			t.Errorf("%s is coded as %s, %v; want %s", text, got, ok, code)
		}
		if got, ok := decodePunycode(code); !ok || got != text {
			t.Errorf("%s is %s, %v; want %s", code, got, ok, text)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Rune(), 1, 40).Draw(t, "in")
		if isASCII(string(in)) || slices.Contains(in, '.') || in[0] == '-' {
			return // no label that is coded
		}
		code, ok := encodePunycode(string(in))
		if !ok {
			t.Fatalf("%q has no code", string(in))
		}
		if got, ok := decodePunycode(code); !ok || got != string(in) {
			t.Fatalf("%q came back as %q, %v", string(in), got, ok)
		}
	})
}

func FuzzJudge(f *testing.F) {
	f.Add("https://xn--a.b/?x=%zz#token=1")
	f.Fuzz(func(_ *testing.T, raw string) { Judge(raw) })
}

// An address that no browser takes is not opened, and not read either.
func TestALongAddressIsRefused(t *testing.T) {
	for _, raw := range []string{"https://x.y/" + strings.Repeat("a", Longest), "https://" + strings.Repeat("xn--a.", hostMost/6+1) + "y/"} {
		if u := Judge(raw); u.Refused == "" || u.Open != "" || len(u.Raw) > Longest || len(u.Notes) > 0 {
			t.Errorf("%.20s…: refused %q, %d notes", raw, u.Refused, len(u.Notes))
		}
	}
}

func TestLinks(t *testing.T) {
	for text, want := range map[string]bool{"go to https://x.y": true, "see WWW.x.y": true, "no link here": false} {
		if Links(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
