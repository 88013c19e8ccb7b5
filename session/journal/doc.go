// Package journal writes the inputs and the outputs of a session as lines of JSON, and
// plays such lines again.
//
// The first line holds the format's version and the configuration. Each line after it
// is a step of the session: an input, by its name and with the members of its type in
// [belay/session], or an output, for comparison. Replaying the inputs in order gives
// the same states. Secrets are masked when a line is encoded; the structure stays.
package journal
