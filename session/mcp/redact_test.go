package mcp

import (
	"strings"
	"testing"

	"belay/internal/covers"
)

func TestRedactMasksSecretsAndKeepsTheRest(t *testing.T) {
	covers.Rows(t, "LOG-13")
	for _, secret := range []string{
		"sk-abcdefghijklmnopqrst", "ghp_abcdefghijklmnopqrstuvwx", "github_pat_11ABCDEFG0abcdefghijkl",
		"glpat-abcdefghijklmnop", "xoxb-1234567890-abc", "AKIAABCDEFGHIJKLMNOP",
		"AIza" + strings.Repeat("x", 35), "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def",
	} {
		line := `{"text":"use ` + secret + ` for it"}`
		got := string(Redact([]byte(line)))
		if want := `{"text":"use ` + strings.Repeat("*", len(secret)) + ` for it"}`; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	for line, want := range map[string]string{
		`{"password":"hunter2"}`:                       `{"password":"*******"}`,
		`{"text":"{\"api_key\":\"abc\"}"}`:             `{"text":"{\"api_key\":\"***\"}"}`,
		`{"h":"Authorization: Bearer abcdefgh"}`:       `{"h":"Authorization: Bearer ********"}`,
		`{"progressToken":"belay-7","token":"x"}`:      `{"progressToken":"belay-7","token":"x"}`,
		`{"params":{"requestId":7,"reason":"secret"}}`: `{"params":{"requestId":7,"reason":"secret"}}`,
	} {
		if got := string(Redact([]byte(line))); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func BenchmarkRedactNothing(b *testing.B) {
	line := []byte(`{"seq":812345,"t":123456789,"wall":"2026-07-28T12:00:00Z","op":"receive","epoch":1,"text":"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"belay-7\",\"progress\":17}}"}`)
	b.ReportAllocs()
	for b.Loop() {
		Redact(line)
	}
}
