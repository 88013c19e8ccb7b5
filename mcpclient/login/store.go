package login

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"belay/mcpclient/settings"
)

// Dir is where logins are kept unless told otherwise: belay/logins in the
// user's config directory. The lock-… files in it are empty, and stay: to remove one
// that another belay waits for would give two of them the lock.
func Dir() (string, error) { return settings.Dir("logins") }

// store is a directory with one file for each grant and one for each
// registration, so that two belays that run at once do not undo each other's
// work, and a broken file is the loss of one login. An empty dir keeps nothing.
type store struct {
	dir   string
	waits func() // is told when a lock is waited for, in tests; nil: nobody is
}

// grant is what one login gave. Its file is named after server, issuer and
// resource.
type grant struct {
	Endpoint string `json:"endpoint"` // the server's address as the user gave it
	Issuer   string `json:"issuer"`
	Resource string `json:"resource"`
	TokenURL string `json:"token_endpoint"`

	// RevokeURL is where the tokens are revoked; empty: the issuer names none.
	RevokeURL string `json:"revocation_endpoint,omitempty"`

	Client  client    `json:"client"`
	Access  string    `json:"access_token"`
	Refresh string    `json:"refresh_token,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	Scopes  []string  `json:"scopes,omitempty"` // all that was asked for so far
	Saved   time.Time `json:"saved"`
}

// registration is what an authorization server gave belay when it registered.
// Its file is named after the issuer.
type registration struct {
	Issuer   string    `json:"issuer"`
	Client   client    `json:"client"`
	Redirect string    `json:"redirect_uri"`
	Expires  time.Time `json:"expires,omitzero"`
}

const (
	grantFile        = "grant-"
	registrationFile = "client-"
)

func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// grantFiles is what the names of all grants for the server at endpoint begin with.
func grantFiles(endpoint string) string { return grantFile + hash(endpoint) + "-" }

func (g *grant) file() string {
	return grantFiles(g.Endpoint) + hash(g.Issuer, g.Resource) + ".json"
}

func registrationFileOf(issuer string) string { return registrationFile + hash(issuer) + ".json" }

// grantFor returns the newest grant for the server at endpoint, nil if there is
// none: one of the client that the user registered by hand, or with "" one of
// any other client. One whose resource has a query is for the address asked
// alone, and with an issuer named, one of another does not count. Grants that cannot be read are an error only if no other one fits.
func (s store) grantFor(endpoint, asked, clientID, issuer string) (*grant, error) {
	if s.dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found *grant
	var broken error
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), grantFiles(endpoint)) || !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		var g grant
		if err := s.read(e.Name(), &g); err != nil {
			broken = err
			continue
		}
		if e.Name() != g.file() { // copied by hand: its issuer and its name say different things
			broken = fmt.Errorf("the file %s is not named after what is in it", filepath.Join(s.dir, e.Name()))
			continue
		}
		if strings.Contains(g.Resource, "?") && g.Resource != asked {
			continue
		}
		if issuer != "" && !isSameIssuer(g.Issuer, issuer) {
			continue
		}
		byHand := ""
		if g.Client.ByHand {
			byHand = g.Client.ID
		}
		if byHand == clientID && (found == nil || g.Saved.After(found.Saved)) {
			found = &g
		}
	}
	if found != nil {
		return found, nil
	}
	return nil, broken
}

// saveGrant keeps g and removes what it replaces: grants for the same server
// of another issuer.
func (s store) saveGrant(g *grant, old *grant) error {
	if err := s.write(g.file(), g); err != nil {
		return err
	}
	if old != nil && old.file() != g.file() {
		return s.remove(old.file())
	}
	return nil
}

func (s store) registrationAt(issuer string) (*registration, error) {
	var r registration
	err := s.read(registrationFileOf(issuer), &r)
	if errors.Is(err, fs.ErrNotExist) || s.dir == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if r.Issuer != issuer {
		return nil, fmt.Errorf("the file %s is for another authorization server than its name says", filepath.Join(s.dir, registrationFileOf(issuer)))
	}
	return &r, nil
}

func (s store) saveRegistration(r *registration) error {
	return s.write(registrationFileOf(r.Issuer), r)
}

func (s store) forgetRegistration(issuer string) error {
	return s.remove(registrationFileOf(issuer))
}

// files is the directory of the store, with what errors call it.
func (s store) files() settings.Files {
	return settings.Files{Dir: s.dir, What: "a login", Mends: "log in again"}
}

func (s store) remove(file string) error { return s.files().Remove(file) }

// read reads a file into v. One that others may write to, or replace, is not read: it could
// say to whom secrets are sent.
func (s store) read(file string, v any) error { return s.files().Read(file, v) }

// write replaces a file at once.
func (s store) write(file string, v any) error { return s.files().Write(file, v) }
