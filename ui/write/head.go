package write

import (
	"strings"

	"belay/internal/safe"
)

// Head is the beginning of a foreign text in at most so many rows of a width, whether the
// text has many lines or a long one, and about how many bytes of it are left out. Most
// bounds the bytes that are looked at.
func Head(text string, most, width, rows int) (head []safe.Text, more int) {
	look := text
	if len(text) > most {
		look = strings.ToValidUTF8(text[:most], "")
	}
	more = len(text) - len(look)
	for look = strings.TrimSuffix(look, "\n"); len(head) < rows; {
		line, rest, goesOn := strings.Cut(look, "\n")
		shown := safe.Text("")
		for _, t := range safe.Block(line, 1) {
			shown = t
		}
		wrapped := safe.Wrap(shown, width, rows-len(head))
		head = append(head, wrapped...)
		if len(head) == rows {
			more += missing(shown, wrapped)
		}
		if look = rest; !goesOn {
			break
		}
	}
	return head, more + len(look)
}

// missing is how many bytes of a text are not in its first rows, which end in … then.
func missing(text safe.Text, rows []safe.Text) int {
	const cut = "…"
	last := string(rows[len(rows)-1])
	if !strings.HasSuffix(last, cut) || strings.HasSuffix(string(text), cut) {
		return 0
	}
	n := len(text) + len(cut)
	for _, r := range rows {
		n -= len(r)
	}
	return max(1, n)
}
