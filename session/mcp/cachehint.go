package mcp

import (
	"math"
	"strings"
	"time"

	"belay/session/rawjson"
)

// CacheHint is what a result says of how long it stays fresh: ttlMs and cacheScope of the modern
// era (SRV-38; server/utilities/caching).
type CacheHint struct {
	TTL     time.Duration // 0 also when it is missing or cannot be right
	Scope   string        // "public" or "private", else empty
	ttl     hintState
	scoping hintState
}

const (
	hintMissing hintState = iota
	hintGood
	hintBad
)

type hintState uint8

// setTTL reads the value of ttlMs, raw.
func (h *CacheHint) setTTL(value []byte) {
	h.TTL, h.ttl = 0, hintBad
	if n, ok := rawInteger(value); ok && n >= 0 {
		h.TTL, h.ttl = time.Duration(min(n, math.MaxInt64/int64(time.Millisecond)))*time.Millisecond, hintGood
	}
}

// setScope reads the value of cacheScope, raw.
func (h *CacheHint) setScope(value []byte) {
	h.Scope, h.scoping = "", hintBad
	if text, ok := rawjson.Text(value); ok && (text == ScopePublic || text == ScopePrivate) {
		h.Scope, h.scoping = text, hintGood
	}
}

// Whose cache may hold a result: anybody's, or that of the one user who asked.
const (
	ScopePublic  = "public"
	ScopePrivate = "private"
)

// HasTTL reports whether there is a proper ttlMs.
func (h CacheHint) HasTTL() bool { return h.ttl == hintGood }

// Wrong says what is missing or cannot be right; empty when nothing is.
func (h CacheHint) Wrong() string {
	var words []string
	for _, m := range []struct {
		name  string
		state hintState
	}{{"ttlMs", h.ttl}, {"cacheScope", h.scoping}} {
		switch m.state {
		case hintMissing:
			words = append(words, m.name+" is missing")
		case hintBad:
			words = append(words, m.name+" cannot be right")
		default:
		}
	}
	return strings.Join(words, ", ")
}
