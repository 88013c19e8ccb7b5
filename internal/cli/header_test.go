package cli

import (
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient"
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
		h, _, err := headers([]string{"X-A: " + value})
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
		_, _, err := headers([]string{"X-A: " + value})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
}

// A variable is a secret of its own, also where it is a part of a value: a server may
// repeat it alone.
func TestVariablesThatArePartsAreMasked(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	t.Setenv("BELAY_TEST_KEY", "a-key-of-22")
	t.Setenv("BELAY_TEST_PIN", "4711")
	t.Setenv("BELAY_TEST_SECRET", "a-secret-of-22")
	f, err := parse(t, "--header", "X-A: key=${BELAY_TEST_KEY};v=1", "--header", "X-B: ${BELAY_TEST_PIN}:${BELAY_TEST_KEY:-none}",
		"--client-id", "me", "--client-secret", "v1-${BELAY_TEST_SECRET}", "--client-issuer", "https://as.example", "--client-credentials")
	if err != nil {
		t.Fatal(err)
	}
	of := target{http: mcpclient.HTTPOptions{Endpoint: "https://h/mcp"}, took: []string{"input=from-the-file"}}
	of, err = of.with(&f)
	if err != nil {
		t.Fatal(err)
	}
	o, err := clientOptions(of, &f)
	want := []string{"input=from-the-file", "BELAY_TEST_KEY=a-key-of-22", "BELAY_TEST_PIN=4711", "BELAY_TEST_KEY=a-key-of-22", "BELAY_TEST_SECRET=a-secret-of-22"}
	if err != nil || !slices.Equal(o.Secrets, want) {
		t.Errorf("%q, %v; want %q", o.Secrets, err, want)
	}
}
