package session

import (
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/rawjson"
)

// What belay writes by itself has keys that are well-formed, and its prefixes are
// domains written backwards.
func TestBelaysOwnKeys(t *testing.T) {
	requirements.Rows(t, "BASE-23", "BASE-24")
	for _, rev := range mcp.Supported() {
		r := ready(t, rev)
		if rev.IsModern() {
			if _, err := r.s.Handle(r.now, SetLogLevel{Level: "info"}); err != nil {
				t.Fatal(err)
			}
		}
		r.call("one")
		meta := rawjson.At(rawjson.At([]byte(r.lines[len(r.lines)-1]), "params"), "_meta")
		n := 0
		odd, err := mcp.CheckMeta(mcp.Rev20251125, meta)
		for _, what := range odd {
			if what != "reserved prefix: io.modelcontextprotocol" {
				t.Errorf("%s: %s", rev, what)
			}
		}
		if err != nil {
			t.Errorf("%s: %v", rev, err)
		}
		for m := rawjson.MembersOf(meta); ; {
			_, _, ok := m.Next()
			if !ok {
				break
			}
			n++
		}
		if want := map[bool]int{false: 1, true: 5}[rev.IsModern()]; n != want {
			t.Errorf("%s: %d keys in %s", rev, n, meta)
		}
	}
}
