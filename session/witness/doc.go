// Package witness is what was seen of a server's processes, as values: samples, and what
// follows from them for the calls that were in flight. It has no clock, and reads nothing.
package witness
