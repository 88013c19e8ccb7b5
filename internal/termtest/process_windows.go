package termtest

import (
	"errors"
	"os"
)

// On Windows no terminal can be started, so there is nothing to list or kill.

func listProcesses() ([]Process, error) {
	return nil, errors.New("termtest: processes cannot be listed on Windows")
}

func carriesMarker(int, string) bool { return false }

func killProcess(int) {}

func slaveNumber(*os.File) (int, error) { return 0, errors.ErrUnsupported }

func holdersOf(int) []string { return nil }
