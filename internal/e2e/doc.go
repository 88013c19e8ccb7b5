// Package e2e holds the tests of the built program: belay in a pseudo-terminal
// against scripted servers that log every byte they receive, and, behind the
// build tag interop, against servers that others have written.
package e2e
