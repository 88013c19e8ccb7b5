//go:build unix && !linux

package termtest

import (
	"errors"
	"os"
)

func listProcesses() ([]Process, error) { return psProcesses() }

// carriesMarker is false: other systems do not show the environment of a
// process, or only to some.
func carriesMarker(int, string) bool { return false }

func slaveNumber(*os.File) (int, error) {
	return 0, errors.New("a process that this system does not name")
}

func holdersOf(int) []string { return nil }
