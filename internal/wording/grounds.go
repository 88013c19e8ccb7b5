package wording

import (
	"belay/session/cancel"
	"belay/session/mcp"
)

// Grounds are what a verdict stands on.
type Grounds struct {
	Seen string       // the evidence, in a sentence of Markdown
	Cite mcp.Citation // what the specification says to it
}

// The pages of the specification that are cited.
const (
	pageCancel   = "basic/utilities/cancellation"
	pageAbort    = "basic/patterns/cancellation" // where that page stands since 2026-07-28
	pageTrans    = "basic/transports"
	pageStdio    = "basic/transports/stdio"           // where a part of that page stands since 2026-07-28, …
	pageHTTP     = "basic/transports/streamable-http" // … and the other part
	pageLife     = "basic/lifecycle"
	pagePing     = "basic/utilities/ping"
	pageDiscover = "server/discover"
	pageSubs     = "server/resources"
	pageTasks    = "basic/utilities/tasks"
	pageRounds   = "basic/patterns/mrtr"
	pageListen   = "basic/patterns/subscriptions"

	// TasksExtension is what has the rules of tasks since 2026-07-28; it is no page.
	TasksExtension = "io.modelcontextprotocol/tasks"
)

// GroundsOf says what is seen where a verdict is given, and which rule applies.
func GroundsOf(v cancel.Verdict) Grounds { return grounds[v] }

// CiteIn says what the specification of a revision says to a verdict; empty: none was
// agreed on, or it is not known. Where that revision has no such rule, the citation names
// a revision with that rule.
func CiteIn(v cancel.Verdict, rev mcp.Revision) mcp.Citation {
	c := grounds[v].Cite
	switch other, ok := otherwise[v]; {
	case rev == "":
		return c
	case ok && rev.IsModern() != c.Revision.IsModern():
		c = other
	}
	if hold, ok := since[c.Page]; ok && (rev < hold || rev.IsModern() != hold.IsModern()) {
		return c
	}
	c.Revision = rev
	switch {
	case c.Page == pageCancel && rev.IsModern():
		c.Page = pageAbort
	case c.Page == pageTrans && rev.IsModern():
		c.Page = pageHTTP // of the rules that are cited, this one is about HTTP
	}
	return c
}

// since are the first revisions of the pages that not all have. None of these has the
// same rules before and since 2026-07-28.
var since = map[string]mcp.Revision{
	pageAbort: mcp.Rev20260728, pageStdio: mcp.Rev20260728, pageDiscover: mcp.Rev20260728, pageRounds: mcp.Rev20260728, pageListen: mcp.Rev20260728, TasksExtension: mcp.Rev20260728,
	pageTasks: mcp.Rev20251125, pageLife: mcp.Rev20241105, pagePing: mcp.Rev20241105, pageSubs: mcp.Rev20241105,
}

const ruleSilence = "after the cancellation the server MUST NOT send any further message for that request"

// otherwise are the rules on the other side of 2026-07-28, where they are others.
var otherwise = map[cancel.Verdict]mcp.Citation{
	cancel.NothingRunning:     {Revision: mcp.Rev20251125, Page: pageCancel, Rule: "a cancellation MUST only name a request that is believed to be in progress"},
	cancel.ServerDied:         {Revision: mcp.Rev20260728, Page: pageStdio, Rule: "a server MAY shut down by itself: it closes its output, and exits"},
	cancel.SaysCancelled:      {Revision: mcp.Rev20260728, Page: pageAbort, Rule: ruleSilence},
	cancel.AnsweredError:      {Revision: mcp.Rev20260728, Page: pageAbort, Rule: ruleSilence},
	cancel.AnsweredLate:       {Revision: mcp.Rev20260728, Page: pageAbort, Rule: ruleSilence},
	cancel.ServerUnresponsive: {Revision: mcp.Rev20260728, Page: pageDiscover, Rule: "servers MUST implement server/discover"},
	cancel.StillWorking:       {Revision: mcp.Rev20260728, Page: pageAbort, Rule: "the server SHOULD stop as soon as practical, and MUST NOT send any further message for that request"},
	cancel.Acknowledged:       {Revision: mcp.Rev20260728, Page: pageListen, Rule: "the client ends a subscription by closing its stream (HTTP), or by notifications/cancelled with the ID of the request that listens (stdio)"},
	cancel.TaskRefused:        {Revision: mcp.Rev20260728, Page: TasksExtension, Rule: "a server SHOULD answer tasks/cancel for a task that it does not know with an error"},
	cancel.TaskCancelled:      {Revision: mcp.Rev20260728, Page: TasksExtension, Rule: "cancellation is cooperative: tasks/get MUST tell a task that was cancelled as cancelled"},
	cancel.TaskCompleted:      {Revision: mcp.Rev20251125, Page: pageTasks, Rule: "the task MUST be set to cancelled before tasks/cancel is answered, and MUST stay so even if the work is completed"},
	cancel.TaskFailed:         {Revision: mcp.Rev20251125, Page: pageTasks, Rule: "the task MUST be set to cancelled before tasks/cancel is answered, and MUST stay so even if the work fails"},
	cancel.TaskWorking:        {Revision: mcp.Rev20251125, Page: pageTasks, Rule: "the receiver SHOULD stop the work, and MUST set the task to cancelled before it answers"},
	cancel.TaskUnseen:         {Revision: mcp.Rev20260728, Page: TasksExtension, Rule: "a server MUST answer tasks/get for a task that it does not know with -32602"},

	cancel.TaskUnacknowledged: {Revision: mcp.Rev20260728, Page: TasksExtension, Rule: "a server MUST acknowledge tasks/cancel with an empty result"},
}

