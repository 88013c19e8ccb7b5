// Package audit judges how well a server cancels, by what was seen of one of its tools.
//
// [Checks] are the table: each has a situation of a call, a claim about the server, and the
// level of a rule of the specification. An [Observed] holds all observations, as a value. [Judge] makes a [Report] of the two, which is written in several
// formats. Nothing here has a clock, a server or a file.
//
// No claim passes that was not seen. Silence passes "no answer" and "no messages", if belay
// listened for as long as the tool takes, and the server had read the cancel. That work
// stopped is said only where the server's processes showed it. What could not be seen is
// said to be so, with the reason.
package audit
