package suspect

import (
	"slices"
	"strings"
	"unicode"
)

// acePrefix begins a label that is coded as RFC 3492 says.
const acePrefix = "xn--"

// The parameters of RFC 3492.
const (
	base        = 36
	tMin        = 1
	tMax        = 26
	skew        = 38
	damp        = 700
	initialBias = 72
	initialN    = 128
	mostRunes   = 256 // a label has 63 at most
)

// Shown is a host with its coded labels in their own scripts.
func Shown(host string) string {
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if rest, coded := strings.CutPrefix(strings.ToLower(l), acePrefix); coded {
			if text, ok := decodePunycode(rest); ok {
				labels[i] = text
			}
		}
	}
	return strings.Join(labels, ".")
}

func adapt(delta, points int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (base-tMin)*tMax/2 {
		delta /= base - tMin
		k += base
	}
	return k + (base-tMin+1)*delta/(delta+skew)
}

func threshold(k, bias int) int { return min(max(k-bias, tMin), tMax) }

func decodePunycode(code string) (string, bool) {
	var out []rune
	if i := strings.LastIndexByte(code, '-'); i >= 0 {
		out, code = []rune(code[:i]), code[i+1:]
	}
	n, at, bias := initialN, 0, initialBias
	for code != "" {
		before, weight := at, 1
		for k := base; ; k += base {
			if code == "" {
				return "", false
			}
			digit, ok := digitOf(code[0])
			code = code[1:]
			at += digit * weight
			if !ok || at > unicode.MaxRune*mostRunes {
				return "", false
			}
			t := threshold(k, bias)
			if digit < t {
				break
			}
			weight *= base - t
			if weight > unicode.MaxRune*mostRunes {
				return "", false
			}
		}
		points := len(out) + 1
		bias = adapt(at-before, points, before == 0)
		n += at / points
		at %= points
		if n > unicode.MaxRune || len(out) >= mostRunes {
			return "", false
		}
		out = slices.Insert(out, at, rune(n))
		at++
	}
	return string(out), len(out) > 0
}

func digitOf(c byte) (int, bool) {
	switch {
	case 'a' <= c && c <= 'z':
		return int(c - 'a'), true
	case 'A' <= c && c <= 'Z':
		return int(c - 'A'), true
	case '0' <= c && c <= '9':
		return int(c-'0') + 26, true
	}
	return 0, false
}

const digits = "abcdefghijklmnopqrstuvwxyz0123456789"

func encodePunycode(label string) string {
	in := []rune(label)
	var out []byte
	for _, r := range in {
		if r < initialN {
			out = append(out, byte(r))
		}
	}
	done := len(out)
	basic := done
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := initialN, 0, initialBias
	for done < len(in) {
		next := int(unicode.MaxRune) + 1
		for _, r := range in {
			if int(r) >= n {
				next = min(next, int(r))
			}
		}
		delta += (next - n) * (done + 1)
		n = next
		for _, r := range in {
			if int(r) < n {
				delta++
			}
			if int(r) != n {
				continue
			}
			out = appendNumber(out, delta, bias)
			bias = adapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		n++
	}
	return string(out)
}

// appendNumber writes a delta as digits of growing weight.
func appendNumber(out []byte, q, bias int) []byte {
	for k := base; ; k += base {
		t := threshold(k, bias)
		if q < t {
			return append(out, digits[q])
		}
		out = append(out, digits[t+(q-t)%(base-t)])
		q = (q - t) / (base - t)
	}
}
