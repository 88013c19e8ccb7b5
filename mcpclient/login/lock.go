package login

import (
	"context"
	"time"
)

const lockPatience = exchangeLimit + 5*time.Second // longer than a renewal takes

// lock keeps every other belay from renewing g until unlock is called: a refresh
// token is often good for one use, and the second user would lose the login. It
// waits for another holder, but not for ever.
func (s store) lock(ctx context.Context, g *grant) (undo func()) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	return s.files().Lock(ctx, "lock-"+hash(g.file()), s.waits)
}
