// Quick is a server that answers at once: the handshake, in the revision that the
// client asks for and at most 2025-11-25, one tool, and nothing else. It is a program of its own, as it has to start at once, too.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || len(m.ID) == 0 || bytes.Equal(m.ID, []byte("null")) {
			continue
		}
		switch m.Method {
		case "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"quick","version":"1"}}}`+"\n", m.ID, revision(m.Params.ProtocolVersion))
		case "tools/list":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"only_one","inputSchema":{"type":"object"}}]}}`+"\n", m.ID)
		default:
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`+"\n", m.ID)
		}
		_ = out.Flush()
	}
}

const newest = "2025-11-25"

// revision is what a client gets that asks for another: revisions are dates.
func revision(asked string) string {
	if asked == "" || asked > newest {
		return newest
	}
	return asked
}
