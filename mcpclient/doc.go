// Package mcpclient is the part of belay that touches the outside: it runs the
// server's process, moves bytes between it and the protocol core, keeps the
// time, and decides nothing about the protocol.
//
// A [Client] owns one [session.Session] and the lock around it. The connection, a
// child process over stdio or the exchanges over HTTP, feeds decoded frames into
// the core and carries out the outputs of the core. Three rules keep the keys
// quick while a server floods:
//
//   - messages are decoded outside the lock, and received in short holds that
//     give way as soon as anybody else wants the lock;
//   - nobody does I/O while holding the lock;
//   - an output stays inside the core until the server can take it, so that a
//     cancel overtakes the outputs that wait.
package mcpclient
