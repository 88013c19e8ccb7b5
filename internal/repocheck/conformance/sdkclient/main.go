// Command sdkclient is a client on the Go SDK for the conformance suite, which
// appends the URL of its server. It does the same in every scenario: connect,
// log in when that is asked for, list everything, and use everything that is
// listed once.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"belay/internal/repocheck/conformance/hint"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "sdkclient: the URL of a server is needed")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	if err := use(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "sdkclient:", err)
		cancel()
		os.Exit(1) //nolint:gocritic // cancel was called
	}
}

// use uses all that a server has. Single failures are told and passed over: the
// suite judges what it sees.
func use(ctx context.Context, endpoint string) error {
	h, err := hint.Read()
	if err != nil {
		return err
	}
	login, err := newLogin(h)
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "sdkclient", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: required(req.Params.RequestedSchema)}, nil
		},
	})
	c, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: endpoint, OAuthHandler: login}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()

	tools, err := c.ListTools(ctx, nil)
	told("tools/list", err)
	for _, call := range h.ToolCalls {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments})
		told(call.Name, err)
	}
	if err == nil && h.ToolCalls == nil {
		for _, t := range tools.Tools {
			_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: t.Name, Arguments: required(t.InputSchema)})
			told(t.Name, err)
		}
	}
	has := c.InitializeResult().Capabilities
	if has.Resources != nil {
		if list, err := c.ListResources(ctx, nil); err == nil {
			for _, r := range list.Resources {
				_, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.URI})
				told(r.URI, err)
			}
		}
	}
	if has.Prompts != nil {
		if list, err := c.ListPrompts(ctx, nil); err == nil {
			for _, p := range list.Prompts {
				_, err := c.GetPrompt(ctx, &mcp.GetPromptParams{Name: p.Name})
				told(p.Name, err)
			}
		}
	}
	return nil
}

func told(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "sdkclient: %s: %v\n", what, err)
	}
}

// required makes a value for every property that a schema requires and that has
// no default.
func required(schema any) map[string]any {
	var s struct {
		Properties map[string]struct {
			Type    string
			Default any
			Enum    []any
		}
		Required []string
	}
	raw, err := json.Marshal(schema)
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	told("a schema", err)
	values := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		switch {
		case p.Default != nil || !slices.Contains(s.Required, name):
		case len(p.Enum) > 0:
			values[name] = p.Enum[0]
		case p.Type == "boolean":
			values[name] = true
		case p.Type == "number", p.Type == "integer":
			values[name] = 1
		case p.Type == "string":
			values[name] = "text"
		case p.Type == "array":
			values[name] = []any{}
		default:
			values[name] = map[string]any{}
		}
	}
	return values
}

// callback is where the authorization server of the suite sends the browser;
// nobody listens there, the redirect itself says it all.
const callback = "http://localhost:3000/callback"

// newLogin logs in in every way that the SDK has.
func newLogin(h hint.Hints) (auth.OAuthHandler, error) {
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:                    callback,
		AuthorizationCodeFetcher:       authorize,
		ClientIDMetadataDocumentConfig: &auth.ClientIDMetadataDocumentConfig{URL: "https://conformance-test.local/client-metadata.json"},
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{RedirectURIs: []string{callback}},
		},
	}
	if h.ClientID != "" && h.ClientSecret != "" {
		config.PreregisteredClient = &oauthex.ClientCredentials{
			ClientID:         h.ClientID,
			ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: h.ClientSecret},
		}
	}
	return auth.NewAuthorizationCodeHandler(config)
}

// authorize plays the browser and the user in it, who agrees at once.
func authorize(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, args.URL, nil)
	if err != nil {
		return nil, err
	}
	resp, err := new(http.Transport).RoundTrip(req) // follows no redirect
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	to, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		return nil, err
	}
	q := to.Query()
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}
