// Package shell writes words so that a POSIX shell reads them as they are.
package shell

import "strings"

// bare are the characters that no shell gives a meaning to, wherever they stand in a word
// but its beginning (see [Quote]).
const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-="

// Quote is a word as a POSIX shell reads it back, byte for byte. A word with a zero byte
// cannot be handed to a program, and it is left out.
func Quote(word string) string {
	word = strings.ReplaceAll(word, "\x00", "")
	if word != "" && word[0] != '=' && strings.Trim(word, bare) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Join quotes words, with a blank between two of them.
func Join(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}
