package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// ResultInputRequired is the resultType of an answer that is none yet: the server wants something
// first, and the call is then made again (MRT-01; basic/patterns/mrtr).
const ResultInputRequired = "input_required"

// ResultComplete is the resultType of a result that is one.
const ResultComplete = "complete"

// InputNote is what Decode found in a result that says input_required.
type InputNote struct {
	Asked bool       // there are inputRequests, perhaps none in them
	Asks  []InputAsk // in the order in which they stand there
	Count int        // how many there are; more than MaxInputs are not read
	Bad   []string   // the keys of those that are no proper requests
	State []byte     // requestState to the letter, a JSON string; nil: none
	Sum   string     // a short digest of the state, to tell two apart; empty: none

	Digest [sha256.Size]byte // of all of it: two rounds that ask the same are alike
	Wrong  string            // why the result is no proper one; empty: it is
}

// InputAsk is one of the requests in a result that says input_required.
type InputAsk struct {
	Key    string
	Method string
	Params []byte // raw JSON; nil: none

	Token []byte   // the key to the letter, a JSON string: the answer repeats it
	Note  *AskNote // of a request that only the user can answer

	// Digest is a digest of the method and the parameters: two requests that ask the same are alike. Keyed is
	// a digest of these and the key to the letter.
	Digest, Keyed [sha256.Size]byte
}

// MaxInputs bounds the requests of one round. A round with more is refused.
const MaxInputs = 100

// MaxState bounds the state that belay carries back to the server.
const MaxState = 4 << 20

// inputNote reads a result that is an object and says input_required. The state is not looked
// into: it is the server's (MRT-11; basic/patterns/mrtr).
func inputNote(result []byte) *InputNote {
	n := new(InputNote)
	var asks, state []byte
	for m := rawjson.MembersOf(result); ; {
		name, value, ok := m.Next()
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
	all.Sum(n.Digest[:0])
	if asks == nil && state == nil {
		n.refuse("neither inputRequests nor requestState")
	}
	switch k := rawjson.Kind(state); {
	case k == 0:
	case k != '"':
		n.refuse("requestState is %s, not a string", rawjson.KindWords(state))
	case len(state) > MaxState:
		n.refuse("requestState takes %s; belay carries at most %s back", sentence.Size(len(state)), sentence.Size(MaxState))
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
	if n.Wrong == "" {
		n.Wrong = fmt.Sprintf(format, args...)
	}
}

func (n *InputNote) asks(asks []byte) {
	switch n.Asked = asks != nil; {
	case !n.Asked:
		return
	case rawjson.Kind(asks) != '{':
		n.refuse("inputRequests is %s, not an object", rawjson.KindWords(asks))
		return
	}
	seen := map[string]bool{}
	for m := rawjson.MembersOf(asks); ; {
		key := m.NameToken()
		name, value, ok := m.Next()
		if !ok {
			break
		}
		n.Count++
		if n.Count > MaxInputs {
			continue
		}
		a := InputAsk{Key: rawjson.DecodeText(key), Token: key}
		switch why := a.read(value); {
		case seen[string(name)]:
			n.refuse("two requests have the key %q", rawjson.Excerpt(name))
		case why != "":
			n.Bad = append(n.Bad, a.Key)
			n.refuse("%s", why)
		default:
			a.digest()
			n.Asks = append(n.Asks, a)
		}
		seen[string(name)] = true
	}
	if n.Count > MaxInputs {
		n.refuse("%d requests in one answer; belay takes %d", n.Count, MaxInputs)
	}
}

// read reads one of the requests, and says why it is no proper one: only three kinds may be there
// (MRT-06; basic/patterns/mrtr).
func (a *InputAsk) read(value []byte) (wrong string) {
	what := fmt.Sprintf("the request %q", rawjson.Excerpt([]byte(a.Key)))
	if rawjson.Kind(value) != '{' {
		return what + " is " + rawjson.KindWords(value) + ", not an object"
	}
	method, ok := rawjson.TextAt(value, "method")
	a.Method, a.Params = method, rawjson.At(value, "params")
	switch {
	case !ok && rawjson.At(value, "method") != nil:
		return "the method of " + what + " is " + rawjson.KindWords(rawjson.At(value, "method")) + ", not a string"
	case !ok:
		return what + " has no method"
	case AsksUser(method):
		a.Note = askNote(method, a.Params)
	case method != "roots/list":
		return what + " is " + sentence.Name(method) + ", which cannot be asked for in an answer"
	}
	return ""
}

// digest works the digests out, outside of the lock: each poll of a task lists again what it asks for,
// of any length.
func (a *InputAsk) digest() {
	all := sha256.New()
	all.Write([]byte(a.Method + " "))
	all.Write(a.Params)
	all.Sum(a.Digest[:0])
	all.Write(a.Token)
	all.Sum(a.Keyed[:0])
}

// setApart copies what may be kept of a note, as [Frame.setApart] does.
func (n *InputNote) setApart(whole int) {
	apart(whole, &n.State)
	for i := range n.Asks {
		apart(whole, &n.Asks[i].Params)
		apart(whole, &n.Asks[i].Token)
	}
}

// Words are what a round asks for, in short.
func (n *InputNote) Words() string {
	text := "nothing asked"
	switch {
	case n.Count == 1 && len(n.Asks) == 1:
		text = sentence.Name(n.Asks[0].Method)
	case n.Count == 1:
		text = "one input"
	case n.Count > 0:
		text = fmt.Sprintf("%d inputs", n.Count)
	}
	if n.State != nil {
		text += ", state " + sentence.Size(len(n.State))
	}
	return text
}
