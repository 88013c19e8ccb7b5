package doc

import (
	"context"
	"strings"
	"testing"

	"belay/internal/safe"
)

// BenchmarkScan is a search through 16 MB of short lines, and of one long line.
func BenchmarkScan(b *testing.B) {
	for name, text := range map[string]string{
		"lines": strings.Repeat("a line of hay, and of nothing else\n", 16<<20/35),
		"line":  strings.Repeat("a line of hay, and of nothing else ", 16<<20/35),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f, ok := Scan(context.Background(), 60, Quest{Text: "needle", At: -1}, false, func(d *Doc) {
					for l := range safe.Lines(text) {
						d.Text([]safe.Text{l}, Span{Text: "┃ "}, Line{{}}[0].Style)
					}
				})
				if !ok || f.Hits != 0 {
					b.Fatal("found")
				}
			}
		})
	}
}
