package cli

import (
	"io"
	"os"
	"sync/atomic"
)

// ofJob is the reader itself: a console has no jobs.
func ofJob(r io.Reader, _ *os.File, _ *atomic.Bool) io.Reader { return r }

// withoutStop calls a function: a console stops nobody.
func withoutStop(f func()) { f() }
