package session

import (
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// What a server does not say has the defaults of the specification, and is not
// taken for its word.
func TestTheDefaultsOfAnnotations(t *testing.T) {
	requirements.Rows(t, "SRV-10")
	unsaid := mcp.Hints{ReadOnly: mcp.Hint{}, Destructive: mcp.Hint{On: true}, Idempotent: mcp.Hint{}, OpenWorld: mcp.Hint{On: true}}
	for annotations, want := range map[string]mcp.Hints{
		``:   unsaid,
		`{}`: unsaid,
		`{"readOnlyHint":"yes","destructiveHint":null,"idempotentHint":1,"openWorldHint":[]}`: unsaid,
		`{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`: {
			ReadOnly: mcp.Hint{On: true, Said: true}, Destructive: mcp.Hint{On: false, Said: true}, Idempotent: mcp.Hint{On: true, Said: true}, OpenWorld: mcp.Hint{On: false, Said: true},
		},
		`{"destructiveHint":true}`: {Destructive: mcp.Hint{On: true, Said: true}, OpenWorld: mcp.Hint{On: true}},
	} {
		it := mcp.Item{Kind: mcp.Tools, Annotations: []byte(annotations)}
		if got := it.Hints(); got != want {
			t.Errorf("%s: %+v, want %+v", annotations, got, want)
		}
	}
}

func TestWhatIsHarmlessAndWhatDestroys(t *testing.T) {
	for annotations, want := range map[string][2]bool{
		`{}`:                        {false, false},
		`{"readOnlyHint":true}`:     {true, false},
		`{"readOnlyHint":false}`:    {false, false},
		`{"destructiveHint":false}`: {true, false},
		`{"destructiveHint":true}`:  {false, true},
		`{"readOnlyHint":true,"destructiveHint":true}`: {true, true},
	} {
		it := mcp.Item{Annotations: []byte(annotations)}
		if h := it.Hints(); h.IsHarmless() != want[0] || h.Destroys() != want[1] {
			t.Errorf("%s: harmless %v, destroys %v", annotations, h.IsHarmless(), h.Destroys())
		}
	}
}
