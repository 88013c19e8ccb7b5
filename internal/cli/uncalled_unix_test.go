//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refusesTools is a server that lists no tools, and says so.
const refusesTools = `while read -r l; do id=${l##*\"id\":}; id=${id%%,*}; case $l in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}';;
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32603,"message":"no tools today"}}';;
esac; done`

// With -o json a call that was not made is one document all the same, with the exit code.
func TestACallThatWasNotMadeIsADocument(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, x := range []struct {
		what string
		args []string
		exit int
		note string
	}{
		{"not reached", []string{"--", "false"}, ExitConnect, ""},
		{"the list is refused", []string{"--protocol", "2025-11-25", "--", "sh", "-c", refusesTools}, ExitError, "no tools today"},
	} {
		for format, documents := range map[string]bool{"json": true, "text": false} {
			out, err := os.Create(filepath.Join(t.TempDir(), "out"))
			if err != nil {
				t.Fatal(err)
			}
			errs, err := os.Create(filepath.Join(t.TempDir(), "err"))
			if err != nil {
				t.Fatal(err)
			}
			null, err := os.Open(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			code := Main(append([]string{"call", "tool", "-o", format}, x.args...), null, out, errs)
			text, _ := os.ReadFile(out.Name())
			said, _ := os.ReadFile(errs.Name())
			_, _, _ = out.Close(), errs.Close(), null.Close()
			if code != x.exit || !strings.Contains(string(said), x.note) {
				t.Errorf("%s, %s: exit %d, want %d: %s", x.what, format, code, x.exit, said)
			}
			if !documents {
				if len(text) > 0 {
					t.Errorf("%s: %q on stdout", x.what, text)
				}
				continue
			}
			var got struct {
				Format, Tool, State, Note string
				Exit                      int
				Server                    struct{ Transport string }
			}
			if err := json.Unmarshal(text, &got); err != nil || got.Format != "belay-call" || got.Tool != "tool" || got.State != "dropped" ||
				got.Exit != x.exit || got.Note == "" || !strings.Contains(got.Note, x.note) || got.Server.Transport != "stdio" {
				t.Errorf("%s: %v: %s", x.what, err, text)
			}
		}
	}
}
