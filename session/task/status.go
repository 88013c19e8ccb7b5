package task

// Protocol is which of the two a task belongs to.
type Protocol uint8

// The protocols.
const (
	Core      Protocol = iota + 1 // 2025-11-25, basic/utilities/tasks
	Extension                     // io.modelcontextprotocol/tasks of 2026-07-28
)

// Status is what a task is said to be doing.
type Status uint8

// The statuses. An unknown word is none of them, and changes nothing.
const (
	Unknown Status = iota
	Working
	InputRequired
	Completed
	Failed
	Cancelled
)

var statusWords = [...]string{
	Unknown: "unknown", Working: "working", InputRequired: "input_required",
	Completed: "completed", Failed: "failed", Cancelled: "cancelled",
}

// String is the word of the specification.
func (s Status) String() string {
	if int(s) < len(statusWords) {
		return statusWords[s]
	}
	return ""
}

// ParseStatus reads such a word.
func ParseStatus(word string) Status {
	for s := Working; s <= Cancelled; s++ {
		if word == statusWords[s] {
			return s
		}
	}
	return Unknown
}

// IsTerminal reports whether a task that has this status has ended.
func (s Status) IsTerminal() bool { return s >= Completed }

// Source is what told the status of a task.
type Source uint8

// The sources.
const (
	FromHandle Source = iota + 1 // the answer that created the task
	FromGet
	FromCancel      // the answer to tasks/cancel, which is the task in 2025-11-25
	FromNotice      // a notification
	FromEarlyNotice // one that came before the handle
	FromEarlierGet  // the answer to a tasks/get that was sent before tasks/cancel, and was not waited for
)

var sourceWords = [...]string{
	FromHandle: "the answer that created it", FromGet: "tasks/get", FromCancel: "the answer to tasks/cancel", FromNotice: "a notification",
	FromEarlyNotice: "a notification before its ID", FromEarlierGet: "the answer to a tasks/get from before tasks/cancel",
}

// String names the source in a sentence.
func (s Source) String() string {
	if int(s) < len(sourceWords) {
		return sourceWords[s]
	}
	return ""
}
