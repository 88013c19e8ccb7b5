// Package ui is the screen of belay: one Bubble Tea model over a
// [session.Session] that somebody else keeps alive behind a [Backend].
//
// The rules of this room:
//
//   - No I/O. What blocks is done by the backend inside a command.
//   - No protocol decision. The core is asked ([session.Cancel] and its
//     kin) and its refusals are shown; the words for states are those of [wording.StateOf].
//   - Foreign text is [safe.Text] before it is drawn, and quoted where it
//     stands among belay's own words.
//   - A key acts in Update, at once, through [Backend.Do]; the frame after it
//     shows what the core made of it, before any byte has moved.
//   - A frame copies what it shows and no more, under one short lock. One
//     clock drives every spinner and every age, and it stands still when
//     nothing in flight is visible.
//   - A key is one [keymap.Binding]: dispatch, footer, help, palette and
//     docs/keys.md read the same value.
package ui
