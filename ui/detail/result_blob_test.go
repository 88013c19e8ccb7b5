package detail

import (
	"encoding/base64"
	"strings"
	"testing"

	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/theme"
	"belay/ui/write"
)

// Data of a resource that is text is shown as text, behind the mark and made safe; any
// other is named only.
func TestTextBlobsAreShown(t *testing.T) {
	looks := theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode}
	long := strings.Repeat("über ", 200_000)
	for _, c := range []struct {
		name, kind, mime, data string
		shown, notShown        string
		bound                  int
	}{
		{"text", "resource", "text/plain; charset=utf-8", "one\ntwo\x1b[2J", "┃ two⟨ESC⟩[2J", "\x1b", 0},
		{"JSON", "resource", "application/ld+json", `{"a":1}`, `┃ {"a":1}`, "", 0},
		{"no UTF-8", "resource", "text/plain", "a\xffb", "text/plain · 3 B", "┃", 0},
		{"with zeros", "resource", "text/plain", "a\x00b", "text/plain · 3 B", "┃", 0},
		{"another type", "resource", "image/png", "text", "image/png · 4 B", "┃", 0},
		{"an image", "image", "text/plain", "text", "text/plain · 4 B", "┃", 0},
		{"long", "resource", "text/plain", long, "more: o saves all of it", "", 0},
		{"long, between two keys", "resource", "text/plain", long, "", "", 1001},
	} {
		d := doc.New(80, write.MaxLines*10)
		if c.bound > 0 {
			d.Bound(c.bound)
		}
		data := []byte(base64.StdEncoding.EncodeToString([]byte(c.data)))
		partDoc(write.To(d, looks, nil), &mcp.Part{Known: true, Type: c.kind, MIME: c.mime, Data: data, Size: len(c.data), Binary: true, Sound: true})
		got := string(d.Plain())
		if !strings.Contains(got, c.shown) || c.notShown != "" && strings.Contains(got, c.notShown) {
			t.Errorf("%s: %.300s", c.name, got)
		}
		if c.bound > 0 && (!d.IsCut() || len(got) > 2*c.bound) {
			t.Errorf("%s: %d bytes, cut %v", c.name, len(got), d.IsCut())
		}
	}
}
