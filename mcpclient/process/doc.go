// Package process starts the process of a server: its environment, its pipes, its process group,
// and the reason where it cannot be started. What is said over the pipes, and when the process is to
// end, is decided by the caller.
//
// # Groups
//
// On Unix a server runs in a session and process group of its own. Keys typed in
// belay's terminal send the server no signal, the server cannot open that terminal,
// and its whole group is ended with it. A process that leaves the group (a daemon that
// calls setsid) is out of reach. On Windows the server runs in a job object
// without a console. There is no SIGTERM there, so that step of closing is
// left out: after its stdin was closed and the first wait is over, the job is
// terminated. A process that the server starts in the instant before it is put
// into its job stays outside of it.
package process
