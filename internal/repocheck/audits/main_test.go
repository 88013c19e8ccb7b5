package main

import "testing"

func TestThePageIsUpToDate(t *testing.T) {
	if err := run(true); err != nil {
		t.Error(err)
	}
}
