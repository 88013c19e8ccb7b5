package session

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/sentence"
)

const typedTool = `{"name":"typed","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"]}},{"name":"free","inputSchema":{"type":"object"}}`

func TestStructuredContentIsDiagnosed(t *testing.T) {
	requirements.Rows(t, "SRV-12", "SRV-13", "SRV-14")
	const text = `"content":[{"type":"text","text":"{}"}],`
	for _, tt := range []struct {
		rev           mcp.Revision
		tool, members string
		want          mcp.DiagCode // the only one; DiagNone: none
	}{
		{mcp.Rev20250618, "typed", text + `"structuredContent":{"n":1}`, mcp.DiagNone},
		{mcp.Rev20250618, "typed", `"content":[{"type":"text","text":"{}"}]`, mcp.DiagNoStructured},
		{mcp.Rev20251125, "typed", `"content":[{"type":"text","text":"{}"}]`, mcp.DiagNoStructured},
		{mcp.Rev20260728, "typed", `"content":[{"type":"text","text":"{}"}]`, mcp.DiagNoStructured},
		{mcp.Rev20251125, "typed", `"content":[{"type":"text","text":"it failed"}],"isError":true`, mcp.DiagNone},
		{mcp.Rev20250326, "typed", `"content":[{"type":"text","text":"{}"}]`, mcp.DiagNone}, // it knows no output schemas
		{mcp.Rev20251125, "free", `"content":[{"type":"text","text":"{}"}]`, mcp.DiagNone},
		{mcp.Rev20251125, "free", `"content":[],"structuredContent":{}`, mcp.DiagNoFallback},
		{mcp.Rev20251125, "free", `"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{}`, mcp.DiagNoFallback},
		{mcp.Rev20250618, "free", text + `"structuredContent":[1]`, mcp.DiagStructuredKind},
		{mcp.Rev20251125, "free", text + `"structuredContent":null`, mcp.DiagStructuredKind},
		{mcp.Rev20260728, "free", text + `"structuredContent":[1]`, mcp.DiagNone},
		{mcp.Rev20260728, "free", text + `"structuredContent":null`, mcp.DiagNone},
	} {
		r := offering(t, tt.rev, typedTool)
		r.returns("tools/call", `{"name":"`+tt.tool+`"}`, tt.members)
		for _, code := range []mcp.DiagCode{mcp.DiagNoStructured, mcp.DiagNoFallback, mcp.DiagStructuredKind, mcp.DiagOutputSchema} {
			want := 0
			if code == tt.want {
				want = 1
			}
			if n := r.diag(code); n != want {
				t.Errorf("%s %s %s: %d times %q", tt.rev, tt.tool, tt.members, n, code.Words())
			}
		}
	}
}

