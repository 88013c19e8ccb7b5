package mcp

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"regexp"
)

// secret is the shape of a credential. The last group of the expression is the
// secret itself. Hints are lower-case words without which the expression cannot
// match: looking for them first makes it cheap to find that there is nothing.
type secret struct {
	hints []string
	shape *regexp.Regexp
}

// secrets are the shapes of well-known credentials, and of JSON members and
// headers whose names say that they hold one.
var secrets = []secret{
	{[]string{"sk-"}, regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,})`)},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,})`)},
	{[]string{"github_pat_"}, regexp.MustCompile(`\b(github_pat_[A-Za-z0-9_]{20,})`)},
	{[]string{"glpat-"}, regexp.MustCompile(`\b(glpat-[A-Za-z0-9_-]{16,})`)},
	{[]string{"xox"}, regexp.MustCompile(`\b(xox[abeoprs]-[A-Za-z0-9-]{10,})`)},
	{[]string{"akia", "asia"}, regexp.MustCompile(`\b((?:AKIA|ASIA)[A-Z0-9]{16})\b`)},
	{[]string{"aiza"}, regexp.MustCompile(`\b(AIza[A-Za-z0-9_-]{35})`)},
	{[]string{"eyj"}, regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`)},
	{[]string{"bearer", "basic"}, regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`)},
	{nameHints, regexp.MustCompile(`(?i)"` + secretNames + `"\s*:\s*"((?:[^"\\]|\\.)+)`)},
	// The same within a JSON string, where quotes are escaped.
	{nameHints, regexp.MustCompile(`(?i)\\"` + secretNames + `\\"\s*:\s*\\"((?:[^"\\]|\\[^"])+)`)},
}

const secretNames = `(?:password|passwd|secret|client_secret|api_?key|access_token|refresh_token|id_token|authorization|cookie|private_key)`

var nameHints = []string{"passw", "secret", "api", "_token", "authorization", "cookie", "private_key"}

// idMember is what stands before an ID or a token.
var idMember = regexp.MustCompile(`"(?:id|requestId|progressToken)"\s*:\s*$`)

// mayMatch says whether one of the hints is in the text, which is in lower
// case.
func (s *secret) mayMatch(lower []byte) bool {
	for _, h := range s.hints {
		if bytes.Contains(lower, []byte(h)) {
			return true
		}
	}
	return false
}

// Redact replaces what looks like a secret by asterisks, as many bytes as it
// had, so that lengths and structure stay (LOG-13, SEC-24). Where an ID looks
// like one, two that differ still do afterwards: otherwise a redacted recording
// could be replayed to other states. It returns its argument when there is no
// secret.
func Redact(line []byte) []byte {
	out := line
	lower := bytes.ToLower(line)
	for i := range secrets {
		if !secrets[i].mayMatch(lower) {
			continue
		}
		for _, m := range secrets[i].shape.FindAllSubmatchIndex(line, -1) {
			if &out[0] == &line[0] {
				out = bytes.Clone(line)
			}
			from, to := m[len(m)-2], m[len(m)-1]
			for at := from; at < to; at++ {
				out[at] = '*'
			}
			if quote := bytes.LastIndexByte(line[:from], '"'); quote >= 0 && idMember.Match(line[max(0, quote-64):quote]) {
				copy(out[max(from, to-8):to], fingerprint(line[from:to]))
			}
		}
	}
	return out
}

// fingerprint is short and tells nothing of a secret, but which one it is.
func fingerprint(secret []byte) string {
	h := fnv.New32a()
	h.Write(secret)
	return fmt.Sprintf("%08x", h.Sum32())
}

// RedactedID is Redact for the token of an ID alone.
func RedactedID(id []byte) []byte {
	const before = `"id":`
	return Redact(append([]byte(before), id...))[len(before):]
}
