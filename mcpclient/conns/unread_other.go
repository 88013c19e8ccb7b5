//go:build !linux

package conns

func unreadOf(uintptr) int { return 0 }
