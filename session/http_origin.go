package session

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"belay/session/sentence"
)

// sameOrigin resolves an address of the server's against base, and refuses another origin,
// whose owner would read every request sent there.
func sameOrigin(base, ref string) (string, error) {
	b, err := url.Parse(base)
	if err != nil {
		return "", errors.New("belay's own address is odd")
	}
	r, err := url.Parse(strings.TrimSpace(ref))
	if err != nil {
		return "", fmt.Errorf("%s is no address", sentence.Quoted(sentence.Clip(ref)))
	}
	to := b.ResolveReference(r)
	if o := OriginOf(to); o != OriginOf(b) {
		return "", fmt.Errorf("it leads from %s to %s", OriginOf(b), o)
	}
	to.Fragment = ""
	return to.String(), nil
}

// OriginOf is the origin of an address: scheme, host and port, in lower case,
// the port named also where it is the usual one.
func OriginOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
