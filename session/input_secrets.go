package session

import "belay/session/secret"

// withSecrets is an input with texts in which something secret may be.
type withSecrets interface {
	Input
	// masked is the input with what is secret in its texts replaced; what it shares with others
	// is not changed.
	masked(m masker) Input
}

// Masked is the input with what is secret in its texts replaced by asterisks; nil hides nothing.
// What the input shares with others is not changed. Words of the protocol, and the structure of
// messages, stay, so that a session comes to the same states by it (LOG-13;
// server/utilities/logging).
func Masked(in Input, mask *secret.Mask) Input {
	if in, ok := in.(withSecrets); ok {
		return in.masked(masker{mask})
	}
	return in
}

// MaskedConfig is the configuration with what is secret in it replaced in the same way.
func MaskedConfig(cfg Config, mask *secret.Mask) Config {
	m := masker{mask}
	cfg.Endpoint, cfg.Reason, cfg.Roots = m.text(cfg.Endpoint), m.reason(cfg.Reason), m.roots(cfg.Roots)
	return cfg
}
