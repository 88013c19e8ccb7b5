package main

// A server is what is audited: a program of others, or one of few lines on an SDK of others.
type server struct {
	name    string // of its page
	what    string // in words
	version string // of what others have written: the program, or the SDK
	path    string // of its URL, where it is to be audited over HTTP
	command []string
	flags   []string // of belay audit
}

var (
	everything = []string{"node", "node_modules/@modelcontextprotocol/server-everything/dist/index.js"}
	long       = []string{"--tool", "trigger-long-running-operation", "--json", `{"duration":2,"steps":8}`}
	heeds      = []string{"--tool", "heeds"}
	ignores    = []string{"--tool", "ignores"}
	// What a child does is seen where it uses CPU; 50 such children at once are too many.
	busy = []string{"--tool", "run_command", "--json", `{"command":"timeout 3 sh -c 'while :; do :; done' || true"}`, "--crowd", "3", "--yes"}
)

// servers are all that are audited, by what they stand on.
var servers = []server{
	{"everything-stdio", "server-everything", "2026.8.31", "", with(everything, "stdio"), long},
	{"everything-http", "server-everything", "2026.8.31", "/mcp", with(everything, "streamableHttp"), long},
	{"gosdk-stdio", "Go SDK, a tool that heeds its context", "1.8.0", "", []string{"./gosdk"}, with(heeds, "--protocol", "2025-11-25")},
	{"gosdk-ignores", "Go SDK, a tool that ignores its context", "1.8.0", "", []string{"./gosdk"}, with(ignores, "--protocol", "2025-11-25")},
	{"gosdk-http", "Go SDK, default, with sessions", "1.8.0", "/mcp", []string{"./gosdk"}, with(heeds, "--protocol", "2025-11-25")},
	{"gosdk-http-2026", "Go SDK, default, without sessions", "1.8.0", "/mcp", []string{"./gosdk", "-stateless"}, with(heeds, "--protocol", "2026-07-28")},
	{"gosdk-http-2026-propagates", "Go SDK, cancellation propagated", "1.8.0", "/mcp", []string{"./gosdk", "-stateless", "-propagate"}, with(heeds, "--protocol", "2026-07-28")},
	{"typescript-v1", "TypeScript SDK v1, a tool that heeds its signal", "1.32.2", "", []string{"node", "ts-v1.mjs"}, heeds},
	{"typescript-v1-ignores", "TypeScript SDK v1, a tool that ignores its signal", "1.32.2", "", []string{"node", "ts-v1.mjs"}, ignores},
	{"typescript-v2", "TypeScript SDK v2, a tool that heeds its signal", "2.4.0", "", []string{"node", "ts-v2.mjs"}, with(heeds, "--protocol", "2026-07-28")},
	{"typescript-v2-ignores", "TypeScript SDK v2, a tool that ignores its signal", "2.4.0", "", []string{"node", "ts-v2.mjs"}, with(ignores, "--protocol", "2026-07-28")},
	{"typescript-v2-http", "TypeScript SDK v2, a tool that heeds its signal", "2.4.0", "/mcp", []string{"node", "ts-v2.mjs"}, with(heeds, "--protocol", "2026-07-28")},
	{"mcp-go", "mcp-go, a tool that heeds its context", "1.2.1", "", []string{"./mcpgo"}, heeds},
	{"mcp-go-task", "mcp-go, a tool that runs as a task", "1.2.1", "", []string{"./mcpgo"}, []string{"--tool", "works", "--json", `{"seconds":2}`, "--protocol", "2025-11-25"}},
	{"server-commands", "mcp-server-commands", "0.5.0", "", []string{"node", "node_modules/mcp-server-commands/build/index.js"}, busy},
}

func with(words []string, more ...string) []string {
	return append(append([]string(nil), words...), more...)
}
