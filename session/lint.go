package session

// lint tells of the faults of a server's messages, as diagnostics. No state follows from
// one.
type lint struct{ *log }
