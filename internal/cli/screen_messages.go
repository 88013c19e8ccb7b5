package cli

import (
	"regexp"
	"slices"
)

// messages are what a program gives to a terminal that is no picture: a text for the clipboard, and notifications. No
// frame that is drawn anew holds them. The zero value has none.
type messages struct {
	clipboard     []byte // the newest one, which takes the place of the others
	notifications [][]byte
}

const (
	// clipboardMost bounds a text for the clipboard, in bytes: it holds what the screen lets a user copy, in base64.
	clipboardMost = 3 << 19
	// notificationsMost is how many notifications are kept, the newest ones, and notificationMost bounds each, in bytes.
	notificationsMost, notificationMost = 8, 4 << 10
)

var (
	toClipboard  = regexp.MustCompile(`\x1b\]52;[a-z]*;[A-Za-z0-9+/=]*(?:\x07|\x1b\\)`)
	notification = regexp.MustCompile(`(?:\x1bP(?:tmux;\x1b)?)?\x1b\](?:9|777);[^\x07\x1b]*\x07(?:\x1b\\)?`)
)

// keep takes the messages of a text.
func (m *messages) keep(text []byte) {
	if all := toClipboard.FindAll(text, -1); len(all) > 0 && len(all[len(all)-1]) <= clipboardMost {
		m.clipboard = slices.Clone(all[len(all)-1])
	}
	for _, n := range notification.FindAll(text, -1) {
		if len(n) <= notificationMost {
			m.notifications = append(m.notifications, slices.Clone(n))
		}
	}
	m.notifications = m.notifications[max(0, len(m.notifications)-notificationsMost):]
}

// keepRest takes the messages of a text of which so many bytes were written, with the message that is cut off there.
func (m *messages) keepRest(text []byte, written int) {
	from := written
	for _, form := range []*regexp.Regexp{toClipboard, notification} {
		for _, at := range form.FindAllIndex(text, -1) {
			if at[0] < written && written < at[1] {
				from = at[0]
			}
		}
	}
	m.keep(text[from:])
}

// take appends them all, and forgets them.
func (m *messages) take(to []byte) []byte {
	to = append(to, m.clipboard...)
	for _, n := range m.notifications {
		to = append(to, n...)
	}
	*m = messages{}
	return to
}
