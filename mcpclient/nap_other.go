//go:build !linux

package mcpclient

import "time"

// nap gives up the processor for d, or for as little more as the system can.
func nap(d time.Duration) { time.Sleep(d) }
