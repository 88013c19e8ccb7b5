package cli

import (
	"slices"

	"belay/mcpclient/config"
)

// nearby are the names of the servers that files of this folder's project name. What
// cannot be read is passed over: nothing was asked of it.
func nearby() []string {
	sys, facts, err := environment()
	if err != nil {
		return nil
	}
	return projectServers(sys, facts.Dir)
}

func projectServers(sys config.System, dir string) []string {
	places := slices.DeleteFunc(sys.Places(config.Upwards(dir, isRepository)), func(p config.Place) bool { return p.Folder == "" })
	var names []string
	for _, s := range config.Gather(places).Servers() {
		if s.Err == nil {
			names = append(names, s.Name)
		}
	}
	return names
}