var grounds = map[cancel.Verdict]Grounds{
	cancel.NothingRunning: {
		"The call was between two requests, or waited for a login: nothing was sent. Or its request was to be written once more (refused by HTTP/2 before it began, redirected, for a new token), and was not. Or the task of the call had ended before its cancel left, and you stopped waiting for its outcome.",
		mcp.Citation{Revision: mcp.Rev20260728, Page: pageRounds, Rule: "each round is a request of its own; between two of them the server owes no answer"},
	},
	cancel.NotDelivered: {
		"The cancel could not be written for five seconds, as the server does not read, and nothing since shows that it read it after all. Or it was never sent, as the connection or the exchange of the call ended first, or no ID of the task came. Over HTTP: the server rejected it (with which status), or had not accepted it when the grace was over, after five seconds at least (or twice the shortest round trip, where that is longer), nor since.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageTrans, Rule: "a server that accepts a notification MUST answer its POST with 202; one that cannot MUST answer with an error status"},
	},
	cancel.ServerDied: {
		"The process or the connection ended by itself, before an answer came, and before the verdict: in the grace, or while the probe was out. A process that began after the call was sent, and still ran when the server had ended, is named in the evidence.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageLife, Rule: "a server may end a session by closing its output and exiting"},
	},
	cancel.SaysCancelled: {
		"An error, or a result with `isError`, that says that the call was cancelled: by the code -32800, or by a text that says that as a whole, and nothing else, such as *Request cancelled*: " +
			"the message of an error, or each text of a result. Data beside them may tell what was done, so there must be none: neither structured content nor the `data` of an error, but for one that is empty or is such a text itself. It is the server's own word, quoted, and no proof. An answer that began before the cancel was written is *crossed*, whatever it says. The specification asks for silence. " +
			"Here, and beside any other answer that came too late to have been on its way, the sentence names a process that began after the call was sent and still runs.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "receivers SHOULD NOT send a response for the cancelled request"},
	},
	cancel.Crossed: {
		"An answer that began before the cancel was written, or so soon after it that it may have been on its way, or have waited while the call's stream was away. " +
			"Or a task that is completed or has failed, and may have ended before the server had read `tasks/cancel`: by the dates in its messages it had, or neither they nor a later message that it goes on tell that it had not.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "due to latency a cancellation may arrive after the request has been processed; both parties MUST handle that race gracefully"},
	},
	cancel.AnsweredError: {
		"An error, of JSON-RPC or HTTP, or a result with `isError`, that began too late to have been on its way. Or the server refused to end a subscription, whenever that came.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "receivers SHOULD NOT send a response for the cancelled request"},
	},
	cancel.AnsweredLate: {
		"A result, a request for input, or a malformed answer, that began too late to have been on its way. It is shown, and marked *ignored*. A result without `isError` is one whatever its text says; where the whole of that says that the call was cancelled, the sentence says so.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "receivers SHOULD NOT send a response for the cancelled request; the sender SHOULD ignore one that arrives all the same"},
	},
	cancel.Acknowledged: {
		"Of a subscription: the server answered `resources/unsubscribe`, or the request that was listening, or ended it by `notifications/cancelled` of its own.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageSubs, Rule: "resources/unsubscribe is a request, whose answer says that the subscription is over"},
	},
	cancel.TaskRefused: {
		"The server answered `tasks/cancel` with an error, and no poll since says that the task goes on. If `tasks/get` does not find the task either, the sentence says so.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageTasks, Rule: "receivers MUST refuse to cancel a task that has ended, with the error -32602"},
	},
	cancel.TaskCancelled: {
		"The first end that the server told after its cancel: in the answer to `tasks/cancel` (2025-11-25), in a poll, or in a notification. An acknowledgement alone is no proof, and belay polls on.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageTasks, Rule: "the receiver SHOULD stop the work, and MUST set the task to cancelled before it answers"},
	},
	cancel.TaskCompleted: {
		"The server acknowledged the cancel, or answered it with an error while the task went on, and the task was completed all the same: it is known to have gone on after the cancel, by a message that came too late to have been on its way, or by the dates in the server's messages (`createdAt`, `lastUpdatedAt`). How late that was is in the evidence.",
		mcp.Citation{Revision: mcp.Rev20260728, Page: TasksExtension, Rule: "tasks/cancel signals intent: a task may end in another way than by it"},
	},
	cancel.TaskFailed: {
		"The same, and the task failed.",
		mcp.Citation{Revision: mcp.Rev20260728, Page: TasksExtension, Rule: "tasks/cancel signals intent: a task may end in another way than by it"},
	},
	cancel.TaskWorking: {
		"A poll that was sent after the answer to `tasks/cancel`, be that an error, says that the task goes on, or messages for the call came too late to have been on their way. Polling goes on as well, and later evidence changes the word.",
		mcp.Citation{Revision: mcp.Rev20260728, Page: TasksExtension, Rule: "tasks/cancel signals intent, and its answer is empty: what became of the task is learned by polling"},
	},
	cancel.TaskUnseen: {
		"The server answered `tasks/cancel`, and no poll after that found the task: the server does not know it, or the answer told nothing of it, as one with an unknown status or with none, or none came within a minute.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageTasks, Rule: "a receiver MAY delete a cancelled task at once, and MUST answer -32602 for one it does not know"},
	},
	cancel.TaskUnacknowledged: {
		"`tasks/cancel` brought no answer while the grace lasted, or over HTTP an error, or an answer that is malformed, as in 2025-11-25 one that is not this task; belay polls on. " +
			"If the task is completed or fails meanwhile, the sentence says so, and the word stays.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageTasks, Rule: "tasks/cancel is a request, and is answered with the task as it is"},
	},
	cancel.StreamClosed: {
		"In 2026-07-28 over HTTP, closing the exchange is the cancel. Nothing is posted, the reason stays with belay, and nothing more can be seen.",
		mcp.Citation{Revision: mcp.Rev20260728, Page: pageAbort, Rule: "over Streamable HTTP the client closes the response stream; the server MUST take that as the cancellation of that request"},
	},
	cancel.StillWorking: {
		"Messages for the call came too late to have been on their way, " +
			"and from the last one to the end of the grace, or to when its stream was lost, it was at most one and a quarter times the longest of the last four pauses of its progress, " +
			"of which the first counts from the request, or a second (half of the grace, where that is shorter than two seconds). " +
			"Or such a message came after the grace, or at its end a question of the call that came after the cancel waits for its answer. " +
			"Or, over stdio and where no other call was in flight, the processes of the server worked on between the bound and the end of the grace: " +
			"they used more CPU than one and a half times what they would have used idle, by a twentieth of a core and by a tenth of a second, or went on beginning others: " +
			"a process that began after the bound lived at the end of the grace, or began more than a second after the cancel (half of the grace, where that is shorter than two seconds). " +
			"One that began sooner, and has ended, may be what the server heeded the cancel with, as a command that ends another. " +
			"What a server uses idle differs by what else runs on the machine: where it was a quarter of a core or more, " +
			"they must have used more than a whole core, too; of less than all that the evidence says that it cannot be told. " +
			"How much they use idle is measured before the call and once the connection is ready, for half a second at least, " +
			"and not while the work of a call that was cancelled before is seen going on; where it could not be, the evidence says so, " +
			"and their CPU decides nothing, or only what they used more than that work did. " +
			"Of a server with more than 64 processes belay looks at the first 64 that it found, and the evidence says that there are more.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "receivers SHOULD stop processing the cancelled request, and MAY ignore a cancellation of what cannot be cancelled"},
	},
	cancel.LeftProcess: {
		"Silence, and at the end of the grace a process lives that began after the call was sent, and no later than the bound after the cancel; its name, its number and its age are in the evidence. " +
			"It may be meant to stay, as a browser or a pool of workers is. " +
			"Over stdio only, and only where no other call was in flight.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "receivers SHOULD stop the work, free what it held, and send no response"},
	},
	cancel.ServerUnresponsive: {
		"Silence, and no answer to the ping either, not even an error of HTTP. If the server spoke of other things meanwhile, the evidence says so.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pagePing, Rule: "the receiver of a ping MUST respond promptly"},
	},
	cancel.EndedAfter: {
		"Silence, and processes that began during the call were running at the cancel, of which none lives at the end of the grace. Nor does one that was begun after the cancel, and none was seen to begin more than a second after it (half of the grace, where that is shorter than two seconds). " +
			"When each ended is in the evidence, as exactly as samples are taken. " +
			"They may have finished by themselves. " +
			"Over stdio only, and only where no other call was in flight.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "receivers SHOULD stop the work, free what it held, and send no response"},
	},
	cancel.Quiet: {
		"None of these, and the server answered something that was written after the cancel. " +
			"On stdio it had read the cancel by then. " +
			"This is what the specification asks for; what became of the work is not seen. " +
			"A question of the call's that the server takes back breaks no silence: it is told in the evidence. " +
			"So is one that may have been on its way when the cancel left, or that is the call's or another's: the sentence says that it came, and of the latter that it was taken back.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "receivers SHOULD stop the work, free what it held, and send no response"},
	},
	cancel.NothingHeard: {
		"Nothing more came, and there was no way to ask (`--no-probe`, or a stream that was away), or belay ended the connection before it was seen what the server did. Or what came is no silence, and no answer that belay can take.",
		mcp.Citation{Revision: mcp.Rev20251125, Page: pageCancel, Rule: "a cancellation is a notification: nobody confirms it"},
	},
}
