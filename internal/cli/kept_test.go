package cli

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient"
	"belay/mcpclient/kept"
)

// Whose tasks are kept differs by all that reaches a server, or says who belay is there, and
// what is shown of it has no secret.
func TestWhoseTasksAreKept(t *testing.T) {
	requirements.Rows(t, "TSK-68", "TSK-78")
	t.Setenv("TOKEN", "hunter2")
	web := func(edit func(*mcpclient.Options)) kept.Server {
		o := mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: "https://user:hunter2@example.com/mcp", Header: http.Header{"Authorization": {"Bearer hunter2"}}}}
		edit(&o)
		return keptServer(o)
	}
	command := func(edit func(*mcpclient.Options)) kept.Server {
		o := mcpclient.Options{Command: []string{"/bin/server", "--token", "hunter2"}, Dir: "/", Env: []string{"TOKEN", "A=b"}}
		edit(&o)
		return keptServer(o)
	}
	same := func(*mcpclient.Options) {}
	for name, s := range map[string]struct{ base, other kept.Server }{
		"address":   {web(same), web(func(o *mcpclient.Options) { o.HTTP.Endpoint += "x" })},
		"header":    {web(same), web(func(o *mcpclient.Options) { o.HTTP.Header.Set("Authorization", "Bearer other") })},
		"client":    {web(same), web(func(o *mcpclient.Options) { o.HTTP.Login.ClientID = "other" })},
		"arguments": {command(same), command(func(o *mcpclient.Options) { o.Command = o.Command[:1] })},
		"directory": {command(same), command(func(o *mcpclient.Options) { o.Dir = "/tmp" })},
		"variable":  {command(same), command(func(o *mcpclient.Options) { o.Env = []string{"TOKEN=other", "A=b"} })},
	} {
		if slices.Equal(s.base.Place, s.other.Place) && slices.Equal(s.base.Identity, s.other.Identity) {
			t.Errorf("another %s is the same server: %v", name, s.base)
		}
		if strings.Contains(s.base.Shown, "hunter2") {
			t.Errorf("%s is shown", s.base.Shown)
		}
	}
	one := command(func(o *mcpclient.Options) { o.Env = []string{"A=b", "TOKEN=hunter2"} })
	if two := command(same); !slices.Equal(one.Identity, two.Identity) {
		t.Errorf("%v and %v: the order of variables, or how they are given, makes another server", one.Identity, two.Identity)
	}
}
