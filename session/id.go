package session

// idKind is the JSON type of an ID.
type idKind uint8

const (
	idNone   idKind = iota
	idInt           // an integer that fits int64, in num
	idNumber        // any other number, in text, in canonical decimal form
	idString        // a string, in text, decoded
)

// ID is a JSON-RPC request ID or a progress token: a string or a number,
// compared by type and value and never through a float, so that "1" is not 1,
// 9007199254740993 is not 9007199254740992, and 1.0 and 1e0 are 1 (BASE-02,
// BASE-06, CXS-22). The zero ID is no ID. IDs are comparable with == and may be
// the keys of a map.
type ID struct {
	kind idKind
	num  int64
	text string
}

// IntID is the ID that is the integer n.
func IntID(n int64) ID { return ID{kind: idInt, num: n} }

// StringID is the ID that is the string s. The empty string is an ID.
func StringID(s string) ID { return ID{kind: idString, text: s} }

// IsZero says whether there is no ID.
func (id ID) IsZero() bool { return id.kind == idNone }
