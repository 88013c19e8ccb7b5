package form

import (
	"fmt"
	"strconv"
	"strings"
)

// Words are the kind of a value and its limits: "whole number, 1 to 10". What is
// foreign in it (a format, a pattern) is to be made safe like all of that.
func (t *Type) Words() string {
	words := t.kindWords()
	switch t.Kind {
	case Number, Integer:
		words += t.numberWords()
	case Text:
		words += span(t.MinLength, t.MaxLength, "character")
		if t.re != nil {
			words += ", as in " + patternWords(t.Pattern, shownMost)
		}
	case List, Many:
		words += span(t.MinItems, t.MaxItems, map[Kind]string{List: "item", Many: "option"}[t.Kind])
		if t.Unique && t.Kind == List {
			words += ", each once"
		}
	case JSON, Choice, Object, Variant:
	}
	if t.Nullable && t.Kind != Choice {
		words += ", or null"
	}
	return words
}

func (t *Type) kindWords() string {
	switch t.Kind {
	case Text:
		if f, ok := formats[t.Format]; ok {
			return f.words
		}
		if t.Format != "" {
			return "text, format " + nameWords(t.Format, quotedMost)
		}
		return "text"
	case Number:
		return "number"
	case Integer:
		return "whole number"
	case Choice:
		if t.Fixed {
			return "always " + nameWords(t.Options[0].Title, shownMost)
		}
		if len(t.Options) > 1 && t.Options[0].canon == "true " && t.Options[1].canon == "false " {
			return "true or false"
		}
		return fmt.Sprintf("one of %d", len(t.Options))
	case Many:
		return fmt.Sprintf("any of %d", len(t.Options))
	case List:
		if t.items != nil && len(t.prefix) == 0 {
			if kind := t.items.get().plainWords(); kind != "" {
				return "list of " + kind
			}
		}
		return "list"
	case Object:
		return "object"
	case Variant:
		return fmt.Sprintf("one of %s", plural(len(t.Variants), "kind"))
	default:
		return "any JSON; text stands in double quotes"
	}
}

// plainWords are the kind in one or two words, in the plural.
func (t *Type) plainWords() string {
	return map[Kind]string{Text: "texts", Number: "numbers", Integer: "whole numbers", Object: "objects", List: "lists", Choice: "options"}[t.Kind]
}

// countedMost is the most that JavaScript counts exactly, which its libraries write into
// schemas: as a bound, like its negative, it tells a reader nothing.
const countedMost = 1<<53 - 1

var leastSafe, mostSafe = parseDecimal("-" + strconv.FormatInt(countedMost, 10)), parseDecimal(strconv.FormatInt(countedMost, 10))

// numberWords are the limits of a number.
func (t *Type) numberWords() string {
	least, above := t.limits(t.Min, t.AboveMin, leastSafe, 1)
	most, below := t.limits(t.Max, t.BelowMax, mostSafe, -1)
	var b strings.Builder
	if least != nil && most != nil {
		b.WriteString(", " + least.String() + " to " + most.String())
		least, most = nil, nil
	}
	for _, limit := range []struct {
		words string
		of    *decimal
	}{{"at least ", least}, {"more than ", above}, {"at most ", most}, {"less than ", below}} {
		if limit.of != nil {
			b.WriteString(", " + limit.words + limit.of.String())
		}
	}
	if t.Multiple != nil {
		b.WriteString(", a multiple of " + t.Multiple.String())
	}
	return b.String()
}

// limits is the limit of one side that leaves less: with its own value or without it. Inward is
// the sign of the way from the limit to what it leaves; end is the end of what is counted exactly.
func (t *Type) limits(with, without *decimal, end decimal, inward int) (*decimal, *decimal) {
	if t.tellsNothing(with, end, inward) {
		with = nil
	}
	if t.tellsNothing(without, end, inward) {
		without = nil
	}
	switch {
	case with == nil || without == nil:
		return with, without
	case with.cmp(*without)*inward > 0:
		return with, nil
	}
	return nil, without
}

// tellsNothing reports whether a limit is an end of what is counted exactly. A limit beyond that end
// still bounds a number, but no whole number.
func (t *Type) tellsNothing(limit *decimal, end decimal, inward int) bool {
	if limit == nil {
		return false
	}
	beyond := limit.cmp(end) * inward
	return beyond == 0 || beyond < 0 && t.Kind == Integer
}

// span writes limits of a count.
func span(least, most *int, word string) string {
	if most != nil && int64(*most) >= countedMost {
		most = nil
	}
	switch {
	case least != nil && most != nil && *least == *most:
		return ", " + plural(*most, word)
	case least != nil && most != nil:
		return fmt.Sprintf(", %d to %s", *least, plural(*most, word))
	case least != nil && *least > 0:
		return ", at least " + plural(*least, word)
	case most != nil:
		return ", at most " + plural(*most, word)
	}
	return ""
}