// The schema is that which the tool had when the answer came, and what the check
// found is told once, about the message that it concerns.
func TestTheCheckOfStructuredContent(t *testing.T) {
	requirements.Rows(t, "SRV-11", "SRV-12")
	r := offering(t, mcp.Rev20251125, typedTool)
	id, found := r.returns("tools/call", `{"name":"typed"}`, `"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":"x"}`)
	_, answer := r.s.HistorySpan()
	if len(found) > 0 {
		t.Fatalf("found before anybody looked: %q", found)
	}
	if _, err := r.s.Handle(r.now, Reload{}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	for _, row := range r.s.InFlight(nil, 10) {
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"tools":[]}}`, row.Wire)
	}
	task, ok := r.s.NextCheck()
	if !ok || task.Call != id || string(task.Schema) != `{"type":"object","required":["n"]}` || !strings.Contains(string(task.Result), `"n":"x"`) {
		t.Fatalf("%+v, %v", task, ok)
	}
	report := SchemaReport{Faults: []SchemaFault{{`"n"`, "must be a number"}}, Blind: []string{"$dynamicRef"}}
	r.s.Tell(r.now, SchemaChecked{Call: id, Report: report})
	r.s.Tell(r.now, SchemaChecked{Call: id, Report: SchemaReport{}})
	d, _ := r.s.Detail(id)
	if d.Conformity != Breaks || d.Schema.Faults[0] != report.Faults[0] || d.Schema.Blind[0] != "$dynamicRef" {
		t.Errorf("%v %+v", d.Conformity, d.Schema)
	}
	marked := r.s.DiagnosticsOf(answer)
	if len(marked) != 1 || marked[0].Code != mcp.DiagOutputSchema || marked[0].Detail != `"n": must be a number` || marked[0].Count != 1 {
		t.Errorf("%+v", marked)
	}
	if c := marked[0].Cite(mcp.Rev20251125); c.Page != "server/tools" || !strings.Contains(c.Rule, "MUST provide structured results that conform") {
		t.Errorf("%+v", c)
	}
	if _, ok := r.s.NextCheck(); ok {
		t.Error("it is to be checked again")
	}
	for report, want := range map[string]Conformity{"": Conforms, "dialect not supported: draft-04": Uncheckable} {
		r := offering(t, mcp.Rev20260728, typedTool)
		id, _ := r.returns("tools/call", `{"name":"typed"}`, `"content":[{"type":"text","text":"{}"}],"structuredContent":7`)
		r.s.Tell(r.now, SchemaChecked{Call: id, Report: SchemaReport{NotChecked: report}})
		if d, _ := r.s.Detail(id); d.Conformity != want || r.diag(mcp.DiagOutputSchema) != 0 {
			t.Errorf("%q: %v", report, d.Conformity)
		}
	}
}

// What nobody checks takes no more and more memory, and a report is bounded.
func TestChecksAreBounded(t *testing.T) {
	r := offering(t, mcp.Rev20251125, typedTool)
	var first, last CallID
	for range maxTasks + 1 {
		last, _ = r.returns("tools/call", `{"name":"typed"}`, `"content":[{"type":"text","text":"{}"}],"structuredContent":{}`)
		if first == 0 {
			first = last
		}
	}
	if d, _ := r.s.Detail(first); d.Conformity != Uncheckable || d.Schema.NotChecked == "" {
		t.Errorf("the first: %v", d.Conformity)
	}
	if task, _ := r.s.NextCheck(); task.Call != first+1 {
		t.Errorf("the next is %d", task.Call)
	}
	long := SchemaReport{Faults: make([]SchemaFault, 500)}
	long.Faults[0].Why = strings.Repeat("x", 5000)
	r.s.Tell(r.now, SchemaChecked{Call: last, Report: long})
	if d, _ := r.s.Detail(last); len(d.Schema.Faults) != maxFaults || !d.Schema.More || len(d.Schema.Faults[0].Why) > sentence.Limit+5 {
		t.Errorf("%d faults", len(d.Schema.Faults))
	}
	if len(r.s.results.unjudged) != maxTasks-1 {
		t.Errorf("%d wait", len(r.s.results.unjudged))
	}
}

// A result that made room before anybody checked it is not said to be checked
// for ever.
func TestAResultThatIsForgottenIsNotChecked(t *testing.T) {
	r := opened(t, Config{Pin: mcp.Rev20251125, HistoryBytes: 1 << 20})
	r.agree(mcp.Rev20251125, `{"tools":{}}`)
	r.respond("tools/list", `"result":{"tools":[`+typedTool+`]}`)
	first, _ := r.returns("tools/call", `{"name":"typed"}`, `"content":[{"type":"text","text":"{}"}],"structuredContent":{}`)
	if d, _ := r.s.Detail(first); d.Conformity != Unjudged {
		t.Fatalf("at first: %v", d.Conformity)
	}
	last, _ := r.returns("tools/call", `{"name":"typed"}`, `"content":[{"type":"text","text":"`+strings.Repeat("x", 600<<10)+`"}],"structuredContent":{}`)
	if d, _ := r.s.Detail(first); d.Dropped == 0 || d.Conformity != Uncheckable || d.Schema.NotChecked != "the result is no longer kept" {
		t.Errorf("%d bytes dropped: %v %q", d.Dropped, d.Conformity, d.Schema.NotChecked)
	}
	if task, ok := r.s.NextCheck(); !ok || task.Call != last || len(r.s.results.unjudged) != 1 {
		t.Errorf("the next is %d, of %d", task.Call, len(r.s.results.unjudged))
	}
}

// What came of a check is in the journal: a replay tells the same.
func TestACheckIsReplayed(t *testing.T) {
	r := newRig(t, Config{})
	lines := newTape(r.s, nil)
	r.connect()
	r.agree(mcp.Rev20251125, `{"tools":{}}`)
	r.answerList(mcp.Tools, "", typedTool)
	id, _ := r.returns("tools/call", `{"name":"typed"}`, `"content":[{"type":"text","text":"{}"}],"structuredContent":{}`)
	r.s.Tell(r.now, SchemaChecked{Call: id, Report: SchemaReport{Faults: []SchemaFault{{`"n"`, "required"}}}})
	p := replayed(t, r, lines)
	want, _ := r.s.Detail(id)
	got, _ := p.s.Detail(id)
	if got.Conformity != Breaks || len(got.Schema.Faults) != 1 || got.Schema.Faults[0] != want.Schema.Faults[0] {
		t.Errorf("%v %+v, want %+v", got.Conformity, got.Schema, want.Schema)
	}
}

// In a recording that is masked, what a report quotes is masked as well.
func TestAReportIsMasked(t *testing.T) {
	hidden := `use sk-abcdefghijklmnopqrst for it`
	in := SchemaChecked{Call: 1, Report: SchemaReport{Faults: []SchemaFault{{"", "must be " + hidden}}, Blind: []string{hidden}, NotChecked: hidden}}
	_, text, err := EncodeInput(Masked(in, unkeyed))
	if line := string(text); err != nil || strings.Contains(line, "sk-abc") || !strings.Contains(line, "must be") {
		t.Errorf("%s, %v", line, err)
	}
}
