package session

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/secret"
)

// maxMessage bounds the bytes of a progress message that are kept, once for the
// call and once for each moment of its timeline. The history has all of it.
const maxMessage = 2000

// shortString is a raw JSON string, cut where it is too long.
func shortString(raw []byte) []byte {
	if len(raw) <= maxMessage {
		return raw
	}
	return rawjson.AppendQuote(nil, strings.ToValidUTF8(unquoted(raw)[:maxMessage], "")+"…")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// unquoted is the text of a raw JSON string; "" for none.
func unquoted(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	return rawjson.DecodeText(raw)
}

// maxReason bounds a reason in bytes: it is for logs and screens (CXL-11;
// basic/utilities/cancellation). It is cut between two letters.
const maxReason = secret.CutReason + utf8.UTFMax - 1

// validText is text of the user's as it can be written, and read again from the
// journal.
func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// capReason is a reason as it is sent.
func capReason(r string) string {
	if len(r) <= maxReason {
		return r
	}
	return strings.Clone(beginning(r, maxReason)) // the rest may be megabytes
}

// heardReason is a reason of the server's as it is kept. What stands before its mark may be the
// beginning of a secret.
func heardReason(r string) string {
	const mark = "…"
	if len(r) <= maxReason {
		return r
	}
	return beginning(r, maxReason-len(mark)) + mark
}

// beginning is as many whole letters of a text, which is longer, as fit into so many bytes.
func beginning(text string, most int) string {
	for most > 0 && text[most]&0xC0 == 0x80 {
		most--
	}
	return text[:most]
}

func timeoutReason(what string, d time.Duration) string {
	return fmt.Sprintf("timeout: %s %v", what, d)
}

// copyPart returns what may be kept of a part of a frame. It keeps no more memory than
// twice its length: the decoder has seen to that.
func copyPart(f *mcp.Frame, part []byte) []byte {
	if f.Owned || part == nil {
		return part
	}
	return bytes.Clone(part)
}
