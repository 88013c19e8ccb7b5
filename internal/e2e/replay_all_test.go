package e2e

import (
	"context"
	"testing"

	"belay/mcpclient/replay"
)

// plays returns the path, at which a run is about to be recorded, and has the recording played when
// the test and its programs have ended: each line must come out as it was recorded, and lead to a
// session in which all is in order. Of a program that was killed the last line may be cut.
func plays(t *testing.T, path string) string {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		x, err := replay.Open(path)
		if err != nil {
			t.Errorf("the recording of the test: %v", err)
			return
		}
		defer x.Close()
		played(t, x)
	})
	return path
}

// played plays all of a recording.
func played(t *testing.T, x *replay.File) replay.Played {
	t.Helper()
	all, err := x.All(context.Background(), nil)
	if err != nil || all.Differs > 0 || all.Gaps > 0 || all.Faulty > 0 && !(all.Cut && all.Faulty == 1) {
		t.Errorf("the recording is not played as it was: %v, %d of %d faulty lines differ, %d gaps, %v", err, all.Differs, all.Faulty, all.Gaps, all.Faults)
	}
	if all.Session != nil {
		if err := all.Session.Check(); err != nil {
			t.Errorf("the recording: %v", err)
		}
	}
	return all
}
