package login

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// mine is a client with a secret, which the user has registered.
func mine(o *Options) { o.ClientID, o.ClientSecret = "me", NewSecret("my-secret") }

func robot(o *Options) { mine(o); o.ClientCredentials = true }

// takesSecrets has the authorization server take client secrets.
func (w *servers) takesSecrets() *servers {
	w.offers["token_endpoint_auth_methods_supported"] = []string{methodPost}
	return w
}

// refusedFor fails unless the login ended before anything was asked of the
// authorization servers, with an error of these words that says how to name one.
func refusedFor(t *testing.T, err error, asked []*servers, parts ...string) {
	t.Helper()
	wants(t, err, append(parts, string(StepChoice), " with --name-it")...)
	for _, w := range asked {
		if len(w.asked) != 0 {
			t.Errorf("asked was %v", w.asked)
		}
	}
}

// A server may name any authorization server. A client secret goes to the one that
// the user has named, and to no other, which is not even asked what it offers.
func TestAClientSecretIsForTheIssuerThatTheUserNames(t *testing.T) {
	for name, who := range map[string]func(*Options){"with a page": mine, "client credentials": robot} {
		t.Run(name, func(t *testing.T) {
			honest, evil := newServers(t).takesSecrets(), newServers(t).takesSecrets()
			evil.names["authorization_servers"] = []string{evil.issuer.URL}
			refusedFor(t, evil.through(evil.login(who), evil.refused(Secret{})), []*servers{evil},
				"the server names \""+evil.issuer.URL+"\"", "a client secret is sent only to one that you have named")
			refusedFor(t, evil.through(evil.login(who, honest.named), evil.refused(Secret{})), []*servers{evil, honest},
				"the server names \""+evil.issuer.URL+"\"", "you have named "+honest.issuer.URL)

			// Of several the one that was named is taken, not the first.
			evil.names["authorization_servers"] = []string{evil.issuer.URL, honest.issuer.URL}
			a := evil.begin(evil.login(who, honest.named), evil.refused(Secret{}))
			if s := evil.reach(a, PhasePage); s.Issuer != honest.issuer.URL || len(evil.asked) != 0 || len(honest.asked) == 0 {
				t.Errorf("%+v; the first was asked %v, the one that was named %v", s, evil.asked, honest.asked)
			}
			a.Abandon()
			_ = a.Wait(context.Background())
		})
	}
}

// A server that names nobody is not by that the one for the secret.
func TestAClientSecretIsNotForAServerThatNamesNobody(t *testing.T) {
	w := newServers(t)
	w.parts[resourcePath] = http.NotFound
	l := w.login(mine)
	refusedFor(t, w.through(l, w.refused(Secret{})), []*servers{w}, "the server names nobody, so that it has to be "+w.server.URL+" itself")
	refusedFor(t, w.through(w.login(mine, w.named), w.refused(Secret{})), []*servers{w}, "you have named "+w.issuer.URL)
}

// What calls itself the issuer that the user has named, at another address, is
// none.
func TestAnIssuerThatBorrowsAName(t *testing.T) {
	honest, evil := newServers(t).takesSecrets(), newServers(t).takesSecrets()
	evil.offers["issuer"] = honest.issuer.URL
	refusedFor(t, evil.through(evil.login(mine, honest.named), evil.refused(Secret{})), []*servers{honest, evil}, "the server names \""+evil.issuer.URL+"\"")
}

// The token endpoint of an issuer may be at another origin, as it is with those of
// the big ones: the issuer says so, at its own address, and gets the secret there.
func TestATokenEndpointElsewhere(t *testing.T) {
	w, elsewhere := newServers(t).takesSecrets(), newServers(t)
	w.offers["token_endpoint"] = elsewhere.issuer.URL + "/token"
	if err := w.through(w.login(robot, w.named), w.refused(Secret{})); err != nil {
		t.Fatal(err)
	}
	if len(elsewhere.forms) != 1 || elsewhere.forms[0].Get("client_secret") != "my-secret" || w.tokenRequests() != 0 {
		t.Errorf("%v", elsewhere.forms)
	}
}

