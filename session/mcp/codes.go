package mcp

// The error codes of JSON-RPC that belay answers with, too (ERR-12, ERR-13; basic).
const (
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeRejected       = -1 // the user declined
)

// The errors of the modern era, by which a server is recognised as one (VER-30, VER-35;
// basic/transports/stdio, basic/transports/streamable-http).
const (
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// CodeOldNotFound is what "resource not found" was before 2026-07-28; it is understood in every
// era (ERR-04; basic).
const CodeOldNotFound = -32002

// CodeURLRequired is the error of a call that wants the user to visit URLs first. Only 2025-11-25
// has it (ELI-53, ELI-55; client/elicitation).
const CodeURLRequired = -32042
