//go:build !linux

package e2e

import "os"

// canNarrow reports whether a pipe can be made so small that one message fills it.
const canNarrow = false

func narrow(*os.File) {}
