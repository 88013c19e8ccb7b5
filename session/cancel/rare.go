package cancel

// rare is a part of an attempt that has nothing in it for most calls. It takes no room until
// something is noted in it.
type rare[T any] struct{ noted *T }

// read returns the part to look at, which is empty while nothing was noted.
func (r *rare[T]) read() *T {
	if r.noted == nil {
		return new(T)
	}
	return r.noted
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
