package mcpclient

import (
	cryptorand "crypto/rand"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"belay/mcpclient/process"
	"belay/session/secret"
)

// secrets are what belay is given that may be secret, to be masked in a
// recording: all that the environment, the header fields, the address and
// o.Secrets hold, whatever it is called, but for a variable that names a program.
// Of what is only handed on, and of the command, it is what is known to be secret:
// a password in an address, a value behind the name of a secret.
func (o Options) secrets() []secret.Value {
	var all []secret.Value
	for _, kv := range slices.Concat(o.Env, o.Secrets) {
		name, ok := process.NameOf(kv)
		if !ok {
			name = kv
			kv += "=" + os.Getenv(kv)
		}
		if isProgram(name, kv[len(name)+1:]) {
			continue
		}
		all = append(all, secretsIn(name, kv[len(name)+1:])...)
	}
	for name, values := range o.HTTP.Header {
		for _, value := range values {
			all = append(all, secretsIn(name, value)...)
		}
	}
	all = append(all, secretsInAddress(o.HTTP.Endpoint)...)
	all = append(all, secret.Value{Name: "client_secret", Text: o.HTTP.Login.ClientSecret.Reveal()})
	all = append(all, secretsInCommand(o.Command)...)
	if len(o.Command) > 0 {
		handedOn, _ := process.Environment(os.Environ(), nil, runtime.GOOS)
		for _, kv := range handedOn {
			name, _ := process.NameOf(kv)
			all = append(all, passwordsIn(name, kv[len(name)+1:], false)...)
		}
	}
	return all
}

// isProgram reports whether a variable tells which program is to be run, by the name of one that
// the system finds. Everybody knows that name, and where it is masked nobody knows what still runs after
// a cancel. The name of a secret says more than such a value does.
func isProgram(name, value string) bool {
	if len(value) > longestProgram || filepath.Base(value) != value || secret.IsName(name) {
		return false
	}
	_, err := exec.LookPath(value)
	return err == nil
}

// longestProgram is how long the name of a program is at most, in bytes.
const longestProgram = 64

// secretsIn are what may be secret in a value that has a name: all of it, and
// parts that are used by themselves.
func secretsIn(name, value string) []secret.Value {
	all := []secret.Value{{Name: name, Text: value}}
	add := func(name, text string) {
		if text = strings.TrimSpace(text); text != value {
			all = append(all, secret.Value{Name: name, Text: text})
		}
	}
	add(name, value)
	for line := range strings.Lines(value) { // as they come on stderr
		if line = strings.TrimSpace(line); len(line) >= 16 && !strings.HasPrefix(line, "-----") {
			add(name, line)
		}
	}
	switch scheme, rest, _ := strings.Cut(strings.TrimSpace(value), " "); {
	case strings.EqualFold(scheme, "basic"):
		add(name, rest)
		if pair, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest)); err == nil {
			_, password, _ := strings.Cut(string(pair), ":")
			add("password", password)
		}
	case slices.Contains([]string{"bearer", "token", "apikey", "digest", "negotiate"}, strings.ToLower(scheme)),
		strings.HasSuffix(strings.ToLower(name), "authorization"):
		add(name, rest)
	}
	for pair := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("; \t\n?&", r) }) { // cookies, "host=h password=p"
		if part, of, found := strings.Cut(pair, "="); found && (strings.EqualFold(name, "Cookie") || secret.IsName(part)) {
			add(part, of)
		}
	}
	if m := userAndPassword().FindStringSubmatch(value); m != nil {
		add(name, m[1])
	}
	all = append(all, secretsInAddress(value)...)
	return append(all, secretsInJSON(value)...)
}

