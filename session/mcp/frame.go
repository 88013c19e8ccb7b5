package mcp

import (
	"time"

	"belay/session/sentence"
)

// FrameKind is what a message turned out to be.
type FrameKind uint8

// The kinds of frame. Only Request, Notification, Result, Error and Batch can
// change a state; the others are shown and diagnosed.
const (
	// FrameInvalid is JSON or bytes that are no JSON-RPC message; Problems say
	// why.
	FrameInvalid FrameKind = iota
	FrameRequest
	FrameNotification
	FrameResult
	FrameError
	// FrameMalformed is an answer (it has an ID and no method) that is neither a proper result nor
	// a proper error: its call ends, by name (BASE-07; basic).
	FrameMalformed
	// FrameBatch is a JSON array; Batch holds its members.
	FrameBatch
	// FrameOversize is a message over the reader's limit. Raw holds its head;
	// ID, Method and Answer are what could be found while skipping it.
	FrameOversize
)

// Frame is one message, decoded once and outside any lock. Slices point into
// Raw. Unless Owned is set, Raw belongs to the caller, and the core copies what
// it keeps before it returns.
type Frame struct {
	Kind    FrameKind
	Raw     []byte
	Owned   bool      // Raw was allocated for this frame alone: the core may keep it
	Size    int       // bytes on the wire, without the line end
	Counted bool      // whoever makes a journal only counts it: no step is made of it
	Began   time.Time // when its first byte was read; zero: no sooner than its end
	Hollow  *Hollow   // its payload was not kept; nil: Raw is all of it

	// NoSession says of a recorded message that it denied the session over HTTP: its
	// words may be masked.
	NoSession bool

	ID      ID     // zero when the message has none, or an unusable one
	IDRaw   []byte // the ID as written: an answer repeats it to the letter (BASE-06; basic)
	Method  string
	Answer  bool // oversize only: it was an answer, not a request or notification, …
	IsError bool // … and an error

	Params []byte
	Result []byte
	Error  RPCError

	Progress  ProgressNote   // notifications/progress
	Cancelled *CancelledNote // notifications/cancelled
	Log       LogNote        // notifications/message
	Ask       *AskNote       // sampling/createMessage, elicitation/create
	Needed    *NeededNote    // an error that asks for URL elicitations
	Inputs    *InputNote     // a result that says input_required
	Task      *TaskNote      // a result or a notification that tells of tasks
	Complete  *CompleteNote  // notifications/elicitation/complete
	Sub       *SubNote       // changes of lists, updates of resources, acknowledgements of subscriptions; nil without parameters
	Shape     Shape          // of Result: what kind of value its known members are
	Init      *InitializeResult
	Discover  *DiscoverResult
	Server    *ServerInfo // who the server says it is in a result's _meta; Name, Title and Version only
	OfSub     ID          // of a result: the subscription that its _meta names
	Cache     CacheHint   // of a result
	List      *ListPage
	Values    int // of a completion

	// Extra is the name of the first member of Result beside resultType and _meta; nil: no member is.
	Extra []byte

	content askProblems // what is wrong with the parts of a result

	Batch    []*Frame
	Left     int // members of a batch that were left out, as there were too many
	Problems []Problem
}

// ContentProblems are what is wrong with the parts of a result in a revision.
func (f *Frame) ContentProblems(rev Revision) []Problem { return f.content.in(rev) }

// RPCError is the error member of an answer. Data is raw and may be nil.
type RPCError struct {
	Code    int64
	CodeRaw []byte // as written, also when it is no integer (BASE-09; basic); nil when there is none
	Message string
	Bare    bool // Message is JSON as it was written, because it is no string
	Data    []byte

	says *errorData // what the core needs of Data; nil: nothing is there
}

// ProgressNote holds the parameters of notifications/progress. Valid is false
// when a needed member is missing or of the wrong type.
type ProgressNote struct {
	Valid    bool
	Token    ID
	Value    float64
	Total    float64
	HasTotal bool
	Message  []byte // the JSON string, raw; nil when there is none
}

// CancelledNote holds the parameters of notifications/cancelled. Valid is
// false where they are malformed (CXS-08; basic/utilities/cancellation); Why then says so in
// words.
type CancelledNote struct {
	Valid  bool
	ID     ID
	IDRaw  []byte
	Reason string
	Why    string
}

// LogNote holds the parameters of notifications/message.
type LogNote struct {
	Valid  bool
	Level  string
	Logger string
	Data   []byte // raw JSON of any type
}

// Problem is one thing that is wrong with a message as such, found without
// knowing the state of the session.
type Problem struct {
	Code   DiagCode
	Detail string // short, for people; holds foreign text, unsanitised
}

// Member is a member of a result that the core knows by name.
type Member uint8

// The known members of results.
const (
	MemContent Member = iota
	MemStructured
	MemMessages
	MemContents
	MemTools
	MemPrompts
	MemResources
	MemTemplates
	MemCompletion
	MemTask
	MemIsError
	MemResultType
	MemNextCursor
	numMembers
)

// Shape is what Decode saw at the top level of a result.
type Shape struct {
	Kind       byte             // '{', '[', '"', '0', 't', 'f', 'n'; 0 when there is no result
	Members    [numMembers]byte // the kind of each known member; 0 when absent
	IsError    bool             // isError is true
	HasText    bool             // one of its contents is text
	NoContents bool             // contents is a list without an element
	ErrorTexts *ErrorTexts      // of a result that says isError; nil: no text of it says anything
	ResultType string
}

// ErrorTexts is what a result says in words, one with isError above all.
type ErrorTexts struct {
	Texts []string // the first ones that are not blank, each cut where it is long
	Whole bool     // they are all that the result holds
}

// Forget is the error without what is large in it; n grows by the bytes that are
// left out.
func (e *RPCError) Forget(n *int) *RPCError {
	if e == nil || len(e.Data) == 0 && len(e.Message) <= sentence.Limit {
		return e
	}
	short := *e
	short.Data, short.says, short.Message = nil, nil, sentence.Clip(e.Message)
	*n += len(e.Data) + max(0, len(e.Message)-sentence.Limit)
	return &short
}
