package mcp

// DiagCode names one thing that a server does wrong.
type DiagCode uint8

// The diagnostics. Their texts and citations are in diagTexts.
const (
	DiagNone                 DiagCode = iota
	DiagNotJSON                       // bytes that are no JSON (stdout pollution on stdio)
	DiagNotObject                     // JSON, but neither object nor array
	DiagVersionMember                 // jsonrpc is not "2.0"
	DiagIDNull                        // an ID that is null
	DiagIDType                        // an ID that is neither string nor number
	DiagIDFraction                    // a number that is not written as an integer
	DiagNoMethod                      // neither method, result nor error
	DiagMethodType                    // method is not a string
	DiagParamsType                    // params is neither object nor array
	DiagBothResultError               // result and error together
	DiagNullBeside                    // one of the two is null beside the other
	DiagMethodAndResult               // method and result or error together
	DiagErrorShape                    // error is no object, or lacks code or message
	DiagErrorCode                     // error code is no integer
	DiagErrorNoID                     // an error answer without an ID
	DiagResultNoID                    // a result without an ID
	DiagDuplicateMember               // an envelope member twice
	DiagInvalidUTF8                   // bytes that are not UTF-8
	DiagTooDeep                       // nested deeper than the decoder follows
	DiagBOM                           // a byte order mark
	DiagMultiline                     // JSON spread over lines
	DiagBatchNotAllowed               // an array where the revision has no batches
	DiagBatchEmpty                    // []
	DiagBatchNested                   // an array within a batch
	DiagNotificationID                // a notification with an ID
	DiagOversize                      // a message over the limit
	DiagUnknownAnswer                 // an answer to an ID that was never sent
	DiagDuplicateAnswer               // a second answer to the same ID
	DiagEarlyAnswer                   // an answer to a request that was not sent yet
	DiagResultShape                   // a result of the wrong shape for its method
	DiagHandshake                     // a wrong or missing member in the initialize result
	DiagUnsolicited                   // a server request before initialized
	DiagDuplicateRequest              // a server request whose ID still waits
	DiagReusedRequest                 // a server request whose ID was used before
	DiagUndeclared                    // a request for a capability that was not declared
	DiagUnknownMethod                 // a request or notification nobody knows
	DiagCancelMalformed               // notifications/cancelled that names no proper ID
	DiagCancelForeign                 // the server cancels our request
	DiagProgressMalformed             // notifications/progress without token or number
	DiagProgressToken                 // progress for a token nobody gave
	DiagProgressOrder                 // progress that does not grow
	DiagProgressValue                 // negative or above the total
	DiagProgressAfter                 // progress after the end
	DiagProgressMessage               // a message where the revision has none
	DiagLogUndeclared                 // log messages without the logging capability
	DiagLogLevel                      // a level below the one asked for, or unknown
	DiagLogMalformed                  // notifications/message without level or data
	DiagListUndeclared                // list_changed without its capability
	DiagStaleEpoch                    // a message from a connection that was closed
	DiagQuestionFlood                 // more questions than belay keeps
	DiagSamplingShape                 // a sampling request that lacks or garbles something; refused
	DiagSamplingContent               // content of a sampling request that is odd; shown all the same
	DiagSamplingContext               // a wish for context that was not declared; ignored
	DiagToolResults                   // tool uses and tool results that do not match; refused
	DiagElicitShape                   // an elicitation that lacks or garbles something; refused
	DiagElicitSchema                  // an elicitation whose schema is not flat; shown all the same
	DiagElicitComplete                // notifications/elicitation/complete without an ID
	DiagURLRequired                   // error -32042 that does not list URL elicitations
	DiagRoundPlace                    // input_required where it must not be; refused
	DiagRoundShape                    // input_required that lacks or garbles something; refused
	DiagRoundLoop                     // the same round again and again
	DiagStrictAsk                     // a request to the user without one of belay's in flight; refused
	DiagWrongStream                   // a response on the stream of another request
	DiagForeignProgress               // progress of one request on the stream of another
	DiagEventName                     // an event that is neither a message nor an endpoint
	DiagEventID                       // an event ID where the revision has none
	DiagLinger                        // a stream that stays open after its response
	DiagServerStreamStatus            // GET answered with neither a stream nor 405
	DiagAcceptStatus                  // a notification or answer accepted with a status other than 202
	DiagAcceptBody                    // a notification or answer accepted with a body
	DiagServerStreamAnswer            // a response on the server's own stream
	DiagNotAccepted                   // a notification or answer refused
	DiagRedirect                      // the endpoint redirects
	DiagListPages                     // a list that repeats a cursor, or does not end
	DiagListSize                      // a list that takes more than belay keeps
	DiagSessions                      // an answer to initialize that names more than one session
	DiagToolHeader                    // a tool whose x-mcp-header breaks a rule; left out
	DiagEventRepeat                   // an event ID that came before
	DiagNoLogin                       // a server on the network that wants no login
	DiagBuffered                      // messages that look held back by something in between
	DiagMirrorSecret                  // a parameter that looks like a secret and is to be sent in the head
	DiagContentType                   // content of a type that the protocol, or the revision, does not have
	DiagContentShape                  // content that lacks or garbles something
	DiagMedia                         // an image or audio that is not base64, or without a proper MIME type
	DiagBlob                          // binary data of a resource that is not base64, or with an odd MIME type
	DiagAnnotations                   // hints about content that cannot be
	DiagNoStructured                  // a tool with an outputSchema that returns no structured content
	DiagOutputSchema                  // structured content that breaks the outputSchema of its tool
	DiagStructuredKind                // structured content that is no object, where it must be one
	DiagNoFallback                    // structured content that is not repeated as text
	DiagClockJump                     // time jumped; no timeout was fired for it
	DiagResultType                    // resultType is missing, or of no type that belay knows
	DiagCacheHint                     // ttlMs or cacheScope is missing or cannot be right
	DiagCacheScope                    // pages of one list with different scopes
	DiagErrorOld                      // an error code that the modern era has given up
	DiagErrorUndefined                // an error code that is reserved and not defined
	DiagAfterCancel                   // a message for a cancelled request, where the era has none
	DiagLogUnasked                    // log messages that no request asked for
	DiagUnsubscribed                  // a notification that nobody subscribed to
	DiagUpdateUnasked                 // an update of a resource that nobody subscribed to
	DiagSubTag                        // a message of a subscription without its ID, or with another one
	DiagSubOrder                      // an acknowledgement that is not the first message of its subscription
	DiagSubShape                      // an acknowledgement that does not say what is agreed to
	DiagSubMore                       // an acknowledgement of more than was asked for
	DiagSubStream                     // progress or a log message on the stream of a subscription
	DiagCancelNoSubscription          // the server cancels something that is no subscription
	DiagServerRequest                 // a request of the server's where the era has none; not answered
	DiagToolOrder                     // the same tools, listed in another order
	DiagCompletions                   // more completion values than an answer may have
	DiagToolName                      // the name of a tool breaks a rule
	DiagToolTwins                     // tools that share a name
	DiagGroupUndeclared               // something works that the server does not declare
	DiagGroupMissing                  // a list is declared, and its request unknown
	DiagExtensionName                 // the identifier of an extension breaks the rule
	DiagNoDiscover                    // a server of the modern era that does not know server/discover
	DiagTaskShape                     // a task that lacks or garbles something
	DiagTaskStatus                    // a status that is unknown, or that cannot follow the one before
	DiagTaskStuck                     // a task that asks for input long after its answer
	DiagTaskFinal                     // the status of a task that had ended changes
	DiagTaskOther                     // an answer about one task that tells of another, or of none
	DiagTaskTwice                     // two tasks with one ID
	DiagTaskEarly                     // the outcome of a task that goes on
	DiagTaskGone                      // a task that is unknown when its handle has just come
	DiagTaskUndeclared                // the handle of a task that nobody wished for or declared
	DiagTaskKey                       // the key of an input, used for another one
	DiagTaskInputs                    // a task that asks for input and does not say for what
	DiagTaskOutcome                   // a task that has ended without its outcome
	DiagTaskDiffers                   // the outcome of a task is not of the kind that its status says
	DiagTaskNotice                    // a notification about a task that is old, or about none of belay's
	DiagTaskRelated                   // a message of a task that does not name it, or names another one
	DiagTaskID                        // IDs of tasks that look easy to guess
	DiagTaskCancel                    // the answer to tasks/cancel does not say that the task is cancelled
	DiagTaskStream                    // the answer to tasks/get is a stream
	DiagTaskLax                       // a request about a task is served that does not declare the extension
	DiagTaskLists                     // tasks of others are listed for somebody who is nobody in particular
	DiagTaskUnpolled                  // a task of a server that does not know tasks/get
	DiagTaskLongID                    // the ID of a task is longer than belay takes
	DiagTaskAck                       // the answer to tasks/cancel or tasks/update of the extension is not empty
	NumDiags
)

// Citation says which rule of the specification a diagnostic rests on.
type Citation struct {
	Revision Revision // of the connection, or the first one that has the rule
	Page     string   // "basic/utilities/cancellation"
	Rule     string   // the rule in a few words
}
