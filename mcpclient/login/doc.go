// Package login gets and keeps what an HTTP server wants to see before it
// answers: an OAuth access token, by the rules of the authorization pages of
// the specification (2025-03-26 to 2026-07-28).
//
// A [Login] belongs to one server. Before each request the transport asks
// [Login.Authorization] for the header; that never opens a login. When the
// server refuses, [Login.Begin] starts an [Attempt], which finds out who gives
// access, says which address the user has to open, and waits for the answer: at
// a listener on the loopback address, or as an address that the user pastes,
// which works over SSH as well. Nothing is opened by this package.
//
// The parts come from the official SDK (oauthex, auth) and golang.org/x/oauth2.
// The SDK's [auth.AuthorizationCodeHandler] is not used as a whole: it registers
// anew for each login, keeps the issuer to itself, so that nothing can be stored
// under it, refreshes without naming the resource, takes metadata that is for
// another server as if there were none, and refuses an issuer in the answer
// that was right but not announced, which 2026-07-28 accepts.
//
// # Use
//
// A request is sent, and sent again after a login, like this:
//
//	sent, err := l.Authorization(ctx) // err is told, and does not stop the request
//	…                                 // the answer is 401 or 403
//	a, err := l.Begin(connection, login.Refusal{Status: status, Header: header, Sent: sent})
//	…                                 // any error: the answer stands
//	err = a.Wait(ctx)                 // the call waits for login; when ctx ends, the others go on waiting
//
// Meanwhile whoever shows it follows [Attempt.Watch], opens State.URL on a key,
// and hands what the user pastes to [Attempt.Paste].
//
// Several belays may share a login. They take turns at renewing its token, by a
// lock beside its file, since a refresh token is often good for one use; who comes
// second takes what the first one got. [Login.Forget] drops the token and has it
// revoked (RFC 7009).
//
// # What is trusted
//
// The address of the server is the user's. All that it leads to is not: each
// further address must be https (http on the loopback address only), answers
// are bounded in size and time, and a server at a public address cannot make
// belay ask a private one. Credentials go to the issuer that gave them and
// nowhere else: what is stored is found by issuer and resource, requests with
// credentials follow no redirect, and an answer of the login page counts only
// with the state, and the issuer, of the attempt. The secret of a client that the
// user has registered goes to the issuer that the user has named, since the server
// may name any. What an issuer says of itself counts from its own origin; it may
// name endpoints elsewhere, as the issuers of big providers do.
//
// # Secrets
//
// Tokens are held as [Secret], which prints as a word. No error of this
// package contains one, also where a server repeats it in its own error text.
package login
