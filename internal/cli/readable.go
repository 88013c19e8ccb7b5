package cli

import (
	"fmt"
	"net/http"
	"strings"

	"belay/internal/safe"
	"belay/mcpclient"
	"belay/mcpclient/address"
	"belay/mcpclient/config"
)

// readable is what a server over HTTP would be sent that lets in whoever reads it
// on the way; nothing where the way is TLS, or leaves this machine not.
func readable(o mcpclient.HTTPOptions) (config.Readable, bool) {
	names := o.Credentials()
	if len(names) == 0 || !address.IsReadable(o.Endpoint) {
		return config.Readable{}, false
	}
	scheme, rest, _ := strings.Cut(address.Shown(o.Endpoint), "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return config.Readable{Origin: strings.ToLower(scheme + "://" + host), What: names}, true
}

// readableOf is the same of an entry, as far as it is known before the user is asked. The
// second result reports whether the origin can be read in the entry, as it is shown.
func readableOf(s *config.Opened) (r config.Readable, shown, is bool) {
	o := sentTo(s.Judged())
	r, is = readable(o)
	o.Endpoint = s.URL.Raw
	named, known := readable(o)
	return r, known && named.Fingerprint() == r.Fingerprint(), is
}

// sentTo is where an entry over HTTP leads to, with what it would send there.
func sentTo(l config.Launch) mcpclient.HTTPOptions {
	o := mcpclient.HTTPOptions{Endpoint: l.URL, Header: http.Header{}}
	for _, h := range l.Headers {
		o.Header.Add(h.Name, h.Value)
	}
	return o
}

// warnReadable warns the user of credentials that can be read on their way, and asks once for each
// server and kind of credential. With --yes it only says so, on the screen as well.
func (e *entryFlags) warnReadable(s std, server target, t *ttyPrompter, look *looks) error {
	r, is := readable(server.http)
	if !is {
		return nil
	}
	if e.yes {
		look.mind(s, fmt.Sprintf("%s goes to %s without TLS: whoever is on the way can read it", safe.Line(strings.Join(r.What, ", ")), safe.Line(r.Origin)))
		return nil
	}
	sys, _, err := environment()
	if err != nil {
		return err
	}
	kept := consents(sys)
	if e.said != r.Fingerprint() { // else the question about the entry has just said it
		known, err := kept.Has(r)
		if known {
			return nil
		}
		trouble := ""
		if err != nil {
			trouble = plain(err)
		}
		if t == nil {
			return usage("%s would go to %s without TLS, and there is no terminal to ask on; --yes allows it", strings.Join(r.What, ", "), r.Origin)
		}
		if !t.maySend(r, trouble) {
			return declined("nothing was sent")
		}
		if isOfSettings(err) { // it was said
			return nil
		}
	}
	if err := kept.Add(r); err != nil && t != nil && !isOfSettings(err) {
		t.say("this cannot be remembered, so you will be asked again: " + plain(err))
	}
	return nil
}

// maySend asks whether credentials may go where others can read them.
func (t *ttyPrompter) maySend(r config.Readable, trouble string) bool {
	q := sheet{head: "Credentials would be sent without TLS:"}
	q.add("address", piece{text: r.Origin, kind: word})
	q.host(r.Origin, r.Origin)
	q.add("it gets", each(word, r.What)...)
	q.tail = "Whoever is on the way to that server can read these, and use them as you do.\n" +
		"If it speaks TLS, give its address with https://.\n" +
		q.asks("the address, or what it gets, has changed", trouble)
	return t.allows(&q, "Send them?")
}
