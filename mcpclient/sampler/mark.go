package sampler

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"time"
)

// markName is the variable that holds the mark of a server's processes.
const markName = "BELAY_SERVER"

// NewMark makes a variable for the environment of one server, "NAME=value". Programs hand their
// environment on, so whoever has the variable was begun by that server, also by way of a
// parent that nobody saw. It is empty where the system does not show environments.
func NewMark() string {
	if !showsEnvironments {
		return ""
	}
	value := make([]byte, 8)
	_, _ = rand.Read(value) // which never fails
	return markName + "=" + hex.EncodeToString(value)
}

// settles is for how long a process may have no environment because it is just beginning to
// run another program.
const settles = time.Second

// hasMark reports whether a process has the mark of the server. Unsure notes a process for
// which that cannot be told yet.
func (w *Watcher) hasMark(r reading, unsure map[int]bool) bool {
	if w.mark == "" || r.Ended || r.Start < w.born {
		return false
	}
	env, err := w.src.environment(r.PID)
	if err == nil && len(env) == 0 && r.Age < settles {
		unsure[r.PID] = true
	}
	return bytes.Contains(env, []byte(w.mark))
}
