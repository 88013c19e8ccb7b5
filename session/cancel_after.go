package session

// afterCancel takes what comes for a call after its cancel. It ends nothing and answers
// nothing: it is evidence.
type afterCancel struct{ *log }
