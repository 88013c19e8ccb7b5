package form

import (
	"net/url"
	"strings"
	"time"
	"unicode"
)

// format is a format of texts that belay checks.
type format struct {
	words string // what the text must be
	fits  func(string) bool
}

// formats are those that the protocol names.
var formats = map[string]format{
	"email":     {"an email address, such as ann@example.com", isEmail},
	"uri":       {"an address with its scheme, such as https://example.com", isURI},
	"date":      {"a date, such as 2026-02-28", isDate},
	"date-time": {"a date and time with its zone, such as 2026-02-28T18:30:00Z", isDateTime},
}

// isEmail takes what is in use: a name, @, a host. Both may be in any script.
func isEmail(s string) bool {
	at := strings.LastIndex(s, "@")
	if at < 1 || at > 64 || len(s) > 254 || strings.ContainsFunc(s, notInEmail) {
		return false
	}
	local, host := s[:at], s[at+1:]
	if strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, "..") || strings.Contains(local, "@") {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") || strings.ContainsFunc(label, notInHost) {
			return false
		}
	}
	return true
}

func notInEmail(r rune) bool {
	return r <= ' ' || r == 0x7f || unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`()<>[]:;,"\`, r)
}

func notInHost(r rune) bool {
	return r < 0x80 && r != '-' && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
}

func isURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "" || u.Path != "") && !strings.ContainsAny(s, " \t\n<>\"{}|\\^`")
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isDateTime takes what RFC 3339 does: the leap second, and lower case as well.
func isDateTime(s string) bool {
	s = strings.ToUpper(s)
	if strings.Contains(s, ",") || len(s) < len("2006-01-02T15:04:05Z") || strings.Count(s, ":") < 2 {
		return false
	}
	if rest, ok := strings.CutPrefix(s[10:], "T23:59:60"); ok {
		s = s[:10] + "T23:59:59" + rest
	}
	_, err := time.Parse(time.RFC3339Nano, s)
	return err == nil
}
