package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// What a server calls itself changes nothing that belay does: the same peer
// under other names is sent the same bytes at the same moments.
func TestNothingDependsOnTheNameOfTheServer(t *testing.T) {
	requirements.Rows(t, "VER-47")
	played := func(rev mcp.Revision, info string) (written []string, end Row) {
		r := opened(t, Config{Pin: rev})
		caps := `{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"logging":{}}`
		result := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":%s}`, rev, caps, info)
		if rev.IsModern() {
			result = fmt.Sprintf(`{"resultType":"complete","supportedVersions":[%q],"capabilities":%s,"_meta":{"io.modelcontextprotocol/serverInfo":%s}}`, rev, caps, info)
		}
		r.recv(`{"jsonrpc":"2.0","id":%d,"result":%s}`, r.s.cfg.FirstID, result)
		if st := r.s.Status(); st.Phase != Ready || st.Server.Version == "" {
			t.Fatalf("%s, %s: %+v", rev, info, st)
		}
		id, wire := r.call("careful")
		r.recv(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}`)
		r.recv(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
		r.cancel(id, "enough")
		r.wait(3 * time.Second)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
		r.wait(time.Minute)
		return r.lines, r.row(id)
	}
	for _, rev := range mcp.Supported() {
		want, end := played(rev, `{"name":"peer","version":"1"}`)
		if len(want) < 5 {
			t.Fatalf("%s: no more was written than %q", rev, want)
		}
		for _, name := range []string{`"belay demo"`, `"mcp-servers/everything"`, `"Claude"`, `"\u001b[31mroot"`, `""`} {
			lines, row := played(rev, fmt.Sprintf(`{"name":%s,"title":%s,"version":"99"}`, name, name))
			if !slices.Equal(lines, want) || row.State != end.State || row.Verdict != end.Verdict {
				t.Errorf("%s: called %s the server got %q, %v; else %q, %v", rev, name, lines, row.Verdict, want, end.Verdict)
			}
		}
	}
}

// Who the server is, it says in any result; it is its own word.
func TestWhoTheServerSaysItIs(t *testing.T) {
	requirements.Rows(t, "VER-46")
	r := opened(t, Config{Pin: mcp.Rev20260728})
	r.recv(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`)
	if s := r.s.Status().Server; s.Name != "" {
		t.Errorf("%+v", s)
	}
	r.lists(fresh + `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"late","version":"2"}}`)
	if s := r.s.Status().Server; s.Name != "late" || s.Version != "2" || !s.Claimed {
		t.Errorf("%+v", s)
	}
}
