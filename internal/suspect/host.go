package suspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// judgeHost reads the host as browsers do, and says false when it cannot be
// told what they would make of it.
func (u *URL) judgeHost(host string) bool {
	if strings.Contains(host, ":") {
		address, _, _ := strings.Cut(host, "%")
		u.Host, u.Main = host, host
		u.Local = address == "::1"
		u.noteIP()
		return true
	}
	mapped := mapHost(host)
	if strings.ContainsAny(mapped, "/\\?#@: %<>^|[]") || hasHidden(mapped) || mapped == "" {
		u.Refused = "its host has characters that no host can have"
		return false
	}
	if hasHidden(host) {
		u.Refused = "its host has characters that cannot be seen"
		return false
	}
	labels := strings.Split(mapped, ".")
	like, alike := slices.Clone(labels), false
	for i, l := range labels {
		ascii, shown, ok := readLabel(l)
		if !ok {
			u.Refused = "its host is no name that can be read"
			return false
		}
		u.judgeLabel(shown)
		labels[i], like[i] = ascii, ascii
		if looks, ok := inASCII(shown); ok && looks != shown {
			like[i], alike = looks, true
		}
	}
	u.Host = strings.Join(labels, ".")
	if alike {
		u.Like = strings.Join(like, ".")
		u.note("the host looks like %s, and is another", u.Like)
	}
	if shown := Shown(u.Host); shown != u.Host {
		u.Unicode = shown
		u.note("the host is written with letters beyond ASCII: as the network knows it, it is %s", u.Host)
	}
	if lower := strings.ToLower(host); isASCII(host) && lower != u.Host || !isASCII(host) && lower != mapped {
		u.note("the host is written in unusual characters")
		u.Spelled = host
	}
	if strings.HasSuffix(u.Host, ".") {
		u.note("the host ends in a dot")
	}
	u.place()
	return true
}

// mapHost writes a host as browsers do before they look it up.
func mapHost(host string) string {
	host = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".", "\u00ad", "").Replace(host)
	return strings.ToLower(norm.NFKC.String(host))
}

// readLabel returns a label as the network knows it, and in its own script.
func readLabel(l string) (ascii, shown string, ok bool) {
	if rest, coded := strings.CutPrefix(l, acePrefix); coded {
		shown, ok := decodePunycode(rest)
		return l, shown, ok && isASCII(l)
	}
	if isASCII(l) {
		return l, l, true
	}
	code, ok := encodePunycode(l)
	return acePrefix + code, l, ok
}

// judgeLabel notes letters of several scripts in one label, which together pass for one (ELI-42;
// client/elicitation).
func (u *URL) judgeLabel(label string) {
	found := map[string]bool{}
	for _, r := range label {
		for _, s := range scripts {
			if unicode.Is(s.table, r) {
				found[s.name] = true
			}
		}
	}
	if len(found) < 2 {
		return
	}
	for _, usual := range together {
		inside := 0
		for _, name := range usual {
			if found[name] {
				inside++
			}
		}
		if inside == len(found) {
			return
		}
	}
	var names []string
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	if mix := strings.Join(names, " and "); !slices.Contains(u.Mixes, mix) {
		u.Mixes = append(u.Mixes, mix)
		u.note("the host mixes the letters of %s", mix)
	}
}

var scripts = func() (all []struct {
	name  string
	table *unicode.RangeTable
},
) {
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" {
			all = append(all, struct {
				name  string
				table *unicode.RangeTable
			}{name, table})
		}
	}
	return all
}()

// together are the scripts that one word of a language may be written in.
var together = [][]string{
	{"Latin", "Han", "Hiragana", "Katakana"}, {"Latin", "Han", "Bopomofo"}, {"Latin", "Han", "Hangul"},
}

// place says what kind of host it is, and which part of its name somebody
// registered.
func (u *URL) place() {
	name := strings.TrimSuffix(u.Host, ".")
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	u.Main = u.Host
	switch {
	case name == "localhost" || strings.HasSuffix(name, ".localhost"):
		u.Local = true
	case isNumber(last):
		u.Local = strings.HasPrefix(name, "127.") && len(labels) == 4
		u.noteIP()
		if len(labels) != 4 || strings.Contains(name, "x") || leadingZero(labels) {
			u.note("the address is written in an unusual way%s", meant(labels))
		}
	case len(labels) == 1:
		u.note("the host is a name of the local network")
	default:
		u.register(name)
	}
}

// noteIP tells of an address without a name. This machine's own says as much as
// its name.
func (u *URL) noteIP() {
	if !u.Local {
		u.note("the host is an IP address, not a name")
	}
}

// meant says which address browsers read in numbers that are written in an
// unusual way: up to four of them, each decimal, octal or hexadecimal, the last for
// all that is left.
func meant(labels []string) string {
	if len(labels) > 4 {
		return ""
	}
	var ip uint64
	for i, label := range labels {
		left := 8
		if i == len(labels)-1 {
			left = 8 * (5 - len(labels))
		}
		n, err := parseNumber(label)
		if err != nil || n >= 1<<left {
			return ""
		}
		ip = ip<<left | n
	}
	words := fmt.Sprintf(": it is %d.%d.%d.%d", ip>>24, ip>>16&0xff, ip>>8&0xff, ip&0xff)
	if ip>>24 == 127 || ip == 0 {
		words += ", this machine"
	}
	return words
}

// parseNumber reads a number as it is written in C.
func parseNumber(label string) (uint64, error) {
	hex, isHex := strings.CutPrefix(label, "0x")
	switch {
	case isHex:
		return strconv.ParseUint("0"+hex, 16, 64)
	case len(label) > 1 && label[0] == '0':
		return strconv.ParseUint(label, 8, 64)
	}
	return strconv.ParseUint(label, 10, 64)
}

// register finds the part of a name that somebody registered, below its suffix in
// the public suffix list. Below a private suffix such as github.io, a name says
// nothing about its owner.
func (u *URL) register(name string) {
	suffix, registry := publicsuffix.PublicSuffix(name)
	if name == suffix {
		u.note("the host is no name of somebody's: anybody can have one below %s", suffix)
		return
	}
	main, err := publicsuffix.EffectiveTLDPlusOne(name)
	if err != nil { // it has an empty label
		return
	}
	u.Main = main
	if !registry && strings.Contains(suffix, ".") {
		u.note("anybody can have a name below %s", suffix)
	}
}

func isNumber(label string) bool {
	if _, err := strconv.ParseUint(label, 10, 64); err == nil {
		return true
	}
	_, err := parseNumber(label)
	return err == nil
}

func leadingZero(labels []string) bool {
	return slices.ContainsFunc(labels, func(l string) bool { return len(l) > 1 && l[0] == '0' })
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
