package session

import "belay/session/mcp"

// onlyTables are the diagnostics that this server cannot cause: of parameters that
// go in the head, and of where a server is. They have tables of their own.
var onlyTables = map[mcp.DiagCode]bool{mcp.DiagToolHeader: true, mcp.DiagMirrorSecret: true, mcp.DiagNoLogin: true, mcp.DiagNoDiscover: true}

// onlyStdio are the interleavings that HTTP cannot have: an answer comes after
// the end of the body that it answers, a probe that was given up is closed, there
// is no process that dies, nor one that a probe breaks, no pipe that all messages share, and in the era of rounds no
// session that expires. A call seldom lasts for eleven samplings there.
var onlyStdio = []string{
	"answer before its request was reported as written", "answer after the cancel was given up", "server ended on server/discover",
	"started again", "death during the handshake", "death between rounds", "server/discover answered late",
	"the eleventh sampling of a call", "server/discover broke the server", "begun with a third time",
	"verdict in the middle of a message",
}

// onStdio are those for which it makes no difference how messages travel, and
// which seldom come up over HTTP: they are demanded on stdio.
var onStdio = []string{
	"URL elicitation completed after the answer", "answer after the end", "cancel before the next request left", "cancel written after it was given up",
	"death before the cancel was written", "death during the probe", "death while an answer was queued", "probe for a younger cancel",
	"withdrawal while the roots were looked at", "question waits when the grace ends", "subscription stands before its cancel left", "subscription left",
	"call made on the connection that was begun again", "update without a tag for what is being cancelled",
}

// webRaces are those that only HTTP has.
var webRaces = []string{
	"a line that is no field", "the end of a message is listened for", "half a message elsewhere", "stream taken up again", "stream ended during the grace", "cancel refused", "cancel before the body", "cancel before the body of the next request",
	"answer on another's stream", "answer before the body of its request was begun", "a body of JSON with news in the place of an answer", "progress on another's stream", "the server's own stream", "no stream of the server's own", "the server's own stream ended",
	"exchange ended without the answer: failed", "exchange ended without the answer: lost", "subscription ended with its stream",
	"session expired", "session expired while cancelling", "stream away when the cancel was written", "answer in the answer to the cancel", "session lost, by 400", "too many sessions", "the older transport is tried", "the one stream ended",
	"row waits for a login", "row is made again after a login", "no login", "cancel while it waited for a login",
	"stream waits for a login", "stream is taken up again after a login", "no login to hear more", "cancel while its stream waited for a login",
	"probe asked once more", "evidence elsewhere", "cancel of what was answered elsewhere", "subscription begun again", "stream away when the grace ends", "answer not taken",
}
