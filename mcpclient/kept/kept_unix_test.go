//go:build unix

package kept

import (
	"errors"
	"os"
	"testing"

	"belay/mcpclient/settings"
	"belay/session"
)

// Whoever may write to the directory could have belay ask for tasks of theirs.
func TestNothingIsKeptWhereOthersMayWrite(t *testing.T) {
	dir := private(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	k, _ := Open(dir, server(), origin)
	err := k.Change(origin, []session.KeptChange{made("a")})
	if _, is := errors.AsType[*settings.Error](err); !is {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(k.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was written: %v", err)
	}
}
