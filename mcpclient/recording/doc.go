// Package recording writes the journal of a session to a file while the session goes on, and
// keeps as much of it as lets a recording begin later with the whole run.
//
// A [Recorder] is a recording under way. It masks, encodes and writes records beside the
// session, and bounds how many records wait for the disk: whoever reads from the server
// calls [Recorder.Wait]. A [Tape] has the journal come, gives it to the recorder, and keeps
// it in memory, within a bound: beyond that the tape drops records, and [Missing] counts them.
package recording
