package row

import (
	"belay/session"
)

// HasButton reports whether a row has a cancel button: what can never be cancelled has
// none, and neither has what is being cancelled already, unless the server refused that.
// What is refused otherwise is decided by the core, which is asked when the key is pressed.
func HasButton(r session.Row) bool {
	return !Over(r) && r.Origin != session.FromHandshake && !r.WaitsOnly && (r.State != session.Cancelling || r.Refused)
}

// Over reports whether a row has ended for good: it has left no subscription that
// could be ended once more.
func Over(r session.Row) bool { return r.State.Terminal() && r.Sub.Left == session.LeftNothing }
