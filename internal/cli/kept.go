package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"belay/mcpclient"
	"belay/mcpclient/kept"
)

// keptTasks are the tasks that are kept for a server. Without a directory for settings there
// are none: the error says so.
func keptTasks(opts mcpclient.Options) (mcpclient.TaskKeeper, error) {
	dir, err := kept.Dir()
	if err != nil {
		return nil, err
	}
	return kept.Open(dir, keptServer(opts), opts.Now())
}

// keptServer is the server and the identity whose tasks are kept: its address or command line,
// and the header fields or variables that say who belay is.
func keptServer(opts mcpclient.Options) kept.Server {
	if h := opts.HTTP; h.Endpoint != "" {
		who := []string{h.Login.ClientID, h.Login.Issuer, h.Login.ClientMetadataURL}
		for _, name := range slices.Sorted(maps.Keys(h.Header)) {
			who = append(append(who, name), h.Header[name]...)
		}
		return kept.Server{Shown: h.Shown(), Place: []string{"http", h.Endpoint}, Identity: who}
	}
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		dir = opts.Dir
	}
	return kept.Server{
		Shown: filepath.Base(opts.Command[0]), Place: append([]string{"stdio", dir}, opts.Command...),
		Identity: slices.Sorted(slices.Values(handedOn(opts.Env))),
	}
}

// handedOn are the variables with their values, also those that belay hands on as they are.
func handedOn(env []string) (set []string) {
	for _, e := range env {
		if value, ok := os.LookupEnv(e); ok {
			e += "=" + value
		}
		set = append(set, e)
	}
	return set
}
