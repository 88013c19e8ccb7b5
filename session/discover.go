package session

// DiscoverResult is the answer to server/discover, decoded outside the lock.
// Missing names the needed members that are absent or of the wrong type.
type DiscoverResult struct {
	Versions []string // as they were written, at most 32
	Server   ServerInfo
	Missing  []string
}

// discoverResult reads the answer to server/discover; nil when it names no
// revisions, and so is something else. It outlives the message.
func discoverResult(result []byte) *DiscoverResult {
	versions := at(result, "supportedVersions")
	if jsonKind(versions) != '[' {
		return nil
	}
	d := new(DiscoverResult)
	for e := elementsOf(versions); len(d.Versions) < 32; {
		v, ok := e.next()
		if !ok {
			break
		}
		if text, ok := textOf(v); ok {
			d.Versions = append(d.Versions, text)
		}
	}
	if len(d.Versions) == 0 {
		return nil
	}
	d.Server = serverInfo(at(at(result, "_meta"), metaServerInfo))
	d.Server.Instructions, _ = textAt(result, "instructions")
	if caps := at(result, "capabilities"); jsonKind(caps) == '{' {
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
	s.Name, _ = textAt(info, "name")
	s.Title, _ = textAt(info, "title")
	s.Version, _ = textAt(info, "version")
	s.Claimed = s.Name != "" || s.Version != ""
	return s
}
