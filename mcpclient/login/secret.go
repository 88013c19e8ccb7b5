package login

import (
	"log/slog"
	"strings"
)

const hidden = "[hidden]"

// Secret is a text that must not be seen: whatever prints, logs or encodes it
// gets a word instead. The zero Secret is empty. Secrets are compared with
// [Secret.Equal].
type Secret struct {
	// A pointer, because fmt looks into unexported fields of other structs
	// without asking String.
	text *string
}

// NewSecret hides text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text itself, for the one call that sends or stores it.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is no text.
func (s Secret) Empty() bool { return s.text == nil }

// Equal reports whether both hide the same text.
func (s Secret) Equal(other Secret) bool { return s.Reveal() == other.Reveal() }

// String returns a word that stands for the text, or nothing for none.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return hidden
}

// GoString is String, for %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText is String, for encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue is String, for slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// without returns text with the secrets in it hidden.
func without(text string, secrets ...string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, hidden)
		}
	}
	return text
}
