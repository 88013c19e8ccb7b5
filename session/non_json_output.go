package session

import (
	"strings"

	"belay/session/mcp"
	"belay/session/sentence"
)

// nonJSONWords say that the server's stdout is no JSON-RPC, quote its first such line, and
// tell whoever wrote the server what to do; empty: it is, as far as is known.
func (k *link) nonJSONWords() string {
	first, _, _ := strings.Cut(strings.TrimLeft(k.conn.nonJSONOutput, "\r\n\t "), "\n")
	if first = strings.TrimSpace(first); first == "" || k.cfg.Transport != mcp.Stdio {
		return ""
	}
	const most = 80
	if runes := []rune(first); len(runes) > most {
		first = string(runes[:most]) + "…"
	}
	return "its stdout is not JSON-RPC: it wrote " + sentence.Quoted(first) + ". A server must write only JSON-RPC on stdout; logs belong on stderr"
}
