// Package headless drives one session without a screen, from the connection to its close:
// lists, calls, cancels, answers to the server's questions, and verdicts. "belay call", "belay
// ls" and "belay audit" stand on it.
//
//	r := headless.New(client)
//	defer r.Close(ctx)
//	if _, err := r.Connect(ctx); err != nil { … }       // a *ConnectError
//	id, err := r.Call(session.CallSpec{Method: "tools/call", Params: params})
//	call, err := r.Watch(ctx, id, func(e headless.Event) { … })
//	err = r.Cancel(id, "not needed any more")
//	call, err = r.Watch(ctx, id, nil)                   // call.Verdict, call.Evidence
//
// A [Runner] decides nothing of the protocol, and keeps nothing of its own: what it
// returns are views of the core. It waits for the client's wake-up, which says that
// something may have changed; nothing is polled, and what changes ten thousand times
// between two looks is seen once. Every wait ends with its context. The methods may be
// called from any goroutine, so that many calls can be watched at once.
package headless
