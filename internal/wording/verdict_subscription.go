package wording

import (
	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
)

// subscriptionStands says what the verdict means on a row whose subscription was not
// ended, in the handshake revisions. On any other row it says nothing.
func subscriptionStands(c *session.Detail) safe.Text {
	if !c.Sub.Is || c.Sub.IsListen || c.Verdict == cancel.Acknowledged || c.Verdict == cancel.ServerDied {
		return ""
	}
	if !c.Sub.Active {
		if c.Verdict == cancel.AnsweredLate && c.Late != nil && c.Late.Err == nil && !c.Late.Malformed {
			return "the server subscribed after all, which a call of its own is to end"
		}
		return ""
	}
	const may = ": the subscription may stand"
	words, ok := map[cancel.Verdict]safe.Text{
		cancel.AnsweredError:      "the server refused to end the subscription: it stands",
		cancel.NotDelivered:       "the server did not take resources/unsubscribe" + may,
		cancel.StillWorking:       "updates went on, and resources/unsubscribe was not answered: the subscription stands",
		cancel.ServerUnresponsive: "the server answered nothing at all since" + may,
		cancel.Quiet:              "the server has read resources/unsubscribe and not answered it" + may,
	}[c.Verdict]
	switch {
	case ok:
	case c.Verdict == cancel.NothingHeard && c.Strayed:
		words = "what came after resources/unsubscribe is no answer that belay can take" + may
	default:
		words = "resources/unsubscribe was not answered" + may
	}
	return words
}
