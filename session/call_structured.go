package session

import (
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// Conformity is how structured content relates to the outputSchema of its tool.
type Conformity uint8

// The conformities.
const (
	NoSchema    Conformity = iota // there is nothing to check, or no schema to check it by
	Unjudged                      // it is still to be checked
	Conforms                      // it keeps to the schema
	Breaks                        // it does not; Faults say where
	Uncheckable                   // nobody knows; Refused says why
)

// SchemaReport is what a check of structured content by an outputSchema came to.
// All of it may quote what the server wrote.
type SchemaReport struct {
	Faults     []SchemaFault `json:"faults,omitempty"`
	More       bool          `json:"more,omitempty"`    // there are faults beside those
	NotChecked string        `json:"refused,omitempty"` // why it cannot be checked; empty when it was
	Blind      []string      `json:"blind,omitempty"`   // parts of the schema that cannot be checked
}

// SchemaFault is what is wrong with a value, and where in the whole. An empty
// Where is the whole itself.
type SchemaFault struct {
	Where string `json:"where,omitempty"`
	Why   string `json:"why"`
}

// SchemaTask is a check that is to be made: whether the structuredContent of a
// result keeps to a schema. Its bytes are shared and never change.
type SchemaTask struct {
	Call   CallID
	Schema []byte
	Result []byte // the whole result
}

// structured is what is known of the structured content of a call's result.
//
//shape:part of call
type structured struct {
	conformity Conformity
	report     SchemaReport
	schema     []byte // while it is to be checked
	entry      Seq    // the message that brought it
}

// Limits of what is kept of a report, as it quotes foreign text.
const (
	maxFaults = 20
	maxTasks  = 1000
)

// learnOutputs takes the schemas of what tools return, and whether they run as tasks, by the
// names of the tools.
func (g *catalog) learnOutputs(tools []mcp.Item) {
	for i := range tools {
		it := &tools[i]
		if delete(g.tasks, it.Name); it.TakesTask {
			if g.tasks == nil {
				g.tasks = map[string]bool{}
			}
			g.tasks[it.Name] = it.NeedsTask
		}
		if it.OutputSchema == nil {
			delete(g.outputs, it.Name)
			continue
		}
		if g.outputs == nil {
			g.outputs = map[string][]byte{}
		}
		g.outputs[it.Name] = it.OutputSchema
	}
}

// checkStructured tells what is wrong with the structured content of a tool's result, and sees to
// it that it is checked by the schema that the tool has now. That is done outside: it takes its
// time (SRV-11, SRV-12; server/tools).
func (r *results) checkStructured(c *call, f *mcp.Frame, schema []byte) {
	if c.Method != "tools/call" || r.conn.rev < mcp.Rev20250618 {
		return
	}
	kind := f.Shape.Members[mcp.MemStructured]
	if kind == 0 {
		if schema != nil && !f.Shape.IsError {
			r.diagnose(mcp.DiagNoStructured, c.id, "", "")
		}
		return
	}
	if kind != '{' && !r.conn.rev.IsModern() {
		r.diagnose(mcp.DiagStructuredKind, c.id, "", "it is "+rawjson.KindWord(kind))
	}
	if !f.Shape.HasText {
		r.diagnose(mcp.DiagNoFallback, c.id, "", "no text fallback")
	}
	r.awaitCheck(c, f, schema)
}

// NextCheck is the check of structured content that is to be made next, and false
// when there is none. The core makes none by itself: a check takes as long as a
// server likes. Whoever holds the session makes it, outside of the lock, and tells
// [SchemaChecked]; while nobody does, the result stays [Unjudged], and nothing else
// waits for that. Of more than a thousand that wait, the oldest cannot be judged any
// more.
func (s *Session) NextCheck() (SchemaTask, bool) {
	for _, c := range s.results.unjudged {
		if c.result != nil { // the row is kept, and the answer has been taken
			return SchemaTask{Call: c.id, Schema: c.judged.schema, Result: c.result}, true
		}
	}
	return SchemaTask{}, false
}

// SchemaChecked tells what a check of structured content came to. A report that
// nobody awaits changes nothing.
type SchemaChecked struct {
	never
	Call   CallID       `json:"call"`
	Report SchemaReport `json:"report"`
}

func (in SchemaChecked) apply(s *Session) Reply {
	c, report := s.rows.get(in.Call), in.Report.bounded()
	if c == nil || c.judged == nil || c.judged.conformity != Unjudged {
		return Reply{}
	}
	to := Conforms
	switch {
	case report.NotChecked != "":
		to = Uncheckable
	case len(report.Faults) > 0:
		to = Breaks
		s.hist.about(c.judged.entry)
		s.diagnose(mcp.DiagOutputSchema, in.Call, "", in.Report.Faults[0].words())
	}
	s.results.onJudged(c, to, report)
	return Reply{}
}

func (in SchemaChecked) masked(m masker) Input {
	in.Report = m.report(in.Report)
	return in
}

// report masks the texts of a report.
func (m masker) report(r SchemaReport) SchemaReport {
	r = r.bounded()
	r.NotChecked = m.text(r.NotChecked)
	for i, f := range r.Faults {
		r.Faults[i] = SchemaFault{m.text(f.Where), m.text(f.Why)}
	}
	for i, part := range r.Blind {
		r.Blind[i] = m.text(part)
	}
	return r
}

func (f SchemaFault) words() string {
	if f.Where == "" {
		return f.Why
	}
	return f.Where + ": " + f.Why
}

// bounded is a copy of the report that is short enough to be kept.
func (r SchemaReport) bounded() SchemaReport {
	short := SchemaReport{More: r.More || len(r.Faults) > maxFaults, NotChecked: sentence.Clip(r.NotChecked)}
	for _, f := range r.Faults[:min(len(r.Faults), maxFaults)] {
		short.Faults = append(short.Faults, SchemaFault{sentence.Clip(f.Where), sentence.Clip(f.Why)})
	}
	for _, b := range r.Blind[:min(len(r.Blind), maxFaults)] {
		short.Blind = append(short.Blind, sentence.Clip(b))
	}
	return short
}

// view is what the detail shows of it.
func (st *structured) view() (Conformity, SchemaReport) {
	if st == nil {
		return NoSchema, SchemaReport{}
	}
	return st.conformity, st.report
}
