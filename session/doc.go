// Package session is the protocol core of belay: one [Session] is one MCP
// server, seen from the client's side.
//
// The package is sans-IO. It has no goroutine, no clock, no file, no socket
// and no lock. Everything is told to it (bytes that arrived, wishes of the user,
// the time), and [Session.Next] hands out the next thing to do. What is to be
// sent stays inside the core, where it can still be dropped or overtaken,
// until the transport asks for it. That makes three things possible: a
// simulator that plays millions of interleavings against the invariants, the
// replay of a recording through the same code, and tests that need no sleep.
//
// What a message is, as bytes, is the business of the package mcp below this one;
// here is what it means at a moment of a session.
//
// Requirements: docs/requirements/catalogue.md; docs/requirements/coverage.md says which tests prove each.
package session
