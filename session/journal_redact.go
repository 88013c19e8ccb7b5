package session

import (
	"slices"

	"belay/session/secret"
)

// redact masks the secrets in a record before it is encoded, as some of its
// members are base64 in the line. What is shared with the core is not changed.
func (r *Record) redact(mask *secret.Mask) {
	text := func(s *string) { *s = mask.RedactText(*s) }
	member := func(name string, s *string) { *s = mask.RedactMember(name, *s) }
	switch r.Op {
	case opPin, opReload, opLogLevel: // a word of the protocol, by which it is played again
	default:
		text(&r.Reason)
	}
	r.Bytes = mask.Redact(r.Bytes)
	if r.Spec != nil {
		spec := *r.Spec
		spec.Params = mask.Redact(spec.Params)
		member("method", &spec.Method)
		text(&spec.Rules.Reason)
		r.Spec = &spec
	}
	if r.Config != nil {
		cfg := *r.Config
		text(&cfg.Endpoint)
		text(&cfg.Reason)
		cfg.Roots = maskedRoots(cfg.Roots, mask)
		r.Config = &cfg
	}
	r.Roots = maskedRoots(r.Roots, mask)
	if r.Close != nil {
		why := *r.Close
		text(&why.Status)
		text(&why.Err)
		text(&why.Stderr)
		r.Close = &why
	}
	if r.Head != nil {
		head := r.Head.masked()
		text(&head.At)
		text(&head.Retry)
		text(&head.Packed)
		member("media", &head.Media)
		r.Head = &head
	}
	if r.End != nil {
		end := *r.End
		text(&end.Err)
		text(&end.Hint)
		text(&end.Body)
		r.End = &end
	}
	if r.Event != nil {
		ev := *r.Event
		member("event", &ev.Name)
		text(&ev.Data)
		if ev.ID != nil {
			id := *ev.ID
			member("id", &id)
			ev.ID = &id
		}
		r.Event = &ev
	}
	if r.Schema != nil {
		report := r.Schema.bounded()
		text(&report.Refused)
		for i := range report.Faults {
			text(&report.Faults[i].Where)
			text(&report.Faults[i].Why)
		}
		for i := range report.Blind {
			text(&report.Blind[i])
		}
		r.Schema = &report
	}
	if r.Over != nil {
		over := *r.Over
		over.ID = string(mask.RedactToken("id", []byte(over.ID)))
		member("method", &over.Method)
		r.Over = &over
	}
}

// maskedRoots are roots of which each text was masked.
func maskedRoots(roots []Root, mask *secret.Mask) []Root {
	roots = slices.Clone(roots)
	for i := range roots {
		roots[i].URI = mask.RedactMember("uri", roots[i].URI)
		roots[i].Name = mask.RedactText(roots[i].Name)
	}
	return roots
}
