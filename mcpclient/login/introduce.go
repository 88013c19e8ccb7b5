package login

import (
	"context"
	"net/url"
	"time"

	"belay/mcpclient/address"
)

// introduced is who belay is in this login.
type introduced struct {
	client
	reused bool // registered by an earlier login
}

// waiting is a callback, or the reason why there is none.
type waiting struct {
	*callback
	address string
	fault   error
}

func (w *waiting) close() {
	if w.callback != nil {
		w.callback.close()
	}
}

// nobody is the redirect address when nothing can listen at 127.0.0.1: the
// browser shows it in its address line, from where it is pasted.
const nobody = "http://127.0.0.1/callback"

// introduce finds out who belay is to the authorization server, and waits at
// the redirect address that goes with it. A registration of an earlier login is
// used again if its address is free: the server knows no other.
func (a *Attempt) introduce(ctx context.Context, w *where) (introduced, *waiting, error) {
	l := a.l
	known, err := l.configured(w)
	if err != nil {
		return introduced{}, nil, failed(StepProof, err)
	}
	if known != nil {
		return introduced{client: *known}, a.wait(l.o.RedirectURL), nil
	}
	old, err := l.store.registrationAt(w.server.Issuer)
	if err == nil && old.valid(time.Now()) && (l.o.RedirectURL == "" || l.o.RedirectURL == old.Redirect) {
		if u, err := url.Parse(old.Redirect); err == nil && u.Scheme == "http" && address.IsLoopback(u.Hostname()) {
			if back := a.wait(old.Redirect); back.fault == nil || l.o.RedirectURL != "" {
				return introduced{client: old.Client, reused: true}, back, nil
			}
		}
	}
	back := a.wait(l.o.RedirectURL)
	fresh, err := l.register(ctx, w, back.address)
	if err != nil {
		back.close()
		return introduced{}, nil, w.unregistered(ctx, err)
	}
	if err := l.store.saveRegistration(fresh); err != nil {
		a.set(func(s *State) { s.NotKept = failed(StepStore, err) })
	}
	return introduced{client: fresh.Client}, back, nil
}

func (a *Attempt) wait(redirect string) *waiting {
	c, err := listen(redirect, a.called)
	switch {
	case err == nil:
		return &waiting{callback: c, address: c.address}
	case redirect == "":
		return &waiting{address: nobody, fault: err}
	}
	return &waiting{address: redirect, fault: err}
}
