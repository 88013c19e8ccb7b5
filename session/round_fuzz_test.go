package session

import (
	"encoding/json"
	"testing"

	"belay/session/mcp"
	"belay/session/rawjson"
)

// Whatever a server asks for and whatever a call was made with: the parameters
// that it is made again with are JSON, its state stands in them to the letter,
// and every key has one answer.
func FuzzRoundParams(f *testing.F) {
	f.Add([]byte(inputRequired(asking(askName+","+askRoots)+`,"requestState":"\ud800\u0041"`)), []byte(`{"name":"t","_meta":{"progressToken":1,"x":2}}`))
	f.Add([]byte(inputRequired(asking("")+`,"requestState":""`)), []byte(` { "requestState" : 7 , "inputResponses":{} } `))
	f.Add([]byte(inputRequired(`"requestState":"a","requestState":"b"`)), []byte(nil))
	f.Add([]byte(inputRequired(`"inputRequests":{"":{"method":"ping"},"\u0000":7}`)), []byte(`{"_meta":{"progressToken":"own"}}`))
	f.Fuzz(func(t *testing.T, result, params []byte) {
		if len(params) > 0 && mcp.CheckObject(params) != nil {
			return
		}
		frame := mcp.Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":` + string(result) + `}`))
		n := frame.Inputs
		if n == nil || n.Wrong != "" {
			return
		}
		ro := &round{asked: n.Asked, state: n.State}
		for _, a := range n.Asks {
			ro.inputs = append(ro.inputs, &serverRequest{question: question{key: a.Token, answer: []byte(`{"action":"cancel"}`)}})
		}
		b := ro.params(params)
		if !mcp.IsWellFormed(b) || string(rawjson.At(b, "requestState")) != string(n.State) {
			t.Fatalf("made again with %s, the state is %s", b, n.State)
		}
		if _, own := mcp.OwnToken(b); own {
			t.Fatalf("the token of the user's is used twice: %s", b)
		}
		var answers map[string]json.RawMessage
		if n.Asked && (json.Unmarshal(rawjson.At(b, "inputResponses"), &answers) != nil || len(answers) > len(n.Asks)) {
			t.Fatalf("%d were asked for: %s", len(n.Asks), b)
		}
	})
}
