// Package reason has the words that an error of the system ends a sentence of belay's with.
package reason

import "errors"

// Of returns the innermost text of an error, without the operation and the path that the layers
// above add: "no such file or directory".
func Of(err error) string {
	if err == nil {
		return "unknown error"
	}
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return err.Error()
}
