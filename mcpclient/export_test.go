//go:build unix

package mcpclient

import (
	"testing"

	"belay/internal/conduct"
)

// PlayedBy has a client talk to the server of a conduct, for tests outside of this package:
// what they test stands on it.
func PlayedBy(t *testing.T, c conduct.Conduct, st conduct.Stage, o *Options) {
	withServer(t, c, st, o, 0)
}
