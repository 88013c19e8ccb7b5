package mcp

import (
	"belay/session/rawjson"
	"belay/session/sentence"
)

// errorData is what the core needs of the data of an error. It is read when the error is decoded,
// outside the lock: the data may be as long as a message, and the core looks into none of them.
type errorData struct {
	supported []string
	required  []string
	needs     string
}

// Bounds of what is read of the data of an error, of each list.
const (
	maxVersions = 32 // revisions that a server lists

	// MaxRequired is how many names of a declaration are read.
	MaxRequired = 20
)

// errorDataOf reads the data of an error; nil: they are no object, or hold nothing that the core
// needs. The error may outlive its message, so that they share no bytes.
func errorDataOf(data []byte) *errorData {
	if rawjson.Kind(data) != '{' {
		return nil
	}
	var supported, required []byte
	for m := rawjson.MembersOf(data); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "supported":
			supported = value
		case "requiredCapabilities":
			required = value
		}
	}
	if supported == nil && required == nil {
		return nil
	}
	d := &errorData{supported: versionsOf(supported), required: CapabilityNames(required)}
	if required != nil {
		d.needs = sentence.JSON(required)
	}
	return d
}

// Supported are the revisions that the data of the error list, the first ones, each clipped (VER-18;
// basic/lifecycle).
func (e *RPCError) Supported() []string {
	if e.says == nil {
		return nil
	}
	return e.says.supported
}

// Required are the names of the capabilities that the data of the error demand (ERR-08; basic), as
// [CapabilityNames] has them.
func (e *RPCError) Required() []string {
	if e.says == nil {
		return nil
	}
	return e.says.required
}

// Needs is requiredCapabilities of the data, of any kind, for one of belay's sentences; empty: there
// is no such member. It is foreign text.
func (e *RPCError) Needs() string {
	if e.says == nil {
		return ""
	}
	return e.says.needs
}

// versionsOf are the texts in a list of revisions, the first ones, each clipped.
func versionsOf(list []byte) []string {
	all := rawjson.Texts(list, maxVersions)
	for i := range all {
		all[i] = sentence.Clip(all[i])
	}
	return all
}

// CapabilityNames are the names of the capabilities in a declaration, each by its path in there:
// sampling.tools. They are foreign text, at most [MaxRequired], and long ones are cut: belay has no
// capability with a long name.
func CapabilityNames(declaration []byte) (names []string) {
	if rawjson.Kind(declaration) != '{' {
		return nil
	}
	for m := rawjson.MembersOf(declaration); len(names) < MaxRequired; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		own := capabilityName(name)
		parts := names
		if own != "roots" { // which is declared as a whole
			parts = appendParts(names, own, value)
		}
		if len(parts) == len(names) {
			parts = append(names, own)
		}
		names = parts
	}
	return names
}

// appendParts appends the names of the parts of a capability.
func appendParts(names []string, own string, value []byte) []string {
	if rawjson.Kind(value) != '{' {
		return names
	}
	for m := rawjson.MembersOf(value); len(names) < MaxRequired; {
		part, _, ok := m.Next()
		if !ok {
			break
		}
		names = append(names, own+"."+capabilityName(part))
	}
	return names
}

// capabilityName is one step of a path, cut where no name in a sentence is longer.
func capabilityName(name []byte) string {
	return rawjson.Name(name[:min(len(name), 2*sentence.LongestName)])
}
