package session

import (
	"testing"

	"belay/internal/covers"
)

// What a server does not say has the defaults of the specification, and is not
// taken for its word.
func TestTheDefaultsOfAnnotations(t *testing.T) {
	covers.Rows(t, "SRV-10")
	unsaid := Hints{ReadOnly: Hint{}, Destructive: Hint{On: true}, Idempotent: Hint{}, OpenWorld: Hint{On: true}}
	for annotations, want := range map[string]Hints{
		``:   unsaid,
		`{}`: unsaid,
		`{"readOnlyHint":"yes","destructiveHint":null,"idempotentHint":1,"openWorldHint":[]}`: unsaid,
		`{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`: {
			ReadOnly: Hint{true, true}, Destructive: Hint{false, true}, Idempotent: Hint{true, true}, OpenWorld: Hint{false, true},
		},
		`{"destructiveHint":true}`: {Destructive: Hint{true, true}, OpenWorld: Hint{On: true}},
	} {
		it := Item{Kind: Tools, Annotations: []byte(annotations)}
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
		it := Item{Annotations: []byte(annotations)}
		if h := it.Hints(); h.Harmless() != want[0] || h.Destroys() != want[1] {
			t.Errorf("%s: harmless %v, destroys %v", annotations, h.Harmless(), h.Destroys())
		}
	}
}
