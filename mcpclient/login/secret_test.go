package login

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestSecretIsNotSeen(t *testing.T) {
	const text = "tell-nobody"
	s := NewSecret(text)
	type deep struct {
		Open   Secret
		closed Secret
		inner  *struct{ s Secret }
	}
	d := deep{s, s, &struct{ s Secret }{s}}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "secret", s, "deep", d)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "secret", s, "deep", d)
	encoded, err := json.Marshal([]any{s, d})
	if err != nil {
		t.Fatal(err)
	}
	seen := []string{log.String(), string(encoded)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{s, &s, d, &d, []Secret{s}, Options{ClientSecret: s}, Refusal{Sent: s}} {
			seen = append(seen, fmt.Sprintf(verb, v))
		}
	}
	for _, out := range seen {
		if strings.Contains(out, text) || strings.Contains(out, fmt.Sprintf("%x", text)) {
			t.Errorf("the secret is in %q", out)
		}
	}
	if s.Reveal() != text || !s.Equal(NewSecret(text)) || s.Equal(Secret{}) || s.Empty() || !NewSecret("").Empty() {
		t.Error("the secret is not what was hidden")
	}
	if fmt.Sprint(s) != hidden || fmt.Sprint(Secret{}) != "" {
		t.Errorf("printed as %q and %q", s, Secret{})
	}
}

// Whoever records is told of all that is secret in a login: before the token is
// used, and again by the next run, which reads it from its file.
func TestSecretsAreTold(t *testing.T) {
	w := newServers(t)
	w.refresh = true
	dir := t.TempDir()
	var mu sync.Mutex
	var told []string
	tell := func(o *Options) {
		o.Dir = dir
		o.Learn = func(secrets ...string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, secrets...)
		}
	}
	knows := func(secrets ...string) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		for _, s := range secrets {
			if s == "" || !slices.Contains(told, s) {
				t.Errorf("%q was not told, only %q", s, told)
			}
		}
	}
	l := w.login(tell)
	w.mustLogin(l)
	form := w.forms[0]
	knows(form.Get("code"), form.Get("code_verifier"), w.pages[0].Get("state"), w.current, w.renewal)
	age(l)
	w.header(l)
	knows(w.current, w.renewal)
	told = nil
	w.header(w.login(tell))
	knows(w.current, w.renewal)
}
