package report

import (
	"bytes"
	"slices"
	"strings"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
	"belay/session/witness"
)

// masker hides what is secret in what is told of a call.
type masker struct{ mask *secret.Mask }

// text hides secrets in a text, also where the core has cut one: a long reason it cuts without
// a mark, and quotes in sentences that end with it.
func (m masker) text(s string) string {
	if len(s) < secret.CutReason {
		return m.mask.RedactText(s)
	}
	cut := strings.TrimSuffix(s, `"`)
	return string(m.mask.RedactCut([]byte(cut))) + s[len(cut):]
}

func (m masker) name(s string) safe.Text { return safe.LineN(m.text(s), nameMost) }

// wholeMost is how long a message may be that is looked at whole. Of a longer one only
// the beginning is read and told.
const wholeMost = 64 << 10

// message hides secrets in a message, or in the beginning of a long one.
func (m masker) message(raw []byte) []byte {
	if len(raw) > wholeMost {
		return m.mask.RedactCut(bytes.Clone(raw[:wholeMost]))
	}
	return m.mask.Redact(bytes.Clone(raw))
}

func (m masker) fault(e *mcp.RPCError) *mcp.RPCError {
	if e == nil {
		return nil
	}
	hidden := *e
	hidden.Message, hidden.Data, hidden.CodeRaw = m.text(e.Message), nil, m.mask.Redact(bytes.Clone(e.CodeRaw))
	return &hidden
}

// detail is a copy of what is known of a call, without its secrets and its results.
func (m masker) detail(d session.Detail) session.Detail {
	d.Method = m.mask.RedactMember("method", d.Method)
	d.Target, d.Note, d.Reason = m.text(d.Target), m.text(d.Note), m.text(d.Reason)
	d.Undelivered, d.ErrText = m.text(d.Undelivered), m.text(d.ErrText)
	d.Params = m.mask.Redact(bytes.Clone(d.Params))
	d.Err, d.Result = m.fault(d.Err), nil
	if d.Late != nil {
		late := *d.Late
		late.Err, late.Result = m.fault(late.Err), nil
		if late.Outcome != nil {
			outcome := *late.Outcome
			outcome.Err, outcome.Result = m.fault(outcome.Err), nil
			late.Outcome = &outcome
		}
		d.Late = &late
	}
	d.Evidence, d.Timeline = slices.Clone(d.Evidence), slices.Clone(d.Timeline)
	for i := range d.Evidence {
		d.Evidence[i].Text = m.text(d.Evidence[i].Text)
	}
	for i := range d.Timeline {
		mo := &d.Timeline[i]
		mo.Text, mo.Value = m.text(mo.Text), m.text(mo.Value)
	}
	d.Processes = m.processes(d.Processes)
	return d
}

// processes hides secrets in the command lines of processes.
func (m masker) processes(v *witness.View) *witness.View {
	if v == nil {
		return nil
	}
	hidden := *v
	hidden.Processes, hidden.Lacks = slices.Clone(v.Processes), slices.Clone(v.Lacks)
	for i := range hidden.Processes {
		hidden.Processes[i].Name = m.text(hidden.Processes[i].Name)
	}
	for i := range hidden.Lacks {
		hidden.Lacks[i] = m.text(hidden.Lacks[i])
	}
	return &hidden
}
