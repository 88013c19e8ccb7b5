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
//
// # Processes
//
// On Unix a server runs in a session and process group of its own. Keys typed in
// belay's terminal send the server no signal, the server cannot open that terminal,
// and its whole group is ended with it. A process that leaves the group (a daemon that
// calls setsid) is out of reach. On Windows the server runs in a job object
// without a console. There is no SIGTERM there, so that step of closing is
// left out: after its stdin was closed and the first wait is over, the job is
// terminated. A process that the server starts in the instant before it is put
// into its job stays outside of it.
package mcpclient
