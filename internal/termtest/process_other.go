//go:build unix && !linux

package termtest

func listProcesses() ([]Process, error) { return psProcesses() }

// carriesMarker is false: other systems do not show the environment of a
// process, or only to some.
func carriesMarker(int, string) bool { return false }
