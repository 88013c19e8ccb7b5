package mcp

// diagText is what is said of a code: words of belay's own, and the page and
// rule of the specification.
type diagText struct {
	words string
	since Revision // the first revision that has the rule, when not all do
	page  string
	rule  string
}

const (
	pageBasic     = "basic"
	pageLife      = "basic/lifecycle"
	pageTrans     = "basic/transports"
	pageStdio     = "basic/transports/stdio"
	pageHTTP      = "basic/transports/streamable-http"
	pageCancel    = "basic/utilities/cancellation"
	pageProgress  = "basic/utilities/progress"
	pageLogging   = "server/utilities/logging"
	pageTools     = "server/tools"
	pageComplete  = "server/utilities/completion"
	pageCaching   = "server/utilities/caching"
	pageResources = "server/resources"
	pageSubs      = "basic/patterns/subscriptions"
	pageSampling  = "client/sampling"
	pageElicit    = "client/elicitation"
	pageRounds    = "basic/patterns/mrtr"
	pagePrompts   = "server/prompts"
	pageTasks     = "basic/utilities/tasks"
	pageSchema    = "schema"
)

const (
	ruleMessage  = "all messages MUST follow JSON-RPC 2.0"
	ruleStdout   = "the server MUST NOT write anything to its stdout that is not a valid MCP message"
	ruleID       = "a request MUST include a string or integer ID, and the ID MUST NOT be null"
	ruleSameID   = "a response MUST include the same ID as the request it corresponds to"
	ruleResponse = "a response MUST set either a result or an error, and not both"
	ruleErrCode  = "error codes MUST be integers, and an error has a code and a message"
	ruleCaps     = "both parties respect the capabilities that were negotiated"
	ruleOutput   = "if a tool has an outputSchema, servers MUST provide structured results that conform to it"
	ruleUTF8     = "messages MUST be UTF-8 encoded"
)

