package session

import (
	"time"

	"belay/session/mcp"
)

// cacheable are the methods whose results say how long they stay fresh.
var cacheable = map[string]bool{
	"server/discover": true, "tools/list": true, "prompts/list": true, "resources/list": true,
	"resources/templates/list": true, "resources/read": true,
}

// leastAge is how long a list that is old at once is good enough to be looked at.
// Most servers say that of theirs, and each look would make four rows.
const leastAge = 30 * time.Second

// HasExpired reports whether the list is to be fetched again when it is looked at.
func (l *ListView) HasExpired(now time.Time) bool {
	return l.Ages && !l.Fetched.IsZero() && now.Sub(l.Fetched) >= l.TTL
}

// age takes what a page says of its freshness into that of its list: the shortest time and the
// stricter scope hold for all of it (SRV-46; server/utilities/caching).
func (g *catalog) age(k mcp.ListKind, hint mcp.CacheHint) {
	l := &g.lists[k]
	if !g.conn.rev.IsModern() {
		return
	}
	first := l.pages == 0
	if !first && hint.Scope != l.scope {
		g.diagnose(mcp.DiagCacheScope, 0, k.String(), k.String())
	}
	if first || hint.TTL < l.ttl {
		l.ttl = hint.TTL
	}
	if first || hint.Scope == mcp.ScopePrivate {
		l.scope = hint.Scope
	}
}

// updateAge puts that beside a list that was fetched to its end.
func (g *catalog) updateAge(l *list) {
	l.Fetched, l.Ages, l.TTL, l.Scope = g.now, g.conn.rev.IsModern(), l.ttl, l.scope
}
