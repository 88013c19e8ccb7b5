package session

import (
	"testing"
	"time"

	"belay/session/mcp"
)

// How a subscription goes on whose exchange has ended without a result: it is begun again
// once the server had agreed to it, and not without end where it brings nothing.
func TestHowABrokenSubscriptionGoesOn(t *testing.T) {
	wants := mcp.Filter{Tools: true}
	for name, tt := range map[string]struct {
		u        subscription
		refused  bool
		want     brokenSubscription
		failures int
	}{
		"the first request is not agreed to": {want: endsAsItDid},
		"agreed to":                          {u: subscription{active: true, agreed: wants}, want: beginsAgain, failures: 1},
		"agreed to nothing of it":            {u: subscription{active: true}, want: endsAsItDid},
		"begun again, not agreed to yet":     {u: subscription{resubscription: resubscription{failures: 3}}, want: beginsAgain, failures: 4},
		"and refused for good":               {u: subscription{active: true, agreed: wants}, refused: true, want: endsAsItDid},
		"it brought something meanwhile":     {u: subscription{active: true, agreed: wants, resubscription: resubscription{failures: maxListens, heard: true}}, want: beginsAgain, failures: 1},
		"it stood for long":                  {u: subscription{active: true, agreed: wants, resubscription: resubscription{failures: 4, agreedAt: origin.Add(-maxBackoff - time.Second)}}, want: beginsAgain, failures: 1},
		"it did not stand for long":          {u: subscription{active: true, agreed: wants, resubscription: resubscription{failures: 4, agreedAt: origin.Add(-time.Second)}}, want: beginsAgain, failures: 5},
		"in vain, too often":                 {u: subscription{resubscription: resubscription{failures: maxListens}}, want: endsAfterTooMany, failures: maxListens},
	} {
		u := tt.u
		times := u.resubscription.times
		if got := u.onBroken(origin, tt.refused, "broke"); got != tt.want || u.resubscription.failures != tt.failures {
			t.Errorf("%s: %d, %d times in vain; want %d, %d", name, got, u.resubscription.failures, tt.want, tt.failures)
		}
		begun := tt.want == beginsAgain
		if (u.resubscription.times == times+1) != begun || (u.resubscription.why == "broke") != begun || begun && (u.active || u.resubscription.heard) {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

// What a subscription is to bring is what was asked for and agreed to; what nobody asked
// for is told, and what cannot be read agrees to nothing.
func TestWhatASubscriptionIsToBring(t *testing.T) {
	u := subscription{listen: true, asked: mcp.Filter{Tools: true, Prompts: true}}
	if u.onAcknowledged(origin, mcp.SubNote{Wrong: "no filter"}); !u.unreadable || u.active {
		t.Errorf("what cannot be read: %+v", u)
	}
	more := u.onAcknowledged(origin, mcp.SubNote{Agreed: mcp.Filter{Tools: true, Resources: true}})
	if u.unreadable || !u.active || !u.agreed.Tools || u.agreed.Resources || !more.Resources || more.Tools {
		t.Errorf("%+v, and more %+v", u, more)
	}
	u.onUpdate(origin, false)
	if u.updates != 1 || u.outlived || !u.resubscription.heard || !u.last.Equal(origin) {
		t.Errorf("an update: %+v", u)
	}
	if words := u.onEnd("over"); !u.ended || words != "over; the server did not agree to: prompts" {
		t.Errorf("%q, %+v", words, u)
	}
	if u.onUpdate(origin, true); !u.outlived {
		t.Error("an update after the end of its row")
	}
	if !u.onResidualWanted(FromBelay) || u.onResidualWanted(FromBelay) || !u.onResidualWanted(FromUser) {
		t.Error("belay ends what is left once, and the user when it is wanted")
	}
}