// userAndPassword is how some data sources begin, which are no addresses:
// user:password@tcp(host)/db.
var userAndPassword = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^\s:/@]*:([^\s/@][^\s@]*)@`) })

// secretsInAddress are the password of an address, or the user where there is
// none, both as HTTP sends them, and the values of its query.
func secretsInAddress(address string) []secret.Value {
	all := passwordsIn("", address, true)
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return all
	}
	for name, values := range u.Query() {
		for _, value := range values {
			all = append(all, secret.Value{Name: name, Text: value})
		}
	}
	return all
}

// passwordsIn are the password of an address, and where there is none the user,
// if that may be one, too: as they are and as HTTP sends them.
func passwordsIn(name, address string, orUser bool) []secret.Value {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User == nil {
		return nil
	}
	password, has := u.User.Password()
	if !has && !orUser {
		return nil
	}
	if !has {
		password = u.User.Username()
	}
	req := http.Request{Header: http.Header{}}
	req.SetBasicAuth(u.User.Username(), password)
	_, sent, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	return []secret.Value{{Name: name, Text: password}, {Name: "Authorization", Text: sent}}
}

// secretsInJSON are the strings in a value that is JSON, as the key of a service
// account is, which have the name of a secret.
func secretsInJSON(value string) (all []secret.Value) {
	var v any
	if !strings.HasPrefix(strings.TrimSpace(value), "{") || json.Unmarshal([]byte(value), &v) != nil {
		return nil
	}
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, v := range v {
				walk(name, v)
			}
		case []any:
			for _, v := range v {
				walk(name, v)
			}
		case string:
			if secret.IsName(name) {
				all = append(all, secret.Value{Name: name, Text: v})
			}
		}
	}
	walk("", v)
	return all
}

// secretsInCommand are the values of options that have the name of a secret.
func secretsInCommand(command []string) (all []secret.Value) {
	for i, arg := range command {
		option, isOption := strings.CutPrefix(arg, "-")
		name, value, found := strings.Cut(strings.TrimPrefix(option, "-"), "=")
		if !found && i+1 < len(command) {
			value = command[i+1]
		}
		if (isOption || found) && secret.IsName(name) {
			all = append(all, secret.Value{Name: name, Text: value})
		}
	}
	return all
}

// Credentials are what in these options lets in whoever has it, by name: header
// fields, parameters and the account of the address.
func (o HTTPOptions) Credentials() []string {
	var names []string
	for name, values := range o.Header {
		if secret.IsNameOfHeader(name) || slices.ContainsFunc(values, isCredential) {
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
		if secret.IsNameInAddress(name) || slices.ContainsFunc(u.Query()[name], func(v string) bool { return looksSecret().RedactText(v) != v }) {
			names = append(names, "the parameter "+name)
		}
	}
	return names
}

// isCredential reports whether the value of a header field is one, whatever the field
// is called: a scheme and one more word, or what looks like a secret.
func isCredential(value string) bool {
	words := strings.Fields(value)
	return len(words) == 2 && slices.Contains([]string{"bearer", "basic"}, strings.ToLower(words[0])) || looksSecret().RedactText(value) != value
}

// looksSecret is a mask that knows no secret by its value, only what they look like.
var looksSecret = sync.OnceValue(func() *secret.Mask { return secret.NewMask("") })

// Conceal has a recording mask these values from now on: they are secret, and belay
// did not know them before. It does not block, however long they are.
func (c *Client) Conceal(secrets ...secret.Value) {
	c.learnt.add(secrets)
	c.rec.Load().Learn(secrets...)
	c.opt.Learn(secrets...)
}

// learnt is what turned out to be secret while belay ran.
type learnt struct {
	mu     sync.Mutex
	values []secret.Value
}

func (l *learnt) add(values []secret.Value) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.values = append(l.values, values...)
}

func (l *learnt) all() []secret.Value {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.values)
}

// Mask is a mask that knows what belay is given that may be secret. To make it takes a while.
func (o Options) Mask() *secret.Mask { return secret.NewMask(cryptorand.Text()).With(o.secrets()...) }

// Mask is a mask that knows what belay was given and what turned out to be secret by now. To
// make it takes a while.
func (c *Client) Mask() *secret.Mask { return c.opt.Mask().With(c.learnt.all()...) }

// learnTexts is Conceal for values without a name.
func (c *Client) learnTexts(secrets ...string) {
	var all []secret.Value
	for _, text := range secrets {
		all = append(all, secret.Value{Text: text})
	}
	c.Conceal(all...)
}

// maxSessions bounds how many sessions a server may name on one connection.
const maxSessions = 100

// learnSession has the ID of a session masked, which may be in an address.
func (w *httpTransport) learnSession(ids ...secret.Value) {
	w.mu.Lock()
	w.sessions++
	known := w.sessions > maxSessions
	w.mu.Unlock()
	if !known {
		w.c.Conceal(ids...)
	}
}
