package session

import (
	"time"

	"belay/session/mcp"
)

// maxDiags bounds the list of diagnostics; more subjects of a code are counted
// with its last one.
const maxDiags = 1000

//shape:part of log
type diagKey struct {
	code    mcp.DiagCode
	call    CallID
	subject string
}

// diags is what was found wrong, one entry for each code, call and subject.
//
//shape:part of log
type diags struct {
	list  []*Diagnostic
	index map[diagKey]*Diagnostic
	rev   uint64
	marks []diagMark // the latest messages that one is about, in a ring
	next  int
}

// diagMark is what was wrong with one message.
//
//shape:part of log
type diagMark struct {
	entry  Seq
	d      *Diagnostic
	detail string
}

// maxMarked bounds the messages whose faults are remembered.
const maxMarked = 4096

func (d *diags) mark(m diagMark) {
	if len(d.marks) < maxMarked {
		d.marks = append(d.marks, m)
		return
	}
	d.marks[d.next%maxMarked] = m
	d.next++
}

func (d *diags) init() { d.index = map[diagKey]*Diagnostic{} }

// Diagnostics are copies of all that was found wrong, oldest first.
func (l *log) Diagnostics() []Diagnostic {
	out := make([]Diagnostic, len(l.diags.list))
	for i, d := range l.diags.list {
		out[i] = *d
	}
	return out
}

// DiagnosticsOf is what was found wrong with one message of the history, as far
// as it is kept.
func (l *log) DiagnosticsOf(q Seq) (out []Diagnostic) {
	for _, m := range l.diags.marks {
		if m.entry == q {
			d := *m.d
			d.Entry, d.Detail, d.Count, d.Mixed = q, m.detail, 1, false
			out = append(out, d)
		}
	}
	return out
}

// Describe says in one sentence what is wrong. It may hold foreign text.
func (d Diagnostic) Describe() string {
	text := d.Code.Words()
	if d.Detail != "" {
		text += ": " + d.Detail
	}
	return text
}

// Remedy is what can be done about it.
func (d Diagnostic) Remedy() Remedy {
	if d.Code == mcp.DiagOversize {
		return Remedy{Kind: RemedyLimit}
	}
	return Remedy{}
}

// Cite is what the specification says in a revision; see [DiagCode.Cite].
func (d Diagnostic) Cite(rev mcp.Revision) mcp.Citation { return d.Code.Cite(rev) }

// Diagnostic is something that the server did wrong, or that belay wants known
// about it. Repetitions of the same code for the same subject are counted, not
// listed.
type Diagnostic struct {
	Code   mcp.DiagCode
	First  time.Time
	Last   time.Time
	Count  int
	Call   CallID // 0 when it concerns none
	Entry  Seq    // the message in the history that showed it first
	Detail string // foreign text, unsanitised: of the first one
	Mixed  bool   // others had another detail
}
