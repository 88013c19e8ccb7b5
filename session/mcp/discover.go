package mcp

import "belay/session/rawjson"

// DiscoverResult is the answer to server/discover, decoded outside the lock.
// Missing names the needed members that are absent or of the wrong type.
type DiscoverResult struct {
	Versions []string // as they were written, at most 32, each clipped
	Server   ServerInfo
	Missing  []string
}

// discoverResult reads the answer to server/discover; nil when it names no
// revisions, and so is something else. It outlives the message.
func discoverResult(result []byte) *DiscoverResult {
	versions := rawjson.At(result, "supportedVersions")
	if rawjson.Kind(versions) != '[' {
		return nil
	}
	d := &DiscoverResult{Versions: versionsOf(versions)}
	if len(d.Versions) == 0 {
		return nil
	}
	d.Server = serverInfo(rawjson.At(rawjson.At(result, "_meta"), metaServerInfo))
	d.Server.Instructions, _ = rawjson.TextAt(result, "instructions")
	if caps := rawjson.At(result, "capabilities"); rawjson.Kind(caps) == '{' {
		d.Server.Capabilities = append([]byte(nil), caps...)
		d.Server.Has = capabilities(d.Server.Capabilities)
	} else {
		d.Missing = append(d.Missing, "capabilities")
	}
	return d
}

// serverInfo reads what a server calls itself.
func serverInfo(info []byte) ServerInfo {
	var s ServerInfo
	s.Name, _ = rawjson.TextAt(info, "name")
	s.Title, _ = rawjson.TextAt(info, "title")
	s.Version, _ = rawjson.TextAt(info, "version")
	s.Claimed = s.Name != "" || s.Version != ""
	return s
}

const metaServerInfo = "io.modelcontextprotocol/serverInfo"
