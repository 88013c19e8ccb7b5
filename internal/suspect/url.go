// Package suspect finds what is odd about the addresses that a server wants opened
// and the fields that a server wants filled in. It fetches nothing and forbids
// little: the user decides, and is told what there is to see (ELI-20, ELI-21,
// ELI-39 to ELI-45, ELI-56; client/elicitation).
package suspect

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"belay/session/secret"
)

// URL is an address as it came, and what the user must know before opening it.
type URL struct {
	Raw  string // as it came; foreign text
	Open string // what may be given to a browser; empty when Refused says why not

	Host string // as a browser reads it: lower case, ASCII; empty when there is none
	// Main is the part of Host that somebody registered: evil.io in
	// bank.com.evil.io, as the public suffix list has it. It is Host where there is
	// no such part: in addresses, names of one label and public suffixes.
	Main    string
	Unicode string // Host in its own script, when that is another than ASCII
	Spelled string // the host as it was written, when browsers read other characters in it
	Like    string // what Host looks like, when one of its labels looks like one of ASCII and is none
	Port    string // as it was written; empty when there is none
	Local   bool   // the host is this machine

	Mixes      []string // the scripts that labels of Host mix, each mixture once, as in "Cyrillic and Latin"
	Unreadable bool     // the host is one that no browser takes: Refused says why
	Refused    string   // why it cannot be opened, in belay's words; empty when it can
	Notes      []string // what is odd, in belay's words
}

// Longest is the length of an address, in bytes, that can be opened.
const Longest = 16 << 10

// hostMost is the length of a host; the names that can be looked up are shorter.
const hostMost = 1000

// Judge reads an address.
func Judge(raw string) URL {
	u := URL{Raw: raw}
	if len(raw) > Longest {
		u.Raw, u.Refused = raw[:Longest], "it is longer than 16 kB, which is more than browsers take; the wire pane has all of it"
		return u
	}
	if hasHidden(raw) {
		u.note("it has control characters or characters that cannot be seen")
	}
	parsed, err := url.Parse(raw)
	if err != nil {
		u.Refused = "it is no URL that a browser and belay would read alike"
		return u
	}
	switch scheme := strings.ToLower(parsed.Scheme); {
	case scheme == "":
		u.Refused = "it is no whole URL: it does not say http or https"
		return u
	case scheme != "http" && scheme != "https":
		u.Refused = "only http and https addresses can be opened"
		return u
	case parsed.Opaque != "" || parsed.Hostname() == "":
		u.Refused = "it names no host"
		return u
	case len(parsed.Hostname()) > hostMost:
		u.Refused = "its host is longer than any host can be"
		return u
	}
	if !u.judgeHost(parsed.Hostname()) {
		u.Unreadable = true
		return u
	}
	u.judgeRest(parsed)
	if !strings.Contains(u.Host, ":") {
		parsed.Host = u.Host
		if u.Port != "" {
			parsed.Host += ":" + u.Port
		}
	}
	u.Open = parsed.String()
	return u
}

func (u *URL) note(format string, args ...any) {
	u.Notes = append(u.Notes, fmt.Sprintf(format, args...))
}

// judgeRest looks at everything but the host.
func (u *URL) judgeRest(p *url.URL) {
	if p.User != nil {
		u.note("what stands before the @ is a user name, not the host")
		if _, has := p.User.Password(); has {
			u.note("it carries a password")
		}
	}
	if strings.EqualFold(p.Scheme, "http") && !u.Local {
		u.note("http: everybody on the way can read and change it")
	}
	u.Port = p.Port()
	usual := map[string]string{"http": "80", "https": "443"}[strings.ToLower(p.Scheme)]
	if u.Port != "" && u.Port != usual && !u.Local {
		u.note("port %s is not the usual one", u.Port)
	}
	told := map[string]bool{}
	for _, part := range []string{p.RawQuery, p.EscapedFragment()} {
		for pair := range strings.FieldsFuncSeq(part, func(r rune) bool { return r == '&' || r == ';' || r == '?' }) {
			name, value, has := strings.Cut(pair, "=")
			if plain, err := url.QueryUnescape(name); err == nil {
				name = plain
			}
			if has && value != "" && secret.IsNameInAddress(name) && !told[name] {
				told[name] = true
				u.note("%q in it looks like a secret: whoever sees the address has it", short(name))
			}
		}
	}
}

// short bounds a name that is told of.
func short(name string) string {
	const most = 40
	if r := []rune(name); len(r) > most {
		return string(r[:most]) + "…"
	}
	return name
}

// hasHidden reports whether a text has characters that a reader does not see or that
// turn the order of others around.
func hasHidden(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r == unicode.ReplacementChar || r != ' ' && unicode.Is(unicode.Zs, r) ||
			unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	})
}

// Links reports whether a text has something in it that looks like a link (ELI-57;
// client/elicitation).
func Links(text string) bool {
	const most = 64 << 10 // of a text that is looked at for each frame
	text = text[:min(len(text), most)]
	text = strings.ToLower(text)
	return strings.Contains(text, "http://") || strings.Contains(text, "https://") || strings.Contains(text, "www.")
}
