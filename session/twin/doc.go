// Package twin copies a value with all that it leads to, however that is linked: the
// copy and the original then go on by themselves. A session is copied by it, whose
// machines point into each other: so somebody who plays a recording can keep the
// session of an earlier place.
//
// It is done by reflection, with package unsafe for members that are not exported. A
// copy written by hand would be a second list of all members of all machines, and the
// member that somebody forgets there is shared by two sessions. Libraries for this
// copy what a pointer into the middle of another value leads to as a value of its own.
package twin
