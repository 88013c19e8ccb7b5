package mcp

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
)

const (
	progressLine = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-4711","progress":1234,"total":100000,"message":"reading chapter 12 of the second book of the long saga"}}`
	logLine      = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"indexer","data":{"text":"file read","path":"/srv/data/file-0001.txt","bytes":18234}}}`
	resultLine   = `{"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":"The answer is 42."}],"isError":false}}`
)

// bigResult is a result of about n bytes: text blocks with escapes in them.
func bigResult(n int) []byte {
	block := `{"type":"text","text":"` + strings.Repeat(`line of \"text\" with an escape\n`, 30) + `"}`
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{"content":[` + block)
	for b.Len() < n {
		b.WriteString("," + block)
	}
	b.WriteString(`]}}`)
	return b.Bytes()
}

func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct {
		name string
		line []byte
	}{
		{"progress" + strconv.Itoa(len(progressLine)), []byte(progressLine)},
		{"log", []byte(logLine)},
		{"result", []byte(resultLine)},
		{"result20MB", bigResult(20 << 20)},
		{"garbage", []byte("2026-11-21 12:01:06 INFO server: listening on port 3000")},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := NewDecoder()
			b.SetBytes(int64(len(c.line)))
			b.ReportAllocs()
			for b.Loop() {
				d.Decode(c.line)
			}
		})
	}
}

func BenchmarkSkim20MB(b *testing.B) {
	line := bigResult(20 << 20)
	b.SetBytes(int64(len(line)))
	var s Skim
	for b.Loop() {
		s.Reset()
		for chunk := range bytesChunks(line, 64<<10) {
			s.Write(chunk)
		}
	}
}

func BenchmarkAppendRequest(b *testing.B) {
	params := []byte(`{"name":"search_docs","arguments":{"query":"cancellation","limit":10}}`)
	token := StringID("call-4711")
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = AppendRequest(dst[:0], IntID(4711), "tools/call", params, token, nil)
	}
}

// bytesChunks yields b in pieces of n bytes.
func bytesChunks(b []byte, n int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			k := min(n, len(b))
			if !yield(b[:k]) {
				return
			}
			b = b[k:]
		}
	}
}
