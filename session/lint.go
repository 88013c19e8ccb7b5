package session

// lint tells of the faults of a server's messages, as diagnostics. No state follows from
// one.
//
//shape:machine 3
type lint struct{ *log }
