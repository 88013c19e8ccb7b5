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

// Whoever may write to the directory could have arguments of theirs offered, and is told of.
func TestNoArgumentsAreKeptWhereOthersMayWrite(t *testing.T) {
	dir := private(t)
	a := NewArguments(dir, server())
	keep(t, a, countdown, origin, `{"seconds":3}`, Redactor{})
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(onlyFile(t, dir))
	err := a.Keep(origin, countdown, []byte(`{"seconds":4}`), Redactor{})
	sets, readErr := a.Of(countdown)
	_, forgetErr := a.Forget()
	for _, err := range []error{err, readErr, forgetErr} {
		if _, is := errors.AsType[*settings.Error](err); !is {
			t.Errorf("%v", err)
		}
	}
	if len(sets) > 0 {
		t.Errorf("%q is offered", sets[0].Arguments)
	}
	if after, _ := os.ReadFile(onlyFile(t, dir)); string(after) != string(before) {
		t.Errorf("it was written: %s", after)
	}
}
