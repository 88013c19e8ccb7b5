// Package termtest is a terminal for tests and screenshots: a real
// pseudo-terminal with an emulated screen behind it. A program is started in
// it, keys are pressed, and what a person would see is read back as cells.
//
// A test reads like a story:
//
//	termtest.Tell(t, termtest.Options{Argv: []string{belay}}).
//		See("1 Calls").
//		Press("n").Type("countdown").Press("enter").
//		See("running").
//		Press("x").
//		See("cancelled").Gone("running").
//		Press("q").Exit(0)
//
// [Tell] gives a [Story], whose steps fail the test. [Start] gives the
// [Terminal] beneath, whose steps return errors, for programs that are not
// tests. Both wait on the program's output, never on a clock: a step that waits
// looks at the screen again whenever the program has written something.
//
// The emulated terminal is a modern one: truecolor, SGR mouse, bracketed paste,
// synchronized output (a screen is never seen half drawn by a program that uses
// it) and grapheme clusters. Options.Plain takes the last two away. It does not
// know the extended keyboard protocols, so a key that has no classic encoding,
// such as ctrl+enter, cannot be pressed.
//
// One limit comes from the emulator: a combining mark that follows an ASCII
// letter is not joined to it. Precomposed letters and clusters that start with
// any other character are right.
package termtest
