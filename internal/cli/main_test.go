package cli

import (
	"os"
	"testing"

	"belay/internal/guard"
)

// childVar names what the test binary does in the place of testing, when a test
// has started it once more.
const childVar = "BELAY_CLI_TEST"

var children = map[string]func() int{}

func TestMain(m *testing.M) {
	if guard.Is(os.Args) { // belay has run its own program once more
		os.Exit(guard.Main())
	}
	if child := children[os.Getenv(childVar)]; child != nil {
		os.Exit(child())
	}
	os.Exit(m.Run())
}
