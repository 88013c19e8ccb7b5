package main

import (
	"strings"
	"testing"

	"belay/session/cancel"
)

func TestThePageIsUpToDate(t *testing.T) {
	if err := run(true); err != nil {
		t.Error(err)
	}
}

// Each picture shows the cancel and its verdict.
func TestEachVerdictIsPlayed(t *testing.T) {
	for _, v := range cancel.Verdicts() {
		picture, err := draw(v, scripts[v])
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(picture, v.String()) || !strings.Contains(picture, "tools/call") && v != cancel.Acknowledged {
			t.Errorf("%v:\n%s", v, picture)
		}
	}
}

// A script with the verdict of another would put a wrong picture on the page.
func TestAWrongScriptIsAnError(t *testing.T) {
	if _, err := draw(cancel.Quiet, scripts[cancel.AnsweredLate]); err == nil {
		t.Error("a late answer is drawn as quiet")
	}
}
