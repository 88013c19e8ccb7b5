//go:build unix && !linux

package cli

// withoutStop calls a function. Whoever reads a terminal in the background of that is stopped here, and so may be who writes.
func withoutStop(f func()) { f() }

func isRefused(error) bool { return false }
