package session

import (
	"encoding/base64"
	"strings"
)

// The marks around a header value that is Base64 of UTF-8 (HTM-25, HTM-39;
// basic/transports/streamable-http).
const (
	sentinelOpen  = "=?base64?"
	sentinelClose = "?="
)

// fieldValue is text as the value of a header field: as it is where every byte of it is safe
// there, otherwise between the marks. Text that could be taken for marked text is marked as well
// (HTM-38; basic/transports/streamable-http).
func fieldValue(text string) string {
	if isPlainField(text) && !(strings.HasPrefix(text, sentinelOpen) && strings.HasSuffix(text, sentinelClose)) {
		return text
	}
	return sentinelOpen + base64.StdEncoding.EncodeToString([]byte(text)) + sentinelClose
}

// isPlainField reports whether text survives being a header value: visible ASCII and
// inner spaces and tabs, no space around it.
func isPlainField(text string) bool {
	if text == "" {
		return true
	}
	if edge := text[0]; edge == ' ' || edge == '\t' {
		return false
	}
	if edge := text[len(text)-1]; edge == ' ' || edge == '\t' {
		return false
	}
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\t' {
			return false
		}
	}
	return true
}
