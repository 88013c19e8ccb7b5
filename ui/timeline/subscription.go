package timeline

import (
	"belay/internal/safe"
	"belay/session"
)

// unendedMeaning is what the verdict on a row means whose subscription was not
// ended, in the handshake revisions; empty for any other.
func unendedMeaning(c *session.Detail) safe.Text {
	if !c.Sub.Is || c.Sub.Listens || c.Verdict == session.Acknowledged || c.Verdict == session.ServerDied {
		return ""
	}
	if !c.Sub.Active {
		if c.Verdict == session.AnsweredLate && c.Late != nil && c.Late.Err == nil {
			return "the server subscribed after all, which a call of its own is to end"
		}
		return ""
	}
	const may = ": the subscription may stand"
	words, ok := map[session.Verdict]safe.Text{
		session.AnsweredError:      "the server refused to end the subscription: it stands",
		session.NotDelivered:       "the server did not take resources/unsubscribe" + may,
		session.StillWorking:       "updates went on, and resources/unsubscribe was not answered: the subscription stands",
		session.ServerUnresponsive: "the server answered nothing at all since" + may,
		session.Quiet:              "the server has read resources/unsubscribe and not answered it" + may,
	}[c.Verdict]
	if !ok {
		words = "resources/unsubscribe was not answered" + may
	}
	return words
}
