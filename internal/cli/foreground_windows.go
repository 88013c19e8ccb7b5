package cli

import "os"

// isForeground is true: a console has no jobs.
func isForeground(*os.File) bool { return true }

// isWritable is true: nothing stops a program of a console.
func isWritable(*os.File) bool { return true }

// bearBackground does nothing: a console has no jobs.
func bearBackground() {}
