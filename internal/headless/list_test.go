//go:build unix

package headless

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"belay/internal/peer"
	"belay/mcpclient"
	"belay/session"
	"belay/session/mcp"
)

// A list with faults is waited for to its end, and its good tools can be called; why it is not
// whole comes with them.
func TestAListThatIsNotWhole(t *testing.T) {
	const good, other = `{"name":"good","inputSchema":{"type":"object"}}`, `{"name":"other","inputSchema":{"type":"object"}}`
	first := func(entries string) string { return `{"tools":[` + entries + `],"nextCursor":"2"}` }
	for name, c := range map[string]struct {
		pages   []string // an error where one begins with {"code"
		problem string   // a part; empty: the list is whole
		partial bool
		tools   int
	}{
		"whole":                    {[]string{first(good), `{"tools":[` + other + `]}`}, "", false, 2},
		"an entry of the first":    {[]string{first(`"nonsense",` + good), `{"tools":[` + other + `]}`}, "entry 1 is a string", true, 2},
		"an entry of the last":     {[]string{first(other), `{"tools":[` + good + `,7]}`}, "page 2: entry 2 is a number", true, 2},
		"the cursor is repeated":   {[]string{first(good), first(other)}, "the same cursor", true, 2},
		"the second is refused":    {[]string{first(good), `{"code":-32603,"message":"no more"}`}, "no more", true, 1},
		"the first one is refused": {[]string{`{"code":-32603,"message":"no tools today"}`}, "no tools today", false, 0},
		"it is no list":            {[]string{`{"content":[]}`}, "no list of tools", false, 0},
		"nothing in it is a tool":  {[]string{`{"tools":[7]}`}, "entry 1 is a number", true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := peer.New(t)
			p.Handshake("2025-11-25")
			p.On("tools/list", func(x *peer.Exchange) {
				page := c.pages[0]
				if strings.Contains(string(x.Params()), "cursor") {
					page = c.pages[1]
				}
				if strings.HasPrefix(page, `{"code"`) {
					x.JSONError(http.StatusOK, page)
					return
				}
				x.JSONResult(page)
			})
			r := connected(t, mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: p.URL()}, Session: session.Config{DiscoverLimit: -1}})
			var problem *ListError
			_, err := r.List(within(t), mcp.Tools)
			if errors.As(err, &problem) != (c.problem != "") || problem != nil && (!strings.Contains(problem.Problem, c.problem) || problem.Partial != c.partial) {
				t.Errorf("the list: %v", err)
			}
			tool, _, found, err := r.Tool(within(t), "good")
			if found != (c.tools > 0) || found && tool.Name != "good" || errors.As(err, &problem) != (c.problem != "") {
				t.Errorf("the tool: %+v, %v, %v", tool, found, err)
			}
			if _, names, found, _ := r.Tool(within(t), "none"); found || len(names) != c.tools {
				t.Errorf("a tool that there is not: %v, %v", found, names)
			}
		})
	}
}

// A server that ends in place of its list is lost: the list is not what failed.
func TestAServerThatEndsInPlaceOfItsList(t *testing.T) {
	const script = `read -r l; id=$(printf %s "$l" | sed 's/.*"id":\([0-9]*\).*/\1/')
printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id"
while read -r l; do case "$l" in *tools/list*) exit 3 ;; esac; done`
	c := mcpclient.New(mcpclient.Options{Command: []string{"sh", "-c", script}, Session: session.Config{DiscoverLimit: -1}})
	r := New(c)
	defer func() { _ = r.Close(within(t)) }()
	_, err := r.Connect(within(t))
	if err == nil { // else the list, which belay fetches by itself, was asked for before Connect looked
		_, err = r.List(within(t), mcp.Tools)
	}
	var failed *ConnectError
	if !errors.As(err, &failed) || failed.Failure == nil {
		t.Errorf("%v", err)
	}
}

// A tool that has come can be called, although the next page of the list never comes; a tool
// that has not is waited for.
func TestAListWhoseNextPageNeverComes(t *testing.T) {
	p := peer.New(t)
	p.Handshake("2025-11-25")
	p.On("tools/list", func(x *peer.Exchange) {
		if !strings.Contains(string(x.Params()), "cursor") {
			x.JSONResult(`{"tools":[{"name":"good","inputSchema":{"type":"object"}}],"nextCursor":"2"}`)
			return
		}
		<-x.Gone()
	})
	r := connected(t, mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: p.URL()}, Session: session.Config{DiscoverLimit: -1}})
	tool, _, found, err := r.Tool(within(t), "good")
	if !found || err != nil || tool.Name != "good" {
		t.Errorf("the tool: %+v, %v, %v", tool, found, err)
	}
	ctx, cancel := context.WithTimeout(within(t), 100*time.Millisecond)
	defer cancel()
	if _, _, found, err := r.Tool(ctx, "other"); found || err == nil {
		t.Errorf("a tool that has not come: %v, %v", found, err)
	}
}
