// Package mcp reads and writes the messages of the protocol: their bytes, and their
// members. It knows no session: everything here is a value, or a function of its
// arguments.
//
// [Decoder.Decode] turns bytes of any quality into a [Frame], outside any lock,
// and says in Problems what is wrong with the message as such. What is wrong
// with it at this moment of a session is for the session to say. What is written
// is built by the Append functions, which always give one line of valid
// JSON-RPC. IDs are exact ([ID]), and a [Revision] knows its features.
//
// Requirements: docs/requirements/catalogue.md, areas BASE, ERR, SMP, ELI, MRT.
package mcp
