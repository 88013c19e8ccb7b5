// Package replay plays a recording that belay wrote: a file of any size, also one that
// is cut, damaged, or still being written.
//
// The inputs that were recorded are given, with the times that they had, to a new session, as
// a run gave them. So the core decides anew about everything on the screen; an output that
// differs from the recorded one is a [Fault]. A session can only go on. To go back, another
// one is played beside the one that is shown, and then takes its place: from the beginning, or
// from a copy of a session that was left near.
//
// The file is read as a stream, and nothing of it is kept but what sessions keep.
package replay
