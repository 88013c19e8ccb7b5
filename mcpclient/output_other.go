//go:build !linux

package mcpclient

import "os"

// outputPipe is the stdout of a process.
type outputPipe struct{ *os.File }

// unread is not told here: a message has the time of its reading.
func (outputPipe) unread() int64 { return 0 }
