package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// resultInputRequired is the resultType of an answer that is none yet: the
// server wants something first, and the call is then made again (MRT-01).
const resultInputRequired = "input_required"

// InputNote is what Decode found in a result that says input_required.
type InputNote struct {
	Asked bool       // there are inputRequests, perhaps none in them
	Asks  []InputAsk // in the order in which they stand there
	Count int        // how many there are; more than MaxInputs are not read
	State []byte     // requestState to the letter, a JSON string; nil: none
	Sum   string     // a short digest of the state, to tell two apart; empty: none

	same  [sha256.Size]byte // of all of it: two rounds that ask the same are alike
	wrong string            // why the result is no proper one; empty: it is
}

// InputAsk is one of the requests in a result that says input_required.
type InputAsk struct {
	Key    string
	Method string
	Params []byte // raw JSON; nil: none

	key  []byte // to the letter, a JSON string: the answer repeats it
	note *AskNote
}

// MaxInputs bounds the requests of one round. A round with more is refused.
const MaxInputs = 100

// maxState bounds the state that belay carries back to the server.
const maxState = 4 << 20

// inputNote reads a result that is an object and says input_required. The state
// is not looked into: it is the server's (MRT-11).
func inputNote(result []byte) *InputNote {
	n := new(InputNote)
	var asks, state []byte
	for m := membersOf(result); ; {
		name, value, ok := m.next()
		if !ok {
			break
		}
		var member *[]byte
		switch string(name) {
		case "inputRequests":
			member = &asks
		case "requestState":
			member = &state
		default:
			continue
		}
		if *member != nil {
			n.refuse("%s stands there twice", name)
		}
		*member = value
	}
	all := sha256.New()
	all.Write(asks)
	all.Write([]byte{0})
	all.Write(state)
	all.Sum(n.same[:0])
	if asks == nil && state == nil {
		n.refuse("neither inputRequests nor requestState")
	}
	switch k := jsonKind(state); {
	case k == 0:
	case k != '"':
		n.refuse("requestState is %s, not a string", kindWords(state))
	case len(state) > maxState:
		n.refuse("requestState takes %s; belay carries at most %s back", sizeText(len(state)), sizeText(maxState))
	default:
		n.State = state
		sum := sha256.Sum256(state)
		n.Sum = hex.EncodeToString(sum[:4])
	}
	n.asks(asks)
	return n
}

// refuse notes why the result is no proper one. The first reason is told.
func (n *InputNote) refuse(format string, args ...any) {
	if n.wrong == "" {
		n.wrong = fmt.Sprintf(format, args...)
	}
}

func (n *InputNote) asks(asks []byte) {
	switch n.Asked = asks != nil; {
	case !n.Asked:
		return
	case jsonKind(asks) != '{':
		n.refuse("inputRequests is %s, not an object", kindWords(asks))
		return
	}
	seen := map[string]bool{}
	for m := membersOf(asks); ; {
		key := nameToken(m)
		name, value, ok := m.next()
		if !ok {
			break
		}
		n.Count++
		if n.Count > MaxInputs {
			continue
		}
		if seen[string(name)] {
			n.refuse("two requests have the key %q", excerpt(name))
		}
		seen[string(name)] = true
		n.ask(InputAsk{Key: decodeText(key), key: key}, value)
	}
	if n.Count > MaxInputs {
		n.refuse("%d requests in one answer; belay takes %d", n.Count, MaxInputs)
	}
}

// ask reads one of the requests: only three kinds may be there (MRT-06).
func (n *InputNote) ask(a InputAsk, value []byte) {
	what := fmt.Sprintf("the request %q", excerpt([]byte(a.Key)))
	if jsonKind(value) != '{' {
		n.refuse("%s is %s, not an object", what, kindWords(value))
		return
	}
	method, ok := textAt(value, "method")
	a.Method, a.Params = method, at(value, "params")
	switch {
	case !ok:
		n.refuse("%s has no method", what)
	case asksUser[method]:
		a.note = askNote(method, a.Params)
	case method != "roots/list":
		n.refuse("%s is %s, which cannot be asked for in an answer", what, named(method))
	}
	n.Asks = append(n.Asks, a)
}

// nameToken is the name of the member that m comes to next, to the letter; nil
// when there is none.
func nameToken(m members) []byte {
	i := skipSpace(m.b, m.i)
	if m.b[i] == ',' {
		i = skipSpace(m.b, i+1)
	}
	if m.b[i] != '"' {
		return nil
	}
	end := skipString(m.b, i)
	return m.b[i:end:end]
}
