package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"belay/session/rawjson"
)

// most is how many rules a file may have.
const most = 1000

// members are the members of a rule, as they stand in a file.
var members = []string{"method", "contains", "action", "content", "text", "model", "times"}

// wanted says what a file is to be.
const wanted = `a JSON list of answers is wanted, such as [{"contains": "branch", "content": {"branch": "main"}}]`

// Parse reads a file: a JSON list of rules. What it does not know is an error, so that a
// mistyped member does not go unseen. The error names the line, the answer and the member, and
// what is wanted there.
func Parse(raw []byte) (*Rules, error) {
	p := &parser{raw: raw, d: json.NewDecoder(bytes.NewReader(raw))}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, errors.New("the file is empty: " + wanted)
	}
	var r Rules
	switch start, err := p.d.Token(); {
	case err != nil:
		return nil, p.broken(err)
	case start != json.Delim('['):
		return nil, p.fault("%s", wanted)
	}
	for p.d.More() {
		if len(r.list) == most {
			return nil, p.fault("there are more than %d answers", most)
		}
		p.answer = len(r.list) + 1
		rule, err := p.rule()
		if err != nil {
			return nil, err
		}
		r.list = append(r.list, rule)
	}
	p.answer = 0
	if _, err := p.d.Token(); err != nil {
		return nil, p.broken(err)
	}
	if _, err := p.d.Token(); !errors.Is(err, io.EOF) {
		return nil, p.fault("there is something behind the list of answers")
	}
	return &r, nil
}

// parser reads the rules of a file one after the other.
type parser struct {
	raw    []byte
	d      *json.Decoder
	answer int // the number of the one that is read; 0: none is
}

// line is the number of the line that the byte before an offset stands in.
func (p *parser) line(offset int64) int {
	return 1 + bytes.Count(p.raw[:min(max(0, offset-1), int64(len(p.raw)))], []byte("\n"))
}

// fault is an error about what was read last.
func (p *parser) fault(format string, args ...any) error {
	return p.faultAt(p.line(p.d.InputOffset()), format, args...)
}

func (p *parser) faultAt(line int, format string, args ...any) error {
	place := fmt.Sprintf("line %d: ", line)
	if p.answer > 0 {
		place = fmt.Sprintf("line %d, answer %d: ", line, p.answer)
	}
	return errors.New(place + fmt.Sprintf(format, args...))
}

// broken is an error about what is no JSON.
func (p *parser) broken(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return p.faultAt(p.line(int64(len(p.raw))), "the file ends in the middle of the list: a %q is missing", "]")
	case errors.As(err, &syntax):
		at := syntax.Offset // behind the byte that is wrong, or at it
		if !strings.Contains(syntax.Error(), "in string") {
			at++
		}
		return p.faultAt(p.line(at), "this is no JSON: %s", err)
	}
	return p.fault("this is no JSON: %s", err)
}

// rule reads one rule.
func (p *parser) rule() (r Rule, err error) {
	start, err := p.d.Token()
	line := p.line(p.d.InputOffset())
	switch {
	case err != nil:
		return r, p.broken(err)
	case start != json.Delim('{'):
		return r, p.faultAt(line, "an answer is an object, with the members %s", list(members))
	}
	lines := map[string]int{}
	for p.d.More() {
		key, err := p.d.Token()
		if err != nil {
			return r, p.broken(err)
		}
		name, at := fmt.Sprint(key), p.line(p.d.InputOffset())
		var value json.RawMessage
		if err := p.d.Decode(&value); err != nil {
			return r, p.broken(err)
		}
		switch {
		case lines[name] > 0:
			return r, p.faultAt(at, "%q stands there twice", name)
		case !slices.Contains(members, name):
			return r, p.faultAt(at, "%q is no member of an answer: %s", name, list(members))
		}
		lines[name] = at
		if want := r.set(name, value); want != "" {
			return r, p.faultAt(at, "%q is to be %s, and is %s", name, want, shown(value))
		}
	}
	if _, err := p.d.Token(); err != nil { // its end
		return r, p.broken(err)
	}
	if member, why := r.fault(); why != "" {
		return r, p.faultAt(lines[member], "%s", why)
	}
	return r, nil
}

// set takes the value of a member. It returns what the value is to be, where it is something
// else.
func (r *Rule) set(name string, value []byte) (want string) {
	switch name {
	case "content":
		if r.Content = value; rawjson.Kind(value) != '{' {
			return "a JSON object"
		}
	case "times":
		n, err := strconv.ParseFloat(string(value), 64)
		if err != nil || n < 1 || n != math.Trunc(n) || n > math.MaxInt32 {
			return "a whole number from 1; without it the answer is given as often as it fits"
		}
		r.Times = int(n)
	default:
		text, ok := rawjson.Text(value)
		if !ok {
			return "a text"
		}
		*map[string]*string{"method": &r.Method, "contains": &r.Contains, "action": &r.Action, "text": &r.Text, "model": &r.Model}[name] = text
	}
	return ""
}

// fault is what is wrong with a rule as a whole, and the member that shows it.
func (r *Rule) fault() (member, why string) {
	switch {
	case r.Method != "" && r.Method != elicit && r.Method != sample:
		return "method", fmt.Sprintf(`"method" %q asks nobody: it is to be %q or %q; without it the answer is for either`, r.Method, elicit, sample)
	case r.Action != "" && r.Action != "accept" && r.Action != "decline" && r.Action != "cancel":
		return "action", fmt.Sprintf(`"action" %q: it is to be "accept", "decline" or "cancel"`, r.Action)
	case r.Content != nil && r.Method == sample:
		return "content", `"content" is for forms; sampling is answered with "text"`
	case r.Text != "" && r.Method == elicit:
		return "text", `"text" is for sampling; a form is answered with "content"`
	}
	return "", ""
}

// shown is a value in a sentence: a short number as it stands, of all else the kind.
func shown(value []byte) string {
	if kind := rawjson.KindWords(value); kind != "a number" || len(value) > 20 {
		return kind
	}
	return string(value)
}

// list is words with their marks, such as "a", "b" or "c".
func list(words []string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(w))
	}
	return b.String()
}
