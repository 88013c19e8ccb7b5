package mcp

import (
	"bytes"
	"encoding/base64"
)

// signatures are how the bytes of some types of media begin. One that has a tail
// has it at the ninth byte.
var signatures = []struct{ mime, head, tail string }{
	{"image/png", "\x89PNG\r\n\x1a\n", ""},
	{"image/jpeg", "\xff\xd8\xff", ""},
	{"image/gif", "GIF8", ""},
	{"image/webp", "RIFF", "WEBP"},
	{"audio/wav", "RIFF", "WAVE"},
	{"audio/ogg", "OggS", ""},
	{"application/pdf", "%PDF-", ""},
}

// mediaOf is the type of media that base64 stands for, as its first bytes show;
// empty when they do not.
func mediaOf(data []byte) string {
	const enough = 16 // characters, which are 12 bytes
	var head [enough * 3 / 4]byte
	if len(data) < enough {
		return ""
	}
	if _, err := base64.StdEncoding.Decode(head[:], data[:enough]); err != nil {
		return ""
	}
	for _, s := range signatures {
		if bytes.HasPrefix(head[:], []byte(s.head)) && bytes.HasPrefix(head[8:], []byte(s.tail)) {
			return s.mime
		}
	}
	return ""
}

// isOtherMedia reports whether bytes that show what they are were called by the name of
// another type that would show itself, too.
func isOtherMedia(named, shown string) bool {
	if shown == "" || named == shown {
		return false
	}
	for _, s := range signatures {
		if s.mime == named {
			return true
		}
	}
	return false
}
