package detail

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/write"
)

// isWritten reports whether the type of a part's data is one of texts.
func isWritten(mime string) bool {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	mime = strings.TrimSpace(mime)
	switch mime {
	case "application/json", "application/xml", "application/yaml", "application/javascript", "application/toml":
		return true
	}
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+json") || strings.HasSuffix(mime, "+xml")
}

// blobDoc shows data that is text, as its type says and its bytes prove, behind the mark of
// the server's words. It says false for any other data, of which it shows nothing.
func blobDoc(d *write.Writer, p *mcp.Part) bool {
	if p.Type != "resource" || !p.Binary || !p.Sound || !isWritten(p.MIME) || d.IsFull() {
		return false
	}
	n := d.Upto(len(p.Data), write.MaxBytes)
	if n < len(p.Data) {
		n -= n % 4
	}
	text, err := base64.StdEncoding.DecodeString(string(p.Data[:n]))
	if err != nil {
		return false
	}
	if n < len(p.Data) { // a character may be cut in two
		for cut := 0; cut < utf8.UTFMax-1 && len(text) > 0 && !utf8.Valid(text); cut++ {
			text = text[:len(text)-1]
		}
	}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return false
	}
	d.Add(2, doc.Span{Text: partWords(p), Style: d.Styles.Info})
	if d.IsWhole() {
		d.Quote(string(text))
		return true
	}
	mark := doc.Span{Text: d.Glyphs.Quote + " ", Style: d.Styles.Faint}
	d.Text(safe.Block(string(text), write.MaxLines), mark, canvas.Style{})
	if len(p.Data) > write.MaxBytes {
		d.Add(0, doc.Span{Text: wording.Size(p.Size-len(text)) + " more: o saves all of it", Style: d.Styles.Warn})
	}
	return true
}
