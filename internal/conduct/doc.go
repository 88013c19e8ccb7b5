// Package conduct is a collection of servers that are known by heart, each with its
// behaviour towards a call that is cancelled and the true verdict about that
// behaviour. The collection was written from the rules that belay promises to keep
// (docs/verdicts.md), and not from the code that computes verdicts: the collection is the judge of
// that code, and shares nothing with it.
//
// A [Conduct] is a script and an expectation. The same script is played
//
//   - in a fake clock, many times with different delays, against the client with
//     its real core (the tests of mcpclient), and
//   - by a process or an HTTP server behind the built program in a terminal (the
//     tests of internal/e2e).
//
// Every server stands behind a [Bridge], which may be of no length. As both ends
// of it are ours, it is known when a byte could be read at the server, and when
// the server wrote one. That decides what a crossing is: an answer whose first
// byte was written before the last byte of the cancel could be read.
//
// A [TaskConduct] is a script of a server of tasks, and what is true of it in each of the
// two protocols. Its judge looks at the words on the screen, and at all that passed at the
// server: which requests there may be about a cancelled task is a rule of the protocol.
package conduct
