package form

import (
	"math/big"
	"strconv"
	"strings"
)

// decimal is a number of JSON, exact: 0.digits × 10^exp. Zero has no digits.
type decimal struct {
	neg    bool
	digits string // without zeros at either end
	exp    int
}

// parseDecimal reads a number that is written as JSON writes it.
func parseDecimal(s string) decimal {
	var d decimal
	s, d.neg = strings.CutPrefix(s, "-")
	mantissa, exp, ok := strings.Cut(strings.ToLower(s), "e")
	if ok {
		n, err := strconv.ParseInt(exp, 10, 32)
		if err != nil { // beyond all limits, on the side that it says
			n = 1 << 30
			if strings.HasPrefix(exp, "-") {
				n = -n
			}
		}
		d.exp = int(n)
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	d.digits = whole + part
	d.exp += len(whole)
	trimmed := strings.TrimLeft(d.digits, "0")
	d.exp -= len(d.digits) - len(trimmed)
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// cmp is -1, 0 or 1 as d is less than, equal to or more than e.
func (d decimal) cmp(e decimal) int {
	switch {
	case d.sign() != e.sign():
		return compare(d.sign(), e.sign())
	case d.exp != e.exp:
		return compare(d.exp, e.exp) * d.sign()
	}
	return strings.Compare(d.digits, e.digits) * d.sign()
}

func compare(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// isWhole reports whether d has no fraction: 1.0 and 1e3 have none.
func (d decimal) isWhole() bool { return d.digits == "" || d.exp >= len(d.digits) }

// exactDigits bounds the numbers that are divided: their size is their cost.
const exactDigits = 400

// isMultipleOf reports whether d is a multiple of e. Numbers that are too long to
// divide are given the benefit of the doubt.
func (d decimal) isMultipleOf(e decimal) bool {
	if e.sign() <= 0 || d.sign() == 0 || d.tooLong() || e.tooLong() {
		return true
	}
	a, okA := new(big.Rat).SetString(d.String())
	b, okB := new(big.Rat).SetString(e.String())
	return !okA || !okB || new(big.Rat).Quo(a, b).IsInt()
}

func (d decimal) tooLong() bool {
	return len(d.digits) > exactDigits || d.exp > exactDigits || d.exp < -exactDigits
}

// String writes the number; equal numbers are equal texts.
func (d decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	s := d.digits
	switch {
	case d.exp > 0 && d.exp < 22:
		if n := d.exp - len(s); n >= 0 {
			s += strings.Repeat("0", n)
		} else {
			s = s[:d.exp] + "." + s[d.exp:]
		}
	case d.exp <= 0 && d.exp > -6:
		s = "0." + strings.Repeat("0", -d.exp) + s
	default:
		s = s[:1] + "." + s[1:] + "e" + strconv.Itoa(d.exp-1)
		s = strings.Replace(s, ".e", "e", 1)
	}
	if d.neg {
		s = "-" + s
	}
	return s
}
