package session

import (
	"bytes"
	"regexp"
)

// secrets are the shapes of well-known credentials, and of JSON members and
// headers whose names say that they hold one. The last group is the secret.
var secrets = []*regexp.Regexp{
	regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,})`),
	regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,})`),
	regexp.MustCompile(`\b(github_pat_[A-Za-z0-9_]{20,})`),
	regexp.MustCompile(`\b(glpat-[A-Za-z0-9_-]{16,})`),
	regexp.MustCompile(`\b(xox[abeoprs]-[A-Za-z0-9-]{10,})`),
	regexp.MustCompile(`\b((?:AKIA|ASIA)[A-Z0-9]{16})\b`),
	regexp.MustCompile(`\b(AIza[A-Za-z0-9_-]{35})`),
	regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`),
	regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`),
	regexp.MustCompile(`(?i)"(?:password|passwd|secret|client_secret|api_?key|access_token|refresh_token|id_token|authorization|cookie|private_key)\\?"\s*:\s*\\?"((?:[^"\\]|\\[^"])+)`),
}

// Redact replaces what looks like a secret by asterisks, as many bytes as it
// had, so that lengths and structure stay (LOG-13, SEC-24). It returns its
// argument when there is none.
func Redact(line []byte) []byte {
	out := line
	for _, re := range secrets {
		for _, m := range re.FindAllSubmatchIndex(line, -1) {
			if len(out) > 0 && &out[0] == &line[0] {
				out = bytes.Clone(line)
			}
			from, to := m[len(m)-2], m[len(m)-1]
			for i := from; i < to; i++ {
				out[i] = '*'
			}
		}
	}
	return out
}
