package login

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"belay/mcpclient/settings"
)

// Dir is where logins are kept unless told otherwise: belay/logins in the
// user's config directory. The lock-… files in it are empty, and stay: to remove one
// that another belay waits for would give two of them the lock.
func Dir() (string, error) {
	conf, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no directory for the user's settings: %w", err)
	}
	return filepath.Join(conf, "belay", "logins"), nil
}

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
	longestFile      = 1 << 20
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
		if issuer != "" && !sameIssuer(g.Issuer, issuer) {
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

func (s store) remove(file string) error {
	if s.dir == "" {
		return nil
	}
	err := os.Remove(filepath.Join(s.dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read reads a file into v, which from then on only the user can read. What is wrong with it is said without its text.
// A file that others may write to, or replace, is not read: it could say to whom
// secrets are sent.
func (s store) read(file string, v any) error {
	if s.dir == "" {
		return fs.ErrNotExist
	}
	path := filepath.Join(s.dir, file)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := s.trusted(path); err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		// A copy that others can read is mended. Where modes mean nothing, that
		// fails, or is of no use.
		_ = os.Chmod(path, mode&0o700)
	}
	if info.Size() > longestFile {
		return fmt.Errorf("the file %s is too long to be a login", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, v) != nil {
		return fmt.Errorf("the file %s is broken: move it away, or log in again", path)
	}
	return nil
}

// trusted looks at who may write to the directory, and to a file in it.
func (s store) trusted(path string) error {
	if err := settings.Check(s.dir); err != nil {
		return err
	}
	return settings.Check(path)
}

// write replaces a file at once. Only the user can read it. A file that is
// there and cannot be read is put aside under another name first. Nothing is
// written where others may write.
func (s store) write(file string, v any) error {
	if s.dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if err := settings.Check(s.dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, file)
	if there, err := os.ReadFile(path); err == nil && !json.Valid(there) {
		if err := os.Rename(path, path+".broken"); err != nil {
			return err
		}
	}
	tmp, err := os.CreateTemp(s.dir, file+".*") // created with 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(text, '\n'))
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // the error before it is the one to tell
	}
	return err
}
