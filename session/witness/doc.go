// Package witness is what was seen of a server's processes, as values: samples, and what
// follows from them for a call that was cancelled. It has no clock, and reads nothing.
//
// A [Machine] is told the samples of a connection, and when a call begins, is cancelled and
// ends. An [Account] of one call holds the use of the processes before the call, at its cancel and
// afterwards, the processes that began during the call, and the connections that were
// opened. Its [Finding] is the conclusion for the work of the call, which
// [belay/session/cancel] weighs among the other evidence.
//
// A process is taken for a call's when it began while no other call of the user's was in
// flight, or when its parent is taken for that call's. That is no proof: a server may begin
// processes for reasons of its own.
package witness