var diagTexts = [NumDiags]diagText{
	DiagNotJSON:              {words: "output that is not JSON", page: pageStdio, rule: ruleStdout},
	DiagNotObject:            {words: "JSON that is neither an object nor an array", page: pageBasic, rule: ruleMessage},
	DiagVersionMember:        {words: "not JSON-RPC 2.0", page: pageBasic, rule: ruleMessage},
	DiagIDNull:               {words: "an ID that is null", page: pageBasic, rule: ruleID},
	DiagIDType:               {words: "an ID that is neither a string nor a number", page: pageBasic, rule: ruleID},
	DiagIDFraction:           {words: "an ID that is not an integer", page: pageBasic, rule: ruleID},
	DiagNoMethod:             {words: "neither a method, nor a result, nor an error", page: pageBasic, rule: ruleMessage},
	DiagMethodType:           {words: "a method that is not a string", page: pageBasic, rule: ruleMessage},
	DiagParamsType:           {words: "parameters that are neither an object nor an array", page: pageBasic, rule: ruleMessage},
	DiagBothResultError:      {words: "a result and an error in one response", page: pageBasic, rule: ruleResponse},
	DiagNullBeside:           {words: "a member that is null, and must not be there, in a response", page: pageBasic, rule: ruleResponse},
	DiagMethodAndResult:      {words: "a method and a result or error in one message", page: pageBasic, rule: ruleMessage},
	DiagErrorShape:           {words: "an error without a proper code and message", page: pageBasic, rule: ruleErrCode},
	DiagErrorCode:            {words: "an error code that is not an integer", page: pageBasic, rule: ruleErrCode},
	DiagErrorNoID:            {words: "an error that names no request", page: pageBasic, rule: ruleSameID},
	DiagResultNoID:           {words: "a result that names no request", page: pageBasic, rule: ruleSameID},
	DiagDuplicateMember:      {words: "a member of the message twice", page: pageBasic, rule: ruleMessage},
	DiagInvalidUTF8:          {words: "bytes that are not UTF-8", since: Rev20250326, page: pageTrans, rule: ruleUTF8},
	DiagTooDeep:              {words: "nested deeper than belay follows"},
	DiagBOM:                  {words: "a byte order mark before the message", page: pageStdio, rule: ruleStdout},
	DiagMultiline:            {words: "a message that is spread over several lines", page: pageStdio, rule: "messages are delimited by newlines, and MUST NOT contain embedded newlines"},
	DiagBatchNotAllowed:      {words: "a batch, which this revision does not have", since: Rev20250618, page: pageBasic, rule: "JSON-RPC batching was removed"},
	DiagBatchEmpty:           {words: "an empty batch", since: Rev20250326, page: pageBasic, rule: ruleMessage},
	DiagBatchNested:          {words: "an array within a batch", since: Rev20250326, page: pageBasic, rule: ruleMessage},
	DiagNotificationID:       {words: "a notification with an ID", page: pageBasic, rule: "notifications MUST NOT include an ID"},
	DiagOversize:             {words: "a message over the limit"},
	DiagUnknownAnswer:        {words: "a response to an unknown ID", page: pageBasic, rule: ruleSameID},
	DiagDuplicateAnswer:      {words: "a second response to the same request", page: pageBasic, rule: "one response for each request"},
	DiagEarlyAnswer:          {words: "a response to a request that was not sent yet", page: pageBasic, rule: ruleSameID},
	DiagResultShape:          {words: "a result of the wrong shape", page: pageTools, rule: "the result has the members that its method defines"},
	DiagHandshake:            {words: "the initialize result lacks or garbles", page: pageLife, rule: "the server MUST respond with its protocol version, capabilities and information"},
	DiagUnsolicited:          {words: "a request before initialized", page: pageLife, rule: "the server SHOULD NOT send requests other than pings and logging before it received initialized"},
	DiagDuplicateRequest:     {words: "a request with the ID of one that still waits; it is ignored", page: pageBasic, rule: "the request ID MUST NOT have been previously used by the requestor within the same session"},
	DiagReusedRequest:        {words: "a request with an ID that was used before", page: pageBasic, rule: "the request ID MUST NOT have been previously used by the requestor within the same session"},
	DiagUndeclared:           {words: "a request for something that belay did not declare", page: pageLife, rule: ruleCaps},
	DiagUnknownMethod:        {words: "an unknown method", page: pageBasic, rule: ruleMessage},
	DiagCancelMalformed:      {words: "a malformed cancellation", page: pageCancel, rule: "a cancellation contains the ID of the request to cancel"},
	DiagCancelForeign:        {words: "the server cancels a request that it did not issue", page: pageCancel, rule: "cancellations MUST only reference requests that were previously issued in the same direction"},
	DiagProgressMalformed:    {words: "progress without a token or a number", page: pageProgress, rule: "a progress notification contains the token and the progress so far"},
	DiagProgressToken:        {words: "progress for an unknown token", page: pageProgress, rule: "progress MUST only reference tokens that were provided in an active request"},
	DiagProgressOrder:        {words: "progress that does not increase", page: pageProgress, rule: "the progress value MUST increase with each notification"},
	DiagProgressValue:        {words: "a progress value that cannot be right", page: pageProgress, rule: "progress is a number, and the total is what it approaches"},
	DiagProgressAfter:        {words: "progress after the end", page: pageProgress, rule: "progress notifications MUST stop after completion"},
	DiagProgressMessage:      {words: "a progress message, which this revision does not have", since: Rev20241105, page: pageProgress, rule: "messages came with revision 2025-03-26"},
	DiagLogUndeclared:        {words: "log messages without the logging capability", page: pageLogging, rule: "servers that emit log messages MUST declare the logging capability"},
	DiagLogLevel:             {words: "a log level that should not come", page: pageLogging, rule: "the server sends the level that was set and more severe ones"},
	DiagLogMalformed:         {words: "a log message without level or data", page: pageLogging, rule: "a log message has a level and data"},
	DiagListUndeclared:       {words: "a list change without its capability", page: pageTools, rule: ruleCaps},
	DiagStaleEpoch:           {words: "a message from a connection that is closed; it touches nothing"},
	DiagQuestionFlood:        {words: "more requests than belay keeps waiting"},
	DiagSamplingShape:        {words: "a sampling request that is not well-formed; it was refused", page: pageSampling, rule: "both parties SHOULD validate sampling message content"},
	DiagSamplingContent:      {words: "a sampling request with odd content", page: pageSampling, rule: "both parties SHOULD validate sampling message content"},
	DiagSamplingContext:      {words: "a sampling request wants context that belay did not declare; it is ignored", since: Rev20251125, page: pageSampling, rule: "servers SHOULD NOT use includeContext other than none unless the client declares sampling.context"},
	DiagToolResults:          {words: "a sampling request with tool uses and results that do not match; it was refused", since: Rev20251125, page: pageSampling, rule: "a tool use MUST be followed by a user message that consists entirely of the matching tool results"},
	DiagElicitShape:          {words: "an elicitation that is not well-formed; it was refused", since: Rev20250618, page: pageElicit, rule: "an elicitation has a message, and a schema or a URL"},
	DiagElicitSchema:         {words: "an elicitation whose schema is not a flat object of simple fields", since: Rev20250618, page: pageElicit, rule: "the schema is restricted to flat objects with primitive properties"},
	DiagElicitComplete:       {words: "a completion notice that names no elicitation", since: Rev20251125, page: pageElicit, rule: "the notification MUST include the elicitationId of the original request"},
	DiagURLRequired:          {words: "an error that asks for URL elicitations, but does not list them properly", since: Rev20251125, page: pageElicit, rule: "the error MUST list the elicitations that are required, all of them in mode url and with an elicitationId"},
	DiagRoundPlace:           {words: "an answer asks for input where it must not; it was refused", since: Rev20260728, page: pageRounds, rule: "servers MUST NOT send an input_required result but for tools/call, prompts/get and resources/read"},
	DiagRoundShape:           {words: "an answer asks for input, but not properly; it was refused", since: Rev20260728, page: pageRounds, rule: "an input_required result has inputRequests with unique keys and requests that are allowed there, or a requestState that is a string"},
	DiagRoundLoop:            {words: "the same input is asked for again and again"},
	DiagStrictAsk:            {words: "a request to the user although no request of belay's is in flight; it was refused"},
	DiagWrongStream:          {words: "a response on the stream of another request", since: Rev20250326, page: pageHTTP, rule: "the messages on a stream SHOULD relate to the request that opened it"},
	DiagForeignProgress:      {words: "progress of one request on the stream of another", since: Rev20250326, page: pageHTTP, rule: "the messages on a stream SHOULD relate to the request that opened it"},
	DiagEventName:            {words: "an event that is no message; it is ignored", page: pageHTTP, rule: "server messages are sent as message events"},
	DiagEventID:              {words: "an event ID, which means nothing in this revision", since: Rev20260728, page: pageHTTP, rule: "streams are not resumable, and event IDs are not used"},
	DiagEventRepeat:          {words: "an event ID that came before", since: Rev20250326, page: pageHTTP, rule: "an event ID MUST be unique across all streams of the session"},
	DiagNoLogin:              {words: "the server is on the network and wants no login: whoever reaches it can use it", since: Rev20250326, page: pageHTTP, rule: "servers SHOULD implement proper authentication, and bind to localhost when they run locally"},
	DiagBuffered:             {words: "messages that came late, and all at once: something in between may hold them back", since: Rev20260728, page: pageHTTP, rule: "servers SHOULD send X-Accel-Buffering: no with a stream of events"},
	DiagLinger:               {words: "a stream that stays open after its response; belay closed it", since: Rev20250326, page: pageHTTP, rule: "after the response has been sent, the server SHOULD close the stream"},
	DiagServerStreamStatus:   {words: "GET was answered with neither a stream of events nor HTTP 405", since: Rev20250326, page: pageHTTP, rule: "the server MUST either return text/event-stream in response to GET, or HTTP 405"},
	DiagAcceptStatus:         {words: "accepted, but not with HTTP 202", since: Rev20250326, page: pageHTTP, rule: "if the server accepts a notification or response, it MUST return HTTP 202 with no body"},
	DiagAcceptBody:           {words: "accepted with a body", since: Rev20250326, page: pageHTTP, rule: "if the server accepts a notification or response, it MUST return HTTP 202 with no body"},
	DiagServerStreamAnswer:   {words: "a response on the server's own stream", since: Rev20250326, page: pageHTTP, rule: "the server MUST NOT send a response on the stream of a GET unless that resumes the stream of a request"},
	DiagNotAccepted:          {words: "the server did not accept what belay sent", since: Rev20250326, page: pageHTTP, rule: "if the server accepts a notification or response, it MUST return HTTP 202 with no body"},
	DiagRedirect:             {words: "the endpoint redirects", since: Rev20250326, page: pageHTTP, rule: "the server MUST provide a single HTTP endpoint path"},
	DiagListPages:            {words: "a list whose pages do not end"},
	DiagListSize:             {words: "a list that takes more memory than belay gives to lists; it was cut"},
	DiagSessions:             {words: "different session IDs in one answer; the first is used", since: Rev20250326, page: pageHTTP, rule: "a server MAY assign a session ID, in the header Mcp-Session-Id of its answer to initialize"},
	DiagResultType:           {words: "a result without a proper resultType", since: Rev20260728, page: pageBasic, rule: "every result MUST have resultType; one that the client does not know makes the response invalid"},
	DiagCacheHint:            {words: "a result that does not say how long it may be kept", since: Rev20260728, page: pageCaching, rule: "complete results of lists, reads and discover MUST have ttlMs, not negative, and cacheScope"},
	DiagCacheScope:           {words: "pages of one list with different scopes; the stricter one holds", since: Rev20260728, page: pageCaching, rule: "all pages of a list MUST have the same cacheScope"},
	DiagErrorOld:             {words: "an error code that this revision has given up", since: Rev20260728, page: pageBasic, rule: "servers MUST NOT emit -32002 and -32042 any more"},
	DiagErrorUndefined:       {words: "an error code that is reserved and not defined", since: Rev20260728, page: pageBasic, rule: "codes from -32020 to -32099 MUST NOT be used but as the specification defines them"},
	DiagAfterCancel:          {words: "a message for a cancelled request", since: Rev20260728, page: pageCancel, rule: "after cancellation the server MUST NOT send any further message for that request"},
	DiagLogUnasked:           {words: "log messages that no request asked for", since: Rev20260728, page: pageLogging, rule: "servers MUST NOT send log messages for a request that does not carry a logLevel"},
	DiagUnsubscribed:         {words: "a notification that nobody subscribed to", since: Rev20260728, page: pageSubs, rule: "servers MUST NOT send notification types that were not asked for by subscriptions/listen"},
	DiagToolHeader:           {words: "a tool with an x-mcp-header that breaks a rule; it is left out", since: Rev20260728, page: pageHTTP, rule: "clients MUST exclude a tool whose x-mcp-header values break a constraint"},
	DiagMirrorSecret:         {words: "a parameter that looks like a secret is to be sent in the head, too", since: Rev20260728, page: pageHTTP, rule: "servers SHOULD NOT mark sensitive parameters with x-mcp-header"},
	DiagUpdateUnasked:        {words: "an update of a resource that nobody subscribed to", page: pageResources, rule: "clients subscribe to a resource, and receive notifications when it changes"},
	DiagSubTag:               {words: "a message of a subscription that does not carry its ID", since: Rev20260728, page: pageSubs, rule: "every message of a subscription MUST carry its subscriptionId in _meta, which is the ID of its request"},
	DiagSubOrder:             {words: "an acknowledgement that is not the first message of its subscription", since: Rev20260728, page: pageSubs, rule: "servers MUST send notifications/subscriptions/acknowledged first, and nothing of the subscription before it"},
	DiagSubShape:             {words: "an acknowledgement that does not say what is agreed to; it is none", since: Rev20260728, page: pageSubs, rule: "an acknowledgement holds the subset of the notifications asked for that the server agrees to send"},
	DiagSubMore:              {words: "an acknowledgement of more than was asked for", since: Rev20260728, page: pageSubs, rule: "an acknowledgement holds the subset of the notifications asked for that the server agrees to send"},
	DiagSubStream:            {words: "progress or a log message on the stream of a subscription", since: Rev20260728, page: pageSubs, rule: "notifications that belong to a request MUST NOT be sent on the stream of a subscription"},
	DiagCancelNoSubscription: {words: "the server cancels something that is no subscription", since: Rev20260728, page: pageCancel, rule: "servers MUST NOT send notifications/cancelled but to end a subscriptions/listen"},
	DiagServerRequest:        {words: "a request of the server's, in an era that has none; it is not answered", since: Rev20260728, page: pageBasic, rule: "servers MUST NOT send requests; what they need of the client comes as input_required"},
	DiagToolOrder:            {words: "the same tools, listed in another order", since: Rev20260728, page: pageTools, rule: "servers SHOULD return tools in a deterministic order"},
	DiagCompletions:          {words: "more completion values than an answer may have; the first 100 are shown", page: pageComplete, rule: "a completion MUST NOT have more than 100 values"},
	DiagContentType:          {words: "content of an unknown type", page: pageSchema, rule: "content is text, image, audio (since 2025-03-26), resource_link (since 2025-06-18) or resource"},
	DiagContentShape:         {words: "content that is not as the protocol has it", page: pageSchema, rule: "each type of content has members that it must have"},
	DiagMedia:                {words: "an odd image or audio", page: pagePrompts, rule: "images and audio MUST be base64-encoded and have a valid MIME type"},
	DiagBlob:                 {words: "odd binary data", page: pageResources, rule: "binary data MUST be properly encoded, as base64, and has its MIME type"},
	DiagAnnotations:          {words: "annotations that cannot be", page: pageResources, rule: "audience lists user and assistant, priority is from 0 to 1, lastModified is a time as in ISO 8601"},
	DiagNoStructured:         {words: "a result without structuredContent, although its tool has an outputSchema", since: Rev20250618, page: pageTools, rule: ruleOutput},
	DiagOutputSchema:         {words: "structuredContent that breaks the outputSchema of its tool", since: Rev20250618, page: pageTools, rule: ruleOutput},
	DiagStructuredKind:       {words: "structuredContent that is no object", since: Rev20250618, page: pageTools, rule: "structured content is a JSON object, before 2026-07-28"},
	DiagNoFallback:           {words: "structuredContent that is not repeated as text", since: Rev20250618, page: pageTools, rule: "a tool that returns structured content SHOULD also return it as serialized JSON in a text block"},
	DiagToolName:             {words: "a tool's name that breaks a rule; it is called as it stands", since: Rev20251125, page: pageTools, rule: "names SHOULD have 1 to 128 characters: letters and digits of ASCII, underscore, hyphen and dot"},
	DiagToolTwins:            {words: "tools that share a name", since: Rev20251125, page: pageTools, rule: "tool names SHOULD be unique within a server"},
	DiagGroupUndeclared:      {words: "something that works, but is not declared", page: pageLife, rule: "servers MUST declare the capabilities of what they offer"},
	DiagGroupMissing:         {words: "something that is declared, but does not work", since: Rev20260728, page: "server", rule: "a server that declares tools, prompts or resources MUST answer the request for their list"},
	DiagExtensionName:        {words: "an extension whose identifier breaks a rule", since: Rev20260728, page: pageBasic, rule: "extension identifiers follow the naming rules of _meta keys, with a mandatory prefix"},
	DiagNoDiscover:           {words: "server/discover brings nothing", since: Rev20260728, page: "server/discover", rule: "servers MUST implement server/discover"},
	DiagTaskShape:            {words: "a task that lacks or garbles something", since: Rev20251125, page: pageTasks, rule: "a task has taskId, status, createdAt, lastUpdatedAt and its time to live"},
	DiagTaskStatus:           {words: "a status of a task that cannot be", since: Rev20251125, page: pageTasks, rule: "a task begins as working, and goes on to input_required, completed, failed or cancelled"},
	DiagTaskStuck:            {words: "a task that goes on asking for input after its answer", since: Rev20251125, page: pageTasks, rule: "when all input was given a task SHOULD leave input_required"},
	DiagTaskFinal:            {words: "the status of a task changes that had ended; the first one stays", since: Rev20251125, page: pageTasks, rule: "a task that is completed, failed or cancelled MUST NOT transition to any other status"},
	DiagTaskOther:            {words: "an answer about one task that tells of another, or of none", since: Rev20251125, page: pageTasks, rule: "receivers use the taskId of the request, and task IDs are unique strings"},
	DiagTaskTwice:            {words: "two tasks with one ID", since: Rev20251125, page: pageTasks, rule: "task IDs MUST be unique among all tasks of the receiver"},
	DiagTaskEarly:            {words: "the outcome of a task that has not ended", since: Rev20251125, page: pageTasks, rule: "tasks/result MUST block until the task reaches a terminal status"},
	DiagTaskGone:             {words: "a task that is unknown when its handle has just come", since: Rev20251125, page: pageTasks, rule: "a server MUST NOT return the handle of a task until tasks/get would find it"},
	DiagTaskUndeclared:       {words: "a task where there can be none", since: Rev20251125, page: pageTasks, rule: "a task is created where the client asks for one (2025-11-25), or declares the extension on that request (2026-07-28)"},
	DiagTaskKey:              {words: "a key that was used for another input of the task", since: Rev20260728, page: pageTasks, rule: "a server MUST NOT use a key for two requests over the life of a task"},
	DiagTaskInputs:           {words: "a task that asks for input, and does not say for what", since: Rev20260728, page: pageTasks, rule: "a task that is input_required MUST have inputRequests"},
	DiagTaskOutcome:          {words: "a task that has ended, without its outcome", since: Rev20251125, page: pageTasks, rule: "a completed task has its result, and a failed one its error and a statusMessage"},
	DiagTaskDiffers:          {words: "the status of a task and its outcome disagree", since: Rev20251125, page: pageTasks, rule: "a task whose request does not complete successfully is failed: that is an error, or the result of a tool that says isError"},
	DiagTaskNotice:           {words: "a notification about a task that is old, or of no task of belay's", since: Rev20251125, page: pageTasks, rule: "a status notification holds the task as it is"},
	DiagTaskRelated:          {words: "a message of a task that does not name its task", since: Rev20251125, page: pageTasks, rule: "messages that belong to a task MUST name it in their metadata, but for tasks/get, tasks/list and tasks/cancel"},
	DiagTaskID:               {words: "task IDs that look easy to guess", since: Rev20251125, page: pageTasks, rule: "task IDs MUST have enough entropy where nothing else protects them"},
	DiagTaskCancel:           {words: "an answer to tasks/cancel that does not say that the task is cancelled", since: Rev20251125, page: pageTasks, rule: "the task MUST be cancelled before the answer to tasks/cancel is sent"},
	DiagTaskStream:           {words: "a stream of events as the answer to tasks/get", since: Rev20251125, page: pageTasks, rule: "servers SHOULD NOT upgrade to an SSE stream in response to tasks/get requests"},
	DiagTaskLax:              {words: "a request about a task that does not declare the extension is not refused for that", since: Rev20260728, page: pageTasks, rule: "servers MUST answer tasks/get, tasks/update and tasks/cancel with -32021 where the request does not declare the extension"},
	DiagTaskLists:            {words: "tasks that were not made here are listed, although the request carried no credentials", since: Rev20251125, page: pageTasks, rule: "receivers that cannot identify requestors SHOULD NOT declare the tasks.list capability"},
	DiagTaskUnpolled:         {words: "a task whose server does not know tasks/get", since: Rev20251125, page: pageTasks, rule: "a client learns the status of a task by tasks/get, which a server that makes tasks answers"},
	DiagTaskLongID:           {words: "a task ID that is longer than belay takes"},
	DiagTaskAck:              {words: "an answer to tasks/cancel or tasks/update that is not empty", since: Rev20260728, page: pageTasks, rule: "tasks/cancel and tasks/update are acknowledged with an empty result: what the task is, tasks/get tells"},
	DiagClockJump:            {words: "the clock jumped; no timeout was fired for it"},
}

// Words are what the server did, in words of belay's own.
func (c DiagCode) Words() string { return diagTexts[c].words }

// Cite says which rule of the specification the diagnostic rests on; the page
// is empty when the rule is belay's own.
func (c DiagCode) Cite(rev Revision) Citation {
	t := diagTexts[c]
	if rev == "" || rev < t.since {
		rev = t.since
	}
	if rev == "" {
		rev = Handshakes()[0]
	}
	return Citation{Revision: rev, Page: pageIn(rev, t.page), Rule: t.rule}
}

// moved are the pages that stand elsewhere since 2026-07-28.
var moved = map[string]string{
	pageCancel:   "basic/patterns/cancellation",
	pageProgress: "basic/patterns/progress",
	pageLife:     "basic/versioning",
	pageTasks:    TasksExtension, // which is no page
}

// parted are the pages that were one before 2026-07-28.
var parted = map[string]string{pageStdio: pageTrans, pageHTTP: pageTrans}

// pageIn is where a page stands in a revision.
func pageIn(rev Revision, page string) string {
	other, ok := moved[page]
	if !rev.IsModern() {
		other, ok = parted[page]
	}
	if ok {
		return other
	}
	return page
}
