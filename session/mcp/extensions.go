package mcp

import "belay/session/rawjson"

// maxExtensions bounds the extensions of a server that are looked at.
const maxExtensions = 32

// Extensions are the identifiers of the extensions that capabilities, a JSON
// object, declare; the first 32 of them. Foreign text.
func Extensions(capabilities []byte) []string {
	list := rawjson.At(capabilities, "extensions")
	if rawjson.Kind(list) != '{' {
		return nil
	}
	var ids []string
	for m := rawjson.MembersOf(list); len(ids) < maxExtensions; {
		name, _, ok := m.Next()
		if !ok {
			break
		}
		ids = append(ids, rawjson.Name(name))
	}
	return ids
}

// ExtensionFault says why an identifier cannot be that of an extension: it follows the rule for
// keys of _meta, but for its prefix, which it must have (VER-42; basic/versioning). Empty: it is
// one.
func ExtensionFault(id string) string {
	prefix, fault := splitKey(id)
	switch {
	case fault != "":
		return fault
	case prefix == nil:
		return "has no prefix"
	case id[len(id)-1] == '/':
		return "has no name behind its prefix"
	}
	return ""
}
