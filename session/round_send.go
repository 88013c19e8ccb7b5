package session

import (
	"belay/session/mcp"
	"belay/session/rawjson"
)

// params are the parameters of a call that is made again: the ones of the first time, the answers
// under the keys that the server gave, and its state to the letter, if this last answer of the
// server's had one (MRT-10, MRT-12, MRT-15, MRT-16; basic/patterns/mrtr). A progress token that
// the user gave was for the first request alone.
func (ro *round) params(first []byte) []byte {
	params := rawjson.Without(first, "inputResponses", "requestState")
	if len(params) == 0 {
		params = []byte("{}")
	}
	b := rawjson.Unclosed(tokenless(params))
	if ro.asked {
		answers := []byte{'{'}
		for _, in := range ro.inputs {
			answers = rawjson.AppendMember(answers, in.key, in.answer)
		}
		b = rawjson.AppendMember(b, []byte(`"inputResponses"`), append(answers, '}'))
	}
	if ro.state != nil {
		b = rawjson.AppendMember(b, []byte(`"requestState"`), ro.state)
	}
	return append(b, '}')
}

// tokenless is an object without the progress token that the user gave: once a request has ended,
// the token may be another one's (PRG-02; basic/utilities/progress).
func tokenless(params []byte) []byte {
	if len(params) == 0 {
		return nil
	}
	if _, ok := mcp.OwnToken(params); !ok {
		return params
	}
	meta := rawjson.Without(rawjson.At(params, "_meta"), "progressToken")
	return append(rawjson.AppendMember(rawjson.Unclosed(rawjson.Without(params, "_meta")), []byte(`"_meta"`), meta), '}')
}
