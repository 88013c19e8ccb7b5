package cancel

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A message may come before the writer tells when the last byte of the cancel was written: it counts
// as one after the cancel by when it began.
func TestMessagesBeforeTheWriteIsTold(t *testing.T) {
	const bound = 20 * time.Millisecond
	began := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		what      string
		messages  []int // when each began; each is read a millisecond later
		written   int
		all, late int
		said      string
	}{
		{what: "none", written: 10},
		{"before the last byte", []int{5, 9}, 10, 0, 0, ""},
		{"with it", []int{10}, 10, 1, 0, "a message for it came after the cancel: m10"},
		{"within the bound", []int{9, 30}, 10, 1, 0, "a message for it came after the cancel: m30"},
		{"later", []int{9, 30, 31, 160}, 10, 3, 2, "last of 3 messages for it after the cancel: m160"},
		{"of two streams over HTTP: one that began before ends later", []int{5, 30, 9, 31}, 10, 2, 1, "last of 2 messages for it after the cancel: m31"},
	} {
		a := New(began, Spec{Grace: 5 * time.Second})
		a.HandedOut()
		for _, m := range c.messages {
			a.Heard(at(m+1), at(m), bound, fmt.Sprintf("m%d", m))
		}
		if n := a.Count().All; n != 0 {
			t.Errorf("%s: %d counted before it is told", c.what, n)
		}
		a.Written(at(c.written))
		if got := a.Count(); got.All != c.all || got.Late != c.late {
			t.Errorf("%s: %d after the cancel, %d late; want %d, %d", c.what, got.All, got.Late, c.all, c.late)
		}
		if said := texts(a.Evidence()); c.said != "" && !strings.Contains(said, c.said) || c.said == "" && strings.Contains(said, "message") {
			t.Errorf("%s: %s", c.what, said)
		}
	}
}

// Of a flood the latest are kept, and the number says so.
func TestAFloodBeforeTheWriteIsTold(t *testing.T) {
	began := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for written, want := range map[time.Duration]string{
		0:                     "last of at least 64 messages for it after the cancel: x",
		935 * time.Nanosecond: "last of at least 64 messages for it after the cancel: x", // of just so many
		936 * time.Nanosecond: "last of at least 64 messages for it after the cancel: x",
		937 * time.Nanosecond: "last of 63 messages for it after the cancel: x",
		999 * time.Nanosecond: "a message for it came after the cancel: x",
	} {
		a := New(began, Spec{Grace: 5 * time.Second})
		a.HandedOut()
		for i := range 1000 {
			a.Heard(began.Add(time.Millisecond), began.Add(time.Duration(i)), 0, "x")
		}
		a.Written(began.Add(written))
		if said := texts(a.Evidence()); !strings.Contains(said, want) {
			t.Errorf("written after %v: %s", written, said)
		}
	}
}

func texts(all []Evidence) string {
	var b strings.Builder
	for _, e := range all {
		b.WriteString(e.Text + "\n")
	}
	return b.String()
}
