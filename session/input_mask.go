package session

import (
	"slices"

	"belay/session/secret"
	"belay/session/witness"
)

// Masked is the input with what is secret in its texts replaced by asterisks; nil hides nothing.
// What the input shares with others is not changed. Words of the protocol, and the structure of
// messages, stay, so that a session comes to the same states by it (LOG-13;
// server/utilities/logging).
func Masked(in Input, mask *secret.Mask) Input {
	m := masker{mask}
	switch in := in.(type) {
	case StartCall:
		in.Spec.Method, in.Spec.Params = m.member("method", in.Spec.Method), m.bytes(in.Spec.Params)
		in.Spec.Rules.Reason = m.text(in.Spec.Rules.Reason)
		return in
	case Notify:
		in.Method, in.Params = m.member("method", in.Method), m.bytes(in.Params)
		return in
	case Cancel:
		in.Reason = m.text(in.Reason)
		return in
	case WrongCancel:
		if in.Kind.Words() == "" {
			in.Kind = WrongKind(m.text(string(in.Kind)))
		}
		in.Reason = m.text(in.Reason)
		return in
	case CancelAll:
		in.Reason = m.text(in.Reason)
		return in
	case ForgetTask:
		in.ID = m.text(in.ID)
		return in
	case Disconnect:
		in.Reason = m.text(in.Reason)
		return in
	case Answer:
		in.Result = m.bytes(in.Result)
		return in
	case Refuse:
		in.Message = m.text(in.Message)
		return in
	case SetRoots:
		in.Roots = m.roots(in.Roots)
		return in
	case Skipped:
		if in.Rest != nil {
			rest := *in.Rest
			rest.Roots, rest.LogLevel = m.roots(rest.Roots), m.text(rest.LogLevel)
			in.Rest = &rest
		}
		return in
	case RootsChecked:
		in.Gone, in.Failure = m.roots(in.Gone), m.text(in.Failure)
		return in
	case Received:
		if in.Over == nil {
			in.Raw = m.bytes(in.Raw)
		} else {
			in.Raw = m.mask.RedactCut(in.Raw)
			over := *in.Over
			over.ID, over.Method = m.token("id", over.ID), m.member("method", over.Method)
			in.Over = &over
		}
		return in
	case Stderr:
		in.Line = m.bytes(in.Line)
		return in
	case ProcessSample:
		in.Sample = m.sample(in.Sample)
		return in
	case Opened:
		in.Head = m.head(in.Head)
		return in
	case EventReceived:
		in.Event.Name, in.Event.Data, in.Event.Odd = m.field("event", in.Event.Name), m.text(in.Event.Data), m.text(in.Event.Odd)
		if in.Event.ID != nil {
			id := m.field("id", *in.Event.ID)
			in.Event.ID = &id
		}
		return in
	case Ended:
		in.End.Err, in.End.Hint, in.End.Body = m.text(in.End.Err), m.text(in.End.Hint), m.text(in.End.Body)
		return in
	case Closed:
		in.Why.Status, in.Why.Err, in.Why.Stderr = m.text(in.Why.Status), m.text(in.Why.Err), m.text(in.Why.Stderr)
		return in
	case SendFailed:
		in.Why = m.text(in.Why)
		return in
	case LoggedIn:
		in.Failure = m.text(in.Failure)
		return in
	case NotRenewed:
		in.Why = m.text(in.Why)
		return in
	case NotStarted:
		in.Why = m.text(in.Why)
		return in
	case Remark:
		in.Text = m.text(in.Text)
		return in
	case SchemaChecked:
		in.Report = m.report(in.Report)
		return in
	case Subscribe:
		in.Filter.URIs = slices.Clone(in.Filter.URIs)
		for i := range in.Filter.URIs {
			in.Filter.URIs[i] = m.member("uri", in.Filter.URIs[i])
		}
		in.Filter.Tasks = slices.Clone(in.Filter.Tasks)
		for i := range in.Filter.Tasks {
			in.Filter.Tasks[i] = m.member("taskId", in.Filter.Tasks[i])
		}
		return in
	}
	return in
}

// MaskedConfig is the configuration with what is secret in it replaced in the same way.
func MaskedConfig(cfg Config, mask *secret.Mask) Config {
	m := masker{mask}
	cfg.Endpoint, cfg.Reason, cfg.Roots = m.text(cfg.Endpoint), m.text(cfg.Reason), m.roots(cfg.Roots)
	return cfg
}

// masker is a mask, or none.
type masker struct{ mask *secret.Mask }

// text masks a text, and makes it one that JSON can hold, as the session does.
func (m masker) text(s string) string {
	s = validText(s)
	if m.mask == nil {
		return s
	}
	return m.mask.RedactText(s)
}

// member masks a text as the value of a member with this name.
func (m masker) member(name, s string) string {
	s = validText(s)
	if m.mask == nil {
		return s
	}
	return m.mask.RedactMember(name, s)
}

// longField is what is kept of the name or the ID of an event, in bytes: one that is as
// long may have been cut.
const longField = 8 << 10

// field is member for what stands in a field of an event.
func (m masker) field(name, s string) string {
	if s = validText(s); len(s) < longField {
		return m.member(name, s)
	}
	return m.mask.RedactCutMember(name, s)
}

// token masks a token of JSON in the same way.
func (m masker) token(name, s string) string {
	if m.mask == nil {
		return s
	}
	return string(m.mask.RedactToken(name, []byte(s)))
}

func (m masker) bytes(b Bytes) Bytes {
	if m.mask == nil {
		return b
	}
	return m.mask.Redact(b)
}

func (m masker) roots(roots []Root) []Root {
	roots = slices.Clone(roots)
	for i := range roots {
		roots[i].URI, roots[i].Name = m.member("uri", roots[i].URI), m.text(roots[i].Name)
	}
	return roots
}

// sample masks the names and command lines of processes.
func (m masker) sample(s witness.Sample) witness.Sample {
	s.Processes, s.Connections, s.Lacks = slices.Clone(s.Processes), slices.Clone(s.Connections), slices.Clone(s.Lacks)
	for i := range s.Processes {
		p := &s.Processes[i]
		p.Name, p.Command = m.text(p.Name), m.text(p.Command)
	}
	for i := range s.Connections {
		c := &s.Connections[i]
		c.Local, c.Remote = m.text(c.Local), m.text(c.Remote)
	}
	for i := range s.Lacks {
		s.Lacks[i] = m.text(s.Lacks[i])
	}
	return s
}

func (m masker) head(h Head) Head {
	if m.mask == nil {
		return h
	}
	h = h.masked()
	h.At, h.Retry, h.Packed, h.Media = m.text(h.At), m.text(h.Retry), m.text(h.Packed), m.member("media", h.Media)
	return h
}

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
