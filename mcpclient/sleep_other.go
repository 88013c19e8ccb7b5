//go:build !linux

package mcpclient

import "time"

// sleepShort gives up the processor for d, or for as little more as the system can.
func sleepShort(d time.Duration) { time.Sleep(d) }
