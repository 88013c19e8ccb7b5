// Package negotiate decides which revision a connection speaks.
//
// A [Machine] is told what came back for server/discover and for initialize, in
// whatever order and however late, and that a connection ended before it was
// agreed on. It returns decisions: what to ask, to wait, what to agree on, to
// begin with the server once more in another way, or to give up. It sends
// nothing, and keeps nothing of a message but what the decision needs; the
// session carries the decisions out and finds the words for them.
//
// How fast a server starts must not decide what it speaks. So a server/discover that is
// not answered in time is not given up: initialize is sent beside it, and each of
// the two answers waits a moment for the other one. A refused initialize waits for
// minutes: there is nothing else to go on with, unless the refusal says what the
// server speaks, or that it was begun before, which only server/discover can have done. Ten seconds are enough
// for a server that lists a revision of the modern era.
//
//	server/discover        initialize             decision
//	modern                 refused                the modern revision, on this connection
//	modern                 answered               begin once more, with server/discover alone
//	modern                 none within OtherWait  the same: the server may be in the middle of the handshake
//	modern, once more      none in its time       the modern revision, on this connection: it knows no initialize
//	of another era         any                    the handshake
//	older                  in another one         begin once more, with server/discover alone: the list says what to ask for
//	older                  refused                initialize once more, in the revision that the list leads to
//	foreign                answered               the handshake: a list without a revision that belay speaks
//	foreign                refused, or silence    give up, with that list
//	a modern error         any                    give up, unless it lists a revision that belay speaks
//	none within OtherWait  answered               the handshake
//	of another era         refused                begin once more, with initialize alone: server/discover may have broken the server
//	none in minutes        refused                the same
//	none in 10 s           refused, with a list   server/discover once more, and without an answer the modern revision all the same
//	none                   none in its time       the same: the server may read nothing after server/discover
//
// A server gets one such second beginning for each beginning that somebody asked
// for, and a third one where the second one was none: with server/discover if it bears
// initialize neither beside that nor alone, with initialize if it answered both, and bears
// server/discover alone no more. What it has shown is the [Memory] with which later connections begin.
package negotiate
