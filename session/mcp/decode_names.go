package mcp

// interner keeps short strings that come again and again (progress tokens,
// method names, loggers), so that a flood of messages allocates nothing. It is
// a cache of fixed size: a string that collides with another takes its place.
type interner struct {
	slots [256]string
}

// internLimit keeps long strings out, so that the cache holds 16 KiB at most.
const internLimit = 64

func (in *interner) get(b []byte) string {
	if len(b) > internLimit {
		return string(b)
	}
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	slot := &in.slots[(h^h>>16)%uint32(len(in.slots))]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}

// method is a method name. Those that come in floods take no slot.
func (in *interner) method(b []byte) string {
	switch string(b) {
	case "notifications/progress":
		return "notifications/progress"
	case "notifications/message":
		return "notifications/message"
	case "notifications/cancelled":
		return "notifications/cancelled"
	case "ping":
		return "ping"
	}
	return in.get(b)
}
