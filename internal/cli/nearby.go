package cli

import (
	"slices"

	"belay/mcpclient/config"
)

// nearby are the names of the servers that files of this folder's project name, and why one of
// them was not read.
func nearby() (names []string, failures []error) {
	sys, facts, err := environment()
	if err != nil {
		return nil, nil
	}
	return projectServers(sys, facts.Dir)
}

func projectServers(sys config.System, dir string) (names []string, failures []error) {
	places := slices.DeleteFunc(sys.Places(config.Upwards(dir, isRepository)), func(p config.Place) bool { return p.Folder == "" })
	c := config.Gather(places)
	for _, s := range c.Servers() {
		if s.Err == nil {
			names = append(names, s.Name)
		}
	}
	return names, c.Failed()
}
