package session

// lint finds what is wrong with what a server sends, and tells it. Nothing follows
// from that.
type lint struct{ *log }
