package cancel

// rare is a part of an attempt that has nothing in it for most calls. It takes no room until
// something is noted in it.
type rare[T any] struct{ noted *T }

// value is what was noted, as a copy; empty while nothing was.
func (r *rare[T]) value() (v T) {
	if r.noted != nil {
		v = *r.noted
	}
	return v
}

// note returns the part to write in.
func (r *rare[T]) note() *T {
	if r.noted == nil {
		r.noted = new(T)
	}
	return r.noted
}

// isNoted reports whether something was noted.
func (r *rare[T]) isNoted() bool { return r.noted != nil }
