package wording

import (
	"strconv"
	"strings"

	"belay/internal/safe"
)

// extent is the least and the most numbers of progress, as they are written.
type extent struct {
	least, most   string // empty: there were none
	from, to      float64
	indeterminate bool // there were some that cannot be compared
}

// add takes numbers: "3" or "3/8".
func (e *extent) add(numbers string) {
	if numbers == "" {
		return
	}
	written, _, _ := strings.Cut(numbers, "/")
	value, err := strconv.ParseFloat(written, 64)
	if err != nil {
		e.indeterminate = true
		return
	}
	if e.least == "" || value < e.from {
		e.least, e.from = numbers, value
	}
	if e.most == "" || value > e.to {
		e.most, e.to = numbers, value
	}
}

// words are what follows a count: ", 1/8 to 3/8", or nothing.
func (e *extent) words() (text safe.Text) {
	if e.least == "" || e.indeterminate {
		return ""
	}
	text = ", " + safe.LineN(e.least, 40)
	if e.most != e.least {
		text += " to " + safe.LineN(e.most, 40)
	}
	return text
}
