package cancel

// Initiator is who wanted a cancellation.
type Initiator uint8

// The initiators of a cancellation (SD0-18).
const (
	ByUser       Initiator = iota + 1 // x, c, X
	ByTimeout                         // the idle clock or the maximum
	ByQuit                            // quit
	ByDisconnect                      // :disconnect and :restart
	ByRule                            // a rule of the call: after a time, at a progress
	BySuperseded                      // belay, which needs it no more: a newer request took its place
	ByServer                          // the server withdrew its own request
	ByAudit                           // an audit of the server, which tries its cancels
)

var initiatorWords = [...]string{
	ByUser: "user", ByTimeout: "timeout", ByQuit: "quit", ByDisconnect: "disconnect", ByRule: "rule",
	BySuperseded: "superseded", ByServer: "server", ByAudit: "audit",
}

// Asker names the initiator in a sentence: "cancel requested by …".
func (i Initiator) Asker() string {
	if i == BySuperseded {
		return "belay"
	}
	return i.String()
}

// String is the word of the log.
func (i Initiator) String() string {
	if int(i) < len(initiatorWords) {
		return initiatorWords[i]
	}
	return ""
}