// An issuer that wants a proof by keys gets no secret in its place.
func TestNoSecretInThePlaceOfAKey(t *testing.T) {
	for _, methods := range [][]string{{"private_key_jwt"}, {"client_secret_jwt"}, {"none"}, {"tls_client_auth", "private_key_jwt"}} {
		w := newServers(t)
		w.offers["token_endpoint_auth_methods_supported"] = methods
		wants(t, w.through(w.login(robot, w.named), w.refused(Secret{})), string(StepProof), "it takes no client secret", methods[0])
		if w.tokenRequests() != 0 {
			t.Errorf("%v: a token was asked for", methods)
		}
	}
}

// How an issuer is written does not matter where it is the same address; where it
// is another, nothing makes it the same.
func TestSameIssuer(t *testing.T) {
	const named = "https://auth.example.com/tenant"
	for other, want := range map[string]bool{
		named: true, named + "/": true, "https://AUTH.example.COM/tenant": true, "HTTPS://auth.example.com:443/tenant": true,
		"https://auth.example.com/Tenant": false, "https://auth.example.com/tenant//": false, "https://auth.example.com/": false,
		"https://auth.example.com/tenant/..": false, "https://auth.example.com/other/../tenant": false, "https://auth.example.com/%74enant": false,
		"https://auth.example.com:8443/tenant": false, "http://auth.example.com/tenant": false, "HTTP://auth.example.com/tenant": false, "https://auth.example.com./tenant": false,
		"https://auth.example.com@evil.example/tenant": false, "https://evil.example/auth.example.com/tenant": false,
		"https://auth.example.com.evil.example/tenant": false, "https://auth.example.com%2f@evil.example/tenant": false,
		"https://me@auth.example.com/tenant": false, named + "?": false, named + "?x": false, named + "#": false, named + "#x": false,
		"https://аuth.example.com/tenant": false, // the first letter is Cyrillic
		"https:auth.example.com/tenant":   false, "//auth.example.com/tenant": false, "": false, " " + named: false, named + "\n": false,
		"https://auth.example.com\\@evil.example/tenant": false,
	} {
		if got := isSameIssuer(other, named); got != want {
			t.Errorf("%q: %v", other, got)
		}
		if got := isSameIssuer(named, other); got != want {
			t.Errorf("%q, the other way: %v", other, got)
		}
	}
	if !isSameIssuer("http://localhost", "http://LOCALHOST:80/") || isSameIssuer("", "") {
		t.Error("an empty path, or no address at all")
	}
}

// What is kept of a login goes back to the issuer that gave it, whoever the server
// names since, and whoever the user names.
func TestATokenIsRenewedWhereItCameFrom(t *testing.T) {
	w, other := newServers(t).takesSecrets(), newServers(t).takesSecrets()
	dir := t.TempDir()
	l := w.login(in(dir), mine, w.named)
	w.mustLogin(l)
	first := w.tokenRequests()

	// The server changes its mind: the refresh token and the secret do not follow.
	w.names["authorization_servers"] = []string{other.issuer.URL}
	age(l)
	if h := w.header(l); h.Reveal() != "Bearer "+w.current || w.tokenRequests() != first+1 || len(other.asked) != 0 {
		t.Errorf("after %d requests; the other was asked %v", w.tokenRequests(), other.asked)
	}
	w.renewal = "" // no more of it
	refusedFor(t, w.through(l, w.refused(w.header(l))), []*servers{other}, "the server names \""+other.issuer.URL+"\"", "you have named "+w.issuer.URL)
}

// A secret does not go where an earlier login has been, unless the user names that.
func TestAStoredLoginGetsNoSecretOfAnotherIssuer(t *testing.T) {
	w, other := newServers(t).takesSecrets(), newServers(t).takesSecrets()
	w.offers["revocation_endpoint"] = w.issuer.URL + "/revoke"
	dir := t.TempDir()
	l := w.login(in(dir), mine, w.named)
	w.mustLogin(l)
	lasts(l, -1)
	if err := l.store.saveGrant(l.held(), nil); err != nil { // a token that is over, with a refresh token
		t.Fatal(err)
	}
	before := len(w.asked)

	// Another issuer is named: that login is not this one's.
	if second := w.login(in(dir), mine, other.named); second.HasToken() || !w.header(second).Empty() {
		t.Error("the token of another issuer is taken")
	}
	// None is named: the token is not renewed, and says why; nor is it revoked.
	third := w.login(in(dir), mine)
	h, err := third.Authorization(context.Background())
	if !h.Empty() {
		t.Error("there is a header")
	}
	wants(t, err, string(StepChoice), "the token comes from "+w.issuer.URL, "only to one that you have named")
	a := w.begin(third, w.refused(Secret{}))
	wants(t, a.Wait(context.Background()), "the server names \""+w.issuer.URL+"\"")
	r, err := third.Forget(context.Background())
	if err != nil || r.Revoked {
		t.Errorf("%+v, %v", r, err)
	}
	wants(t, r.Err, "the token comes from "+w.issuer.URL)
	if len(w.asked) != before || len(other.asked) != 0 {
		t.Errorf("asked was %v, and %v", w.asked[before:], other.asked)
	}
}

