package cli

import (
	"strings"
	"testing"
)

// Header fields of the command line take variables as those of config files do.
func TestVariablesOfHeaders(t *testing.T) {
	t.Setenv("BELAY_TEST_SET", "${BELAY_TEST_EMPTY}")
	t.Setenv("BELAY_TEST_EMPTY", "")
	for value, want := range map[string]string{
		"Bearer ${BELAY_TEST_SET}!": "Bearer ${BELAY_TEST_EMPTY}!", // and not looked at again
		"${BELAY_TEST_EMPTY}":       "",
		"${BELAY_TEST_EMPTY:-x y}":  "x y",
		"${BELAY_TEST_UNSET:-x}":    "x",
		"${BELAY_TEST_UNSET:-}":     "",
		"$BELAY_TEST_SET {}":        "$BELAY_TEST_SET {}",
	} {
		h, err := headers([]string{"X-A: " + value})
		if err != nil || h.Get("X-A") != want {
			t.Errorf("%s becomes %q, %v; want %q", value, h.Get("X-A"), err, want)
		}
	}
	for value, want := range map[string]string{
		"s3cr3t ${BELAY_TEST_UNSET}":         "--header X-A: the variable BELAY_TEST_UNSET is not set",
		"s3cr3t ${BELAY_TEST_SET":            "--header X-A: a ${ begins nothing that belay knows",
		"$BELAY_TEST_SET ${s3cr3t":           "a ${ begins nothing that belay knows",
		"${s3cr3t%.*}":                       "a ${ begins nothing that belay knows",
		"${}":                                "a ${ begins nothing that belay knows",
		"${BELAY_TEST_SET} ${BELAY_TEST_SET": "a ${ begins nothing that belay knows",
	} {
		_, err := headers([]string{"X-A: " + value})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
}
