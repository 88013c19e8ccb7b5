package mcpclient

import (
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"belay/session/secret"
)

// secrets are what belay is given that may be secret, to be masked in a
// recording: what the environment, the header fields, the address and o.Secrets
// hold.
func (o Options) secrets() []string {
	var all []string
	for _, kv := range append(append([]string(nil), o.Env...), o.Secrets...) {
		name, ok := envName(kv)
		if !ok {
			name = kv
			kv += "=" + os.Getenv(kv)
		}
		all = append(all, secretsIn(name, kv[len(name)+1:])...)
	}
	for name, values := range o.HTTP.Header {
		for _, value := range values {
			all = append(all, secretsInField(name, value)...)
		}
	}
	all = append(all, secretsInAddress(o.HTTP.Endpoint)...)
	return append(all, o.HTTP.Login.ClientSecret.Reveal())
}

// secretsIn are what may be secret in a value that has a name. Of one whose name
// is no secret's, an ordinary value is none: a recording in which each "debug"
// and each directory were masked would be of little use.
func secretsIn(name, value string) []string {
	named := secret.Named(name)
	var all []string
	if strings.Contains(value, "://") {
		all = secretsInAddress(value)
		if len(all) == 0 && !named {
			return nil
		}
	} else if !named && isOrdinary(value) {
		return nil
	}
	for line := range strings.Lines(value) { // as they come on stderr
		if line = strings.TrimSpace(line); len(line) >= 16 && line != value {
			all = append(all, line)
		}
	}
	return append(all, value)
}

// isOrdinary says whether a value is a single word, a number, or a path that
// leads somewhere.
func isOrdinary(value string) bool {
	if ordinary.MatchString(value) {
		return true
	}
	first, _, _ := strings.Cut(value, string(os.PathListSeparator))
	if !filepath.IsAbs(first) {
		return false
	}
	_, err := os.Stat(first)
	return err == nil
}

var ordinary = regexp.MustCompile(`^(?:\p{L}\p{Ll}*|\p{Lu}+|[0-9.,:+-]+)$`)

// secretsInField are those of a header field: all of its value, and of one that
// holds a scheme or names, what stands behind them.
func secretsInField(name, value string) []string {
	all := secretsIn(name, value)
	switch scheme, rest, found := strings.Cut(value, " "); {
	case strings.EqualFold(name, "Cookie"):
		for pair := range strings.SplitSeq(value, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			all = append(all, secretsIn(name, value)...)
		}
	case found && strings.HasSuffix(strings.ToLower(name), "authorization"):
		all = append(all, rest)
	case found:
		all = append(all, secretsIn(scheme, rest)...)
	}
	return all
}

// secretsInAddress are the password of an address, or the user where there is
// none, both as HTTP sends them, and the values of its query.
func secretsInAddress(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var all []string
	if u.User != nil {
		password, has := u.User.Password()
		if !has {
			password = u.User.Username()
		}
		req := http.Request{Header: http.Header{}}
		req.SetBasicAuth(u.User.Username(), password)
		_, sent, _ := strings.Cut(req.Header.Get("Authorization"), " ")
		all = append(all, password, sent)
	}
	for name, values := range u.Query() {
		for _, value := range values {
			all = append(all, secretsIn(name, value)...)
		}
	}
	return all
}

// Credentials are what in these options lets in whoever has it, by name: header
// fields, parameters and the account of the address.
func (o HTTPOptions) Credentials() []string {
	var names []string
	for name, values := range o.Header {
		if secret.Named(name) || slices.ContainsFunc(values, func(v string) bool { return looksSecret.RedactText(v) != v }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	u, err := url.Parse(o.Endpoint)
	if err != nil {
		return names
	}
	if u.User != nil {
		names = append(names, "the account in the address")
	}
	for _, name := range slices.Sorted(maps.Keys(u.Query())) {
		if secret.NamedInAddress(name) || slices.ContainsFunc(u.Query()[name], func(v string) bool { return looksSecret.RedactText(v) != v }) {
			names = append(names, "the parameter "+name)
		}
	}
	return names
}

// looksSecret knows no secret by its value, only what they look like.
var looksSecret = new(secret.Mask)

// learn has a recording mask these from now on: they are secret, and belay did
// not know them before.
func (c *Client) learn(secrets ...string) { c.rec.learn(secrets...) }

// maxSessions bounds how many sessions a server may name on one connection.
const maxSessions = 100

// learnSession has the ID of a session masked, which may be in an address.
func (w *web) learnSession(ids ...string) {
	w.mu.Lock()
	w.sessions++
	known := w.sessions > maxSessions
	w.mu.Unlock()
	if !known {
		w.c.learn(ids...)
	}
}
