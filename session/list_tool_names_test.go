package session

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// onlyLists are the diagnostics of what a server offers; the simulated one
// offers nothing.
var onlyLists = map[mcp.DiagCode]bool{mcp.DiagToolName: true, mcp.DiagToolTwins: true, mcp.DiagGroupUndeclared: true, mcp.DiagGroupMissing: true, mcp.DiagExtensionName: true}

// listed is a rig whose server declares what it is told, and has answered the
// lists of the results.
func listed(t *testing.T, rev mcp.Revision, capabilities string, results map[string]string) *rig {
	t.Helper()
	r := serving(t, rev, capabilities)
	for method, result := range results {
		r.respond(method, result)
	}
	return r
}

// respond answers the last request of a method with a member of a response.
func (r *rig) respond(method, member string) {
	r.t.Helper()
	for i := len(r.lines) - 1; i >= 0; i-- {
		if f := mcp.Decode([]byte(r.lines[i])); f.Method == method {
			r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, f.ID, member)
			return
		}
	}
	r.t.Fatalf("the server never got %s; it got %q", method, r.lines)
}

// found is the only diagnostic of a code; nil when there is none.
func (r *rig) found(code mcp.DiagCode) *Diagnostic {
	var one *Diagnostic
	for _, d := range r.s.Diagnostics() {
		if d.Code == code {
			if one != nil {
				r.t.Errorf("%q is listed twice", d.Describe())
			}
			one = &d
		}
	}
	return one
}

func toolsNamed(names ...string) string {
	var list []string
	for _, n := range names {
		list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, n))
	}
	return `"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[` + strings.Join(list, ",") + `]}`
}

func TestNamesOfToolsAreJudgedAndNeverChanged(t *testing.T) {
	requirements.Rows(t, "SRV-17")
	long, endless := strings.Repeat("n", 300), strings.Repeat("n", 1e5)
	names := []string{"get_User-2.0", strings.Repeat("n", 128), "two words", "smile\U0001F600", "a/b", "", long, "dup", "Dup", "dup", endless}
	faults := map[string]string{
		"two words": "has other characters", "smile\U0001F600": "has other characters", "a/b": "has other characters",
		"": "is empty", long: "has 300 characters, where 128 is the most",
		endless: "has 100.0 kB, where 128 characters are the most",
	}
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		r := listed(t, rev, `{"tools":{}}`, map[string]string{"tools/list": toolsNamed(names...)})
		items := r.s.Catalog().Lists[mcp.Tools].Items
		if len(items) != len(names) {
			t.Fatalf("%d tools, want %d", len(items), len(names))
		}
		for i, it := range items {
			if it.Name != names[i] {
				t.Errorf("%q became %q", names[i], it.Name)
			}
			if want := faults[it.Name]; (want == "") != (it.NameFault == "") || !strings.HasPrefix(it.NameFault, want) {
				t.Errorf("%q: %q, want %q", it.Name, it.NameFault, want)
			}
			twin, twins := 0, 0
			if it.Name == "dup" {
				twin, twins = map[int]int{7: 1, 9: 2}[i], 2
			}
			if it.Twin != twin || it.Twins != twins {
				t.Errorf("%q at %d is number %d of %d", it.Name, i, it.Twin, it.Twins)
			}
		}
		n := 0
		for _, d := range r.s.Diagnostics() {
			if d.Code == mcp.DiagToolName {
				n++
			}
		}
		if n != len(faults) {
			t.Errorf("%s: told of %d names, want %d", rev, n, len(faults))
		}
		if d := r.found(mcp.DiagToolTwins); d == nil || d.Detail != `"dup", 2 times` {
			t.Errorf("twins: %+v", d)
		}
		id, _ := r.call("two words")
		if r.sent(`"tools/call"`, `"name":"two words"`) != 1 || r.row(id).Target != "two words" {
			t.Errorf("the server got %q", r.lines)
		}
	}
}

// The older revisions have no rule for names, but two of a name are told apart
// there, too.
func TestOldRevisionsHaveNoRuleForNames(t *testing.T) {
	r := listed(t, mcp.Rev20250618, `{"tools":{}}`, map[string]string{"tools/list": toolsNamed("two words", "dup", "dup")})
	if d := r.s.Diagnostics(); len(d) != 0 {
		t.Errorf("found wrong: %+v", d)
	}
	if it := r.s.Catalog().Lists[mcp.Tools].Items[2]; it.Twin != 2 || it.Twins != 2 {
		t.Errorf("number %d of %d", it.Twin, it.Twins)
	}
}