// A client ID alone is no secret. It is bound to whom the server names first; the
// user may name another, who is the only one then.
func TestAClientWithoutASecretIsBoundToItsIssuer(t *testing.T) {
	w, other := newServers(t), newServers(t)
	public := func(o *Options) { o.ClientID = "me" }
	l := w.login(public)
	sent := w.mustLogin(l)
	w.refresh, w.renewal = false, ""
	w.names["authorization_servers"] = []string{other.issuer.URL}
	refusedFor(t, w.through(l, w.refused(sent)), []*servers{other}, "the client ID was used with "+w.issuer.URL)
	refusedFor(t, w.through(w.login(public, w.named), w.refused(Secret{})), []*servers{other}, "you have named "+w.issuer.URL)
}

// The secret of a client that belay registered by itself stays with who gave it.
func TestARegistrationIsNotForAnotherIssuer(t *testing.T) {
	w, other := newServers(t).takesSecrets(), newServers(t).takesSecrets()
	given := func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, 201, map[string]any{"client_id": "given", "client_secret": "given-secret", "token_endpoint_auth_method": methodPost})
	}
	w.parts["/register"] = given
	dir := t.TempDir()
	l := w.login(in(dir))
	sent := w.mustLogin(l)
	w.renewal, w.names["authorization_servers"] = "", []string{other.issuer.URL}
	if err := w.through(l, w.refused(sent)); err != nil {
		t.Fatal(err)
	}
	secrets := func(forms []url.Values) (all []string) {
		for _, f := range forms {
			all = append(all, f.Get("client_secret"))
		}
		return all
	}
	if !slices.Contains(secrets(w.forms), "given-secret") || slices.Contains(secrets(other.forms), "given-secret") || len(other.regs) != 1 {
		t.Errorf("%v; the other got %v after %d registrations", secrets(w.forms), secrets(other.forms), len(other.regs))
	}
}

// An issuer may end in a slash, which goes before its metadata is asked for (RFC
// 8414, section 3.1).
func TestAnIssuerWithASlashAtTheEnd(t *testing.T) {
	for _, path := range []string{"/", "/ten/"} {
		w := newServers(t)
		issuer := w.issuer.URL + path
		w.names["authorization_servers"] = []string{issuer}
		at := "/.well-known/oauth-authorization-server" + strings.TrimSuffix(path, "/")
		w.parts[at] = func(rw http.ResponseWriter, _ *http.Request) {
			answer(rw, 200, map[string]any{
				"issuer": issuer, "authorization_endpoint": w.issuer.URL + "/page", "token_endpoint": w.issuer.URL + "/token",
				"registration_endpoint": w.issuer.URL + "/register", "code_challenge_methods_supported": []string{"S256"},
				"token_endpoint_auth_methods_supported": []string{"none"},
			})
		}
		w.parts["/page"] = func(rw http.ResponseWriter, r *http.Request) {
			back := w.approve(r.URL.Query())
			q := back.Query()
			q.Set("iss", issuer)
			back.RawQuery = q.Encode()
			http.Redirect(rw, r, back.String(), http.StatusFound)
		}
		if err := w.through(w.login(), w.refused(Secret{})); err != nil {
			t.Errorf("%s: %v; asked %q", issuer, err, w.asked)
		}
		if w.asked[0] != "GET "+at {
			t.Errorf("%s: asked %q first", issuer, w.asked[0])
		}
	}
}
