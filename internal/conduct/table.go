package conduct

import (
	"fmt"
	"slices"
	"time"
)

// bridges are the lengths of the ways on which crossings are played.
var bridges = []time.Duration{0, 50 * time.Millisecond, 300 * time.Millisecond}

// All are the conducts there are. Their names are unique.
func All() []Conduct {
	return slices.Concat(
		crossings(), afar(), lateAnswers(), malformedAnswers(), busyServers(), progress(), silence(), strays(),
		words(), delivery(), ends(), questions(),
		webAnswers(), webCancels(), webStreams(), halves(), bodiesOfJSON(),
	)
}

// over makes a conduct for each length of the bridge.
func over(c Conduct, lags ...time.Duration) (all []Conduct) {
	for _, lag := range lags {
		one := c
		one.Lag = lag
		if lag > 0 {
			one.Name += fmt.Sprintf(", %v away", lag)
		}
		all = append(all, one)
	}
	return all
}

var (
	everywhere = []Way{Stdio, StdioModern, SSE, JSON} // where an answer can come after a cancel
	streams    = []Way{Stdio, StdioModern, SSE}       // and messages before it
	onStdio    = []Way{Stdio, StdioModern}
	onHTTP     = []Way{SSE}
)

// A call runs for a while before it is cancelled.
const running = 300 * time.Millisecond
