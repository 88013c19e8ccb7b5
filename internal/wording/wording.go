// Package wording has the words that belay's faces share: of numbers, sizes, times and
// foreign names ([Size], [Name]), of what was on the wire ([Entry], [Message]), of the
// moments of a call ([Moment]), of the states of rows ([StateOf]), and of what a verdict
// means ([Verdict]).
package wording

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"belay/internal/safe"
	"belay/session/mcp"
	"belay/session/sentence"
)

// Thousands writes a whole number: "10,000".
func Thousands(n int) safe.Text {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return safe.Text(s)
}

// Count writes a number with its word: "1 call", "10,000 calls".
func Count(n int, word string) safe.Text {
	if n != 1 {
		word += "s"
	}
	return Thousands(n) + " " + safe.Text(word)
}

// Number writes a float in at most 9 columns: up to three digits behind the
// point, and an exponent where that says nothing.
func Number(v float64) safe.Text {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "?"
	}
	if a := math.Abs(v); a >= 1e6 || a != 0 && a < 0.0005 {
		if a < 1e9 && v == math.Trunc(v) && v > 0 {
			return safe.Text(strconv.FormatFloat(v, 'f', 0, 64))
		}
		return safe.Text(strconv.FormatFloat(v, 'g', 3, 64))
	}
	s := strconv.FormatFloat(v, 'f', 3, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		s = "0"
	}
	if len(s) > 9 {
		s = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return safe.Text(s)
}

// Size writes a number of bytes: "312 B", "4.2 kB".
func Size(n int) safe.Text {
	switch {
	case n < 1000:
		return safe.Text(strconv.Itoa(n)) + " B"
	case n < 1_000_000:
		return safe.Text(fmt.Sprintf("%.1f kB", float64(n)/1e3))
	}
	return safe.Text(fmt.Sprintf("%.1f MB", float64(n)/1e6))
}

// Duration writes a duration in at most 6 columns.
func Duration(d time.Duration) safe.Text {
	d = max(0, d)
	switch {
	case d < time.Minute:
		return safe.Text(strconv.FormatFloat(d.Truncate(100*time.Millisecond).Seconds(), 'f', 1, 64) + "s")
	case d < time.Hour:
		return twoUnits(d, time.Minute, "m", time.Second, "s")
	case d < 100*time.Hour:
		return twoUnits(d, time.Hour, "h", time.Minute, "m")
	}
	return twoUnits(d, 24*time.Hour, "d", time.Hour, "h")
}

// twoUnits writes a duration in a unit and, with two digits, in a smaller one.
func twoUnits(d, unit time.Duration, name string, smaller time.Duration, smallerName string) safe.Text {
	rest := int64(d % unit / smaller)
	if rest < 10 {
		name += "0"
	}
	return safe.Text(strconv.FormatInt(int64(d/unit), 10) + name + strconv.FormatInt(rest, 10) + smallerName)
}

// Precise writes a duration with milliseconds, for the timeline.
func Precise(d time.Duration) safe.Text {
	if d >= 1000*time.Second {
		return Duration(d)
	}
	return safe.Text(fmt.Sprintf("%.3fs", d.Seconds()))
}

// Lag writes a lateness: milliseconds below a second.
func Lag(d time.Duration) safe.Text {
	switch {
	case d < time.Millisecond:
		return "<1ms"
	case d < time.Second:
		return safe.Text(strconv.FormatInt(d.Milliseconds(), 10)) + "ms"
	}
	return safe.Text(strconv.FormatFloat(d.Seconds(), 'f', 2, 64)) + "s"
}

// Clock writes a time of day, to the millisecond; one that is not known as "-".
func Clock(t time.Time) safe.Text {
	if t.IsZero() {
		return "-"
	}
	return safe.Text(t.Format("15:04:05.000"))
}

// Name is a foreign name within one of belay's sentences. It is quoted, so that it is
// not taken for words of the sentence, but for names of methods and addresses (SEC-23):
// [sentence.IsPlainInSentence] has the rule.
func Name(s string) safe.Text {
	if len(s) <= sentence.LongestName && sentence.IsPlainInSentence(s) {
		return safe.Line(s)
	}
	return safe.QuotedCut(s, sentence.LongestName)
}

// NameIn is a foreign name in a column, a label or a field of its own, in at most
// width columns: quoted where it is not [sentence.IsPlain], with the cut inside the
// quotes. No name is no text.
func NameIn(s string, width int) safe.Text {
	switch {
	case s == "":
		return ""
	case isPlain(s):
		return safe.Cut(safe.LineN(s, max(width, 0)+1), width)
	}
	return safe.QuotedCut(s, width)
}

// NameMiddleIn is [NameIn] for a name that is cut in its middle, where it must be.
func NameMiddleIn(s string, width int) safe.Text {
	if isPlain(s) {
		return safe.CutMiddle(safe.Line(s), width)
	}
	return safe.QuotedCutMiddle(s, width)
}

// isPlain is [sentence.IsPlain] of names that have a length of names.
func isPlain(s string) bool {
	const most = 2000
	return len(s) <= most && sentence.IsPlain(s)
}

// Method is the name of a foreign method as [Name] writes it. The prefix of
// notifications is left out where the rest is no word of belay's: `result` and
// `server-ended` are the names of other rows.
func Method(method string) safe.Text {
	name := Name(method)
	if string(name) != method {
		return name
	}
	rest, notification := strings.CutPrefix(method, "notifications/")
	if notification && (strings.Contains(rest, "/") || oneWord[rest]) {
		return safe.Line(rest)
	}
	return name
}

// oneWord are the notifications of the specification whose names are one word.
var oneWord = map[string]bool{"cancelled": true, "progress": true, "initialized": true, "message": true}

// Join puts a blank between two texts if there are two.
func Join(a, b safe.Text) safe.Text {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// ErrorCode is the code of an error as it was written; of none it is empty.
func ErrorCode(e *mcp.RPCError) safe.Text {
	if e == nil {
		return ""
	}
	return safe.LineN(e.CodeWords(), 40)
}

// ErrorMessage is the message of an error, at most so many columns of it: a string
// in quotes, and what is none as it was written.
func ErrorMessage(e *mcp.RPCError, most int) safe.Text {
	if e.Bare {
		return safe.LineN(e.Message, most)
	}
	return safe.QuotedCut(e.Message, most)
}
