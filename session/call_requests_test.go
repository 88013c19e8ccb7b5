package session

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// What was found of a token last is what a look at the whole table finds, whatever the table has
// gone through since.
func TestWhatIsKnownOfATokenIsUpToDate(t *testing.T) {
	requirements.Rows(t, "PRG-20")
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var o outgoing
		o.init(1, false)
		o.limit = 3 // of those that ended: the oldest are forgotten
		var waiting, open []*request
		tokens := []mcp.ID{{}, mcp.StringID("elsewhere"), mcp.IntID(100), mcp.StringID("100")}
		for range 6 { // which requests have, and of the other type
			n := mcp.IntID(int64(1 + rnd.IntN(8)))
			tokens = append(tokens, n, mcp.StringID(n.String()), o.tokenFor(n))
		}
		take := func(from *[]*request) *request {
			i := rnd.IntN(len(*from))
			r := (*from)[i]
			*from = slices.Delete(*from, i, i+1)
			return r
		}
		for range 60 {
			switch op := rnd.IntN(8); {
			case op == 0 || len(waiting)+len(open) == 0:
				r := &request{id: o.issue()}
				switch rnd.IntN(4) {
				case 0:
					r.token = o.tokenFor(r.id)
				case 1:
					if token := tokens[1+rnd.IntN(len(tokens)-1)]; !o.hasToken(token) {
						r.token, r.ownToken = token, true
					}
				case 2:
					r.ownToken = true // that is no token
				}
				o.reserve(r)
				waiting = append(waiting, r)
			case op == 1 && len(waiting) > 0:
				r := take(&waiting)
				o.begin(r, rnd.IntN(2) == 0)
				open = append(open, r)
			case op == 2 && len(waiting) > 0:
				o.release(take(&waiting))
			case op == 3 && len(open) > 0:
				o.onBodyBegun(open[rnd.IntN(len(open))])
			case op == 4 && len(open) > 0:
				o.retire(take(&open), time.Unix(1, 0))
			case op == 5 && rnd.IntN(9) == 0:
				o.forget()
				waiting, open = nil, nil
			}
			token := tokens[rnd.IntN(len(tokens))]
			if r, _ := o.requestOf(mcp.ID{}); r != nil {
				t.Fatalf("seed %d: no token is that of %v", seed, r)
			}
			whole := o
			whole.outdate()
			wantR, wantEnded := whole.requestOf(token)
			if r, ended := o.requestOf(token); r != wantR || ended != wantEnded {
				t.Fatalf("seed %d: %v is that of %v (ended %v), want %v (%v)", seed, token, r, ended, wantR, wantEnded)
			} else if r != nil {
				continue
			}
			whole.outdate()
			wantBearer := whole.bearerOf(token)
			if got := o.strangerOf(token); got.bearer != wantBearer || got.name != token.String() {
				t.Fatalf("seed %d: %v is told of as %q, and meant for %v, want %v", seed, token, got.name, got.bearer, wantBearer)
			}
		}
	}
}
