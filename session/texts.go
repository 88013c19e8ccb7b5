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

func capReason(r string) string {
	if len(r) <= maxReason {
		return r
	}
	cut := maxReason
	for cut > 0 && r[cut]&0xC0 == 0x80 {
		cut--
	}
	return strings.Clone(r[:cut]) // the rest may be megabytes
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
