package cli

import (
	"strings"

	"belay/internal/safe"
	"belay/mcpclient"
)

// mostStack bounds the lines of a stack that are printed.
const mostStack = 200

// crashWords are the lines, at the end of a run, on the panic of belay's own that was caught in it: with its stack,
// which whoever mends it needs (SEC-28). Nil: there was none.
func crashWords(c *mcpclient.Crash) []string {
	if c == nil {
		return nil
	}
	lines := []string{
		"belay: " + string(safe.LineN(c.String(), 300)),
		"belay: that is a fault of belay's own, and not of the server's; please report it, with these lines:",
	}
	stack := strings.Split(strings.TrimSpace(c.Stack), "\n")
	for _, line := range stack[:min(len(stack), mostStack)] {
		lines = append(lines, "  "+string(safe.Line(strings.TrimSpace(line))))
	}
	return lines
}
