package session

// writer makes the messages that belay writes, and puts them into the outbox: requests,
// cancels, answers, and what every request says of belay.
type writer struct {
	*log
	cfg      *Config
	out      *outbox
	outgoing *outgoing
}
