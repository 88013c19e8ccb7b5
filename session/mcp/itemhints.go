package mcp

import "belay/session/rawjson"

// Hint is one of the claims that a server makes of a tool.
type Hint struct {
	On   bool
	Said bool // the server says so; else On is the default of the specification
}

// Hints are what a server claims of a tool, in its annotations. Nothing proves them: they are the
// server's word, whoever trusts it (SRV-09, SRV-10; server/tools).
type Hints struct {
	ReadOnly    Hint // it changes nothing; by default it does
	Destructive Hint // what it changes may be lost; by default it is
	Idempotent  Hint // called again, it changes nothing more; by default it does
	OpenWorld   Hint // it reaches beyond its server; by default it does
}

// hintsMost is the length of annotations, in bytes, in which hints are looked for.
// They are read whenever a tool is shown; without them the defaults hold.
const hintsMost = 16 << 10

// Hints are the claims about a tool. One that is no boolean counts as not made.
func (it *Item) Hints() Hints {
	annotations := it.Annotations
	if len(annotations) > hintsMost {
		annotations = nil
	}
	hint := func(name string, otherwise bool) Hint {
		switch rawjson.Kind(rawjson.At(annotations, name)) {
		case 't':
			return Hint{On: true, Said: true}
		case 'f':
			return Hint{Said: true}
		}
		return Hint{On: otherwise}
	}
	return Hints{
		ReadOnly: hint("readOnlyHint", false), Destructive: hint("destructiveHint", true),
		Idempotent: hint("idempotentHint", false), OpenWorld: hint("openWorldHint", true),
	}
}

// Harm orders claims by what may come of a call.
func (h Hints) Harm() int {
	switch {
	case h.Destroys():
		return 2
	case !h.IsHarmless():
		return 1
	}
	return 0
}

// IsHarmless reports whether the server claims that nothing can be lost by a call.
func (h Hints) IsHarmless() bool { return h.ReadOnly.On || h.Destructive.Said && !h.Destructive.On }

// Destroys reports whether the server itself claims that a call may destroy
// something; a tool of which it says nothing is none of these.
func (h Hints) Destroys() bool { return h.Destructive.Said && h.Destructive.On }
