package session

import (
	"encoding/json"
	"testing"

	"belay/session/cancel"
)

// The requests of rounds, and answers to them.
const (
	askName   = `"name":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`
	askAge    = `"age":{"method":"elicitation/create","params":{"message":"How old?","requestedSchema":{"type":"object","properties":{"age":{"type":"integer"}}}}}`
	askStory  = `"story":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Tell"}}],"maxTokens":10}}`
	askURL    = `"visit":{"method":"elicitation/create","params":{"mode":"url","message":"Go there","url":"https://example.com/x"}}`
	askRoots  = `"where":{"method":"roots/list"}`
	tellName  = `{"action":"accept","content":{"name":"Ahab"}}`
	tellStory = `{"role":"assistant","content":{"type":"text","text":"Once"},"model":"human","stopReason":"endTurn"}`
)

// inputRequired is a result with these members beside its type.
func inputRequired(members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"resultType":"input_required"` + members + `}`
}

func asking(requests string) string { return `"inputRequests":{` + requests + `}` }

// round answers the latest request of a call with input_required.
func (r *rig) round(id CallID, members string) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest, inputRequired(members))
}

// done answers the latest request of a call with a result.
func (r *rig) done(id CallID) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[]}}`, r.row(id).Latest)
	r.want(id, Done, cancel.NoVerdict)
}

// waiting are the questions that wait, oldest first.
func (r *rig) waiting() (all []QuestionView) {
	for _, p := range r.s.Questions() {
		if p.State == Waiting {
			all = append(all, p)
		}
	}
	return all
}

// tell answers the oldest question that waits.
func (r *rig) tell(result string) {
	r.t.Helper()
	all := r.waiting()
	if len(all) == 0 {
		r.t.Fatal("nothing is asked")
	}
	if _, err := r.s.Handle(r.now, Answer{Question: all[0].ID, Result: []byte(result), As: Answered}); err != nil {
		r.t.Fatal(err)
	}
	r.check()
	r.pull()
}

// again is the one request that was written since the last look.
func (r *rig) again() (id string, params map[string]json.RawMessage) {
	r.t.Helper()
	if len(r.lines) != 1 {
		r.t.Fatalf("%d lines: %v", len(r.lines), r.lines)
	}
	m := read(r.t, r.lines[0])
	r.lines = nil
	if err := json.Unmarshal(m.Params, &params); err != nil {
		r.t.Fatal(err)
	}
	return string(m.ID), params
}

// silent holds that nothing was written, and that nothing will be.
func (r *rig) silent(id CallID) {
	r.t.Helper()
	for range 4 {
		r.wait(r.s.cfg.Max / 2)
	}
	if len(r.lines) != 0 {
		r.t.Fatalf("written: %v", r.lines)
	}
	if row := r.row(id); row.IsInFlight() {
		r.t.Fatalf("still %v", row.State)
	}
}

func (r *rig) question(id QuestionID) QuestionView {
	r.t.Helper()
	for _, p := range r.s.Questions() {
		if p.ID == id {
			return p
		}
	}
	r.t.Fatalf("question %d is not kept", id)
	return QuestionView{}
}

func membersIn(t testing.TB, params json.RawMessage) (m map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(params, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
