package main

import "testing"

func TestThePagesAreUpToDate(t *testing.T) {
	if err := run(true); err != nil {
		t.Error(err)
	}
}
