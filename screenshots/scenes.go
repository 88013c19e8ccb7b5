package main

import "time"

// Scene is one picture: a real run of belay up to a moment worth showing.
type Scene struct {
	Name       string // of the files NAME.svg and NAME.png
	Title      string // what a screen reader says of the picture
	Cols, Rows int
	Args       []string // of belay; none starts the demo server
	HTTP       bool     // the demo server is reached over HTTP, in 2026-07-28
	Login      bool     // … which wants a login for each call
	Task       bool     // it shows the ID of a task, which is by chance
	Light      bool     // on a light background
	Recorded   bool     // it is the recording of a run that is opened
	Everything bool     // it is of server-everything, which somebody else has written
	Report     bool     // it is not of the screen, but of the report that the script writes
	Film       bool     // it moves: it is made of the shots that the script takes

	// Script leads to the moment. It waits for all that the picture is to show,
	// and returns with that on the screen; belay is ended afterwards.
	Script step
}

// scenes are all pictures, in the order in which they are taken.
var scenes = []Scene{
	{
		Name: "tour", Title: "Three calls run side by side; one is cancelled with x, and its answer comes late",
		Cols: 88, Rows: 28, Film: true, // as wide as GitHub shows a README
		Script: tour,
	},
	{
		Name: "late-answer", Title: "A call was cancelled after one second; its answer came three seconds later",
		Cols: 128, Rows: 25,
		Script: lateAnswer,
	},
	{
		Name: "overview", Title: "Calls of the demo server's tools, what became of them, and the one that still runs",
		Cols: 140, Rows: 40,
		Script: overview,
	},
	{
		Name: "overview-80x24", Title: "The same on a small terminal",
		Cols: 80, Rows: 24,
		Script: smallOverview,
	},
	{
		Name: "welcome", Title: "The first screen, in a window of 100 columns: who is there, and what to press",
		Cols: 100, Rows: 30,
		Script: script(connected),
	},
	{
		Name: "everything", Title: "A tool of server-everything was cancelled after its second progress, and worked on: its progress kept coming",
		Cols: 128, Rows: 28, Everything: true, Args: []string{"--no-witness"},
		Script: everything,
	},
	{
		Name: "gone", Title: "The server ended while three calls were in flight: what became of each, and how to go on",
		Cols: 128, Rows: 28,
		Script: serverGone,
	},
	{
		Name: "cancelling", Title: "A countdown has just been cancelled",
		Cols: 120, Rows: 26,
		Script: cancelling,
	},
	{
		Name: "stream-closed", Title: "Over HTTP, in 2026-07-28, a cancel is the closing of an exchange: the reason stays with belay (request IDs begin at random there)",
		Cols: 128, Rows: 24, HTTP: true,
		Script: streamClosed,
	},
	{
		Name: "task", Title: "A task was cancelled; the server acknowledged that, and completed the task all the same",
		Cols: 110, Rows: 33, Task: true,
		Script: completedTask,
	},
	{
		Name: "replay", Title: "In the middle of a recording: a cancel was written a second ago, and nothing can be sent",
		Cols: 110, Rows: 28, Recorded: true,
		Script: replayed,
	},
	{
		Name: "witness", Title: "What the processes of a server did: a command that a cancelled call began was still running ten seconds after the cancel",
		Cols: 110, Rows: 34, Recorded: true,
		Script: witnessed,
	},
	{
		Name: "report", Title: "The timeline in a report on a cancelled call: what was sent and what came, to scale",
		Cols: 110, Rows: 28, Recorded: true, Report: true,
		Script: reported,
	},
	{
		Name: "login", Title: "A server wants a login: the call waits, and the page is opened on a key (request IDs begin at random over HTTP)",
		Cols: 120, Rows: 38, HTTP: true, Login: true,
		Script: login,
	},
	{
		Name: "picker", Title: "The list of everything that can be called, narrowed by a few letters",
		Cols: 120, Rows: 30,
		Script: picker,
	},
	{
		Name: "form", Title: "The form for a tool's arguments",
		Cols: 110, Rows: 34,
		Script: filledForm,
	},
	{
		Name: "withdrawn", Title: "The server has taken its question back while somebody was typing the answer: the panel is locked, and nothing was sent",
		Cols: 110, Rows: 32,
		Script: withdrawn,
	},
	{
		Name: "elicitation", Title: "The server asks by a form: its defaults are filled in, and what is wrong is said while it is typed",
		Cols: 120, Rows: 36,
		Script: elicitation,
	},
	{
		Name: "sampling", Title: "The server asks for the answer of a model, and a person writes it",
		Cols: 120, Rows: 32,
		Script: sampling,
	},
	{
		Name: "help", Title: "The keys, and why some of them do nothing just now",
		Cols: 100, Rows: 40,
		Script: help,
	},
}

// tour is the film: three calls side by side, a cancel, and what the server
// really did. While calls run, a shot is taken in the middle of each second, as
// the clock of belay moves in whole ones.
var tour = script(
	connected, shot(1500*time.Millisecond),
	press("n"), see("New call"), shot(700*time.Millisecond),
	letters("countdown"), row("▌tool", "countdown"), shot(500*time.Millisecond),
	press("enter"), see(`tools/call "countdown" ─`), shot(700*time.Millisecond),
	typed("9"), see("9"), shot(500*time.Millisecond),
	send(8.5), row("countdown", "running"),
	form("restless", "20", "1000"), send(9.3), row("restless", "running"),
	form("stubborn", "6"), send(10.3), row("stubborn", "running"), shot(time.Second),
	at(11.6), shot(time.Second),
	at(12.3), press("x"), row("stubborn", "cancelling…"), shot(time.Second),
	at(13.6), shot(time.Second),
	at(14.6), shot(time.Second),
	at(15.6), shot(time.Second),
	row("stubborn", "answered late"), at(16.6), shot(3*time.Second),
)

// streamClosed: a countdown over HTTP is cancelled. The lists come in any order
// there, so the wire is not shown.
var streamClosed = script(
	connected, press("w"),
	form("countdown", "10"), send(1.2), row("countdown", "running"),
	press("c"), see("cancel #"), typed("wrong branch"), see(": wrong branch"),
	row("countdown", "running 20%"), at(3.7), press("enter"),
	row("countdown", "stream closed"),
	press("1"), gone("cancelling"),
)

// login: a call meets a server that wants to know who asks. Only tools do, so what was read
// before it fills the wire.
var login = script(
	connected, press("w"),
	pick("prompt", "welcome"), at(0.5), press("enter"), row("welcome", "done"),
	pick("resource", "guide"), at(1.2), press("enter"), row("guide", "done"),
	at(2.2), press("r"), row("48127", "guide", "done"),
	form("countdown", "10"), send(3.3),
	see("wants you to log in"), see("waiting for login"), see("ctrl+u open"),
)

// opened is the whole recording: a call that was answered, and one that was cancelled.
var opened = script(see(" end"), row("run_command", "left a process"))

// replayed: the recording stands where the cancel was written, and the grace is not over.
var replayed = script(
	opened, press(":"), typed("goto 14"), see("goto 14"), press("enter"),
	row("00:14.0", "paused"), see("cancel written"),
)

// witnessed: what became of the command that the cancelled call began.
var witnessed = script(
	opened, press("2", "+", "h", "h"), see("processes of the server"), see("was running"),
)

// reported: a report on the cancelled call is written, as a page.
var reported = script(
	opened, press("E"), see("report-6.md"), press("ctrl+u"), typed(reportName), see(reportName), press("enter"),
	see("wrote the report on #6"),
)

// completedTask: a task is cancelled whose server acknowledges that, and goes on.
// It ends between two polls, so that its notification is the first to tell.
var completedTask = script(
	connected,
	form("task_stubborn", "4.2"), send(0.5),
	cancel(2.2, "wrong branch"),
	row("task_stubborn", "task completed"), at(4.9),
	press("1"), gone("cancelling"),
)

// lateAnswer: stubborn is told to stop and finishes all the same.
var lateAnswer = script(
	connected,
	form("stubborn", "4"), send(0.5),
	cancel(1.5, "wrong branch"),
	row("stubborn", "answered late"),
	press("1"), gone("cancelling"),
)

// overview has a call for most of what can become of one. The restless tool
// goes first, because its verdict takes the whole grace.
var overview = script(
	connected,
	form("restless", "6", "1000"), send(0.5),
	at(1.3), press("x"), row("restless", "cancelling…"),
	pick("prompt", "welcome"), at(1.7), press("enter"), row("welcome", "done"),
	pick("resource", "guide"), at(2.2), press("enter"), row("guide", "done"),
	form("echo", "haul away", "2"), send(2.7), row("echo", "done"),
	form("fail"), send(3.2), row("fail", "failed"),
	form("countdown", "8"), send(3.7),
	form("stubborn", "3"), send(4.2),
	cancel(5.3, "wrong branch"), press("j"),
	row("restless", "still working"), row("stubborn", "answered late"), row("countdown", "running 50%"),
)

// smallOverview has as many calls as a small terminal shows.
var smallOverview = script(
	connected,
	form("echo", "haul away", "2"), send(0.5), row("echo", "done"),
	form("fail"), send(1.2), row("fail", "failed"),
	form("countdown", "8"), send(1.5),
	form("stubborn", "3"), send(2.3),
	cancel(3.3, "wrong branch"),
	row("stubborn", "answered late"), row("countdown", "running 50%"),
)

// everything: the server of others starts in its own time, so the call is made long after
// that. Its progress comes every two seconds, half a second from the next one of belay's clock.
var everything = script(
	see("16 tools"), see("7 requests by belay itself"),
	form("trigger-long-running-operation", "10", "5"), send(4.5),
	row("trigger-long-running-operation", "running 40%"), at(9.5), press("x"), see("cancelling…"),
	row("trigger-long-running-operation", "still working"), at(15.5), see("progress 5/5"),
)

// serverGone: a tool ends the server while two calls run and a third is being cancelled.
var serverGone = script(
	connected, press("w"),
	form("countdown", "20"), send(0.5), row("countdown", "running"),
	form("restless", "20", "1000"), send(1.2), row("restless", "running"),
	form("stubborn", "20"), send(2.2), row("stubborn", "running"),
	at(3.3), press("x"), row("stubborn", "cancelling…"),
	form("crash"), press("ctrl+s"), see("The server calls it destructive"), at(5.3), press("y"),
	see("the server is gone"), row("crash", "lost"),
)

// cancelling is the moment after x.
var cancelling = script(
	connected,
	form("countdown", "8"), send(0.5),
	row("countdown", "running 37%"),
	at(3.7), press("x"), row("countdown", "cancelling…"), see("cancel written"),
)

// callsBefore fill the panes behind a dialog.
var callsBefore = script(
	connected,
	form("stubborn", "1"), send(0.5), row("stubborn", "done"),
	form("countdown", "3"), send(2.5), row("countdown", "done"),
)

// picker is open, with something typed.
var picker = script(
	callsBefore,
	press("n"), see("New call"), typed("st"), row("▌tool", "stubborn"),
)

// filledForm is that of echo, which has a field of every kind.
var filledForm = script(
	callsBefore, press("w"),
	form("echo", "haul away", "3"), press("tab", "right"), see("[true]"),
	press("tab", "right", "right", "right"), see("[shanty]"), press("shift+tab", "shift+tab"),
)

// withdrawn is a panel whose question the server has taken back.
var withdrawn = script(
	connected, press("w"),
	form("echo", "haul away"), send(0.5), row("echo", "done"),
	form("ask_then_withdraw", "3", "the tide has turned"), send(1.5),
	see("asks you to fill in a form"), at(3.5), typed("haul aw"), see("haul aw"),
	see("withdrawn by the server · nothing was sent"),
)

// elicitation is a form that the server asks for. The wire pane is closed: in
// which order the server answered the lists differs from run to run.
var elicitation = script(
	connected, press("w"),
	form("ask_form"), send(0.5),
	see("asks you to fill in a form"), at(2.5), press("tab", "tab"), typed("ahab at sea"), see("ahab at sea"),
)

// sampling is a question for a model, and an answer that is half written.
var sampling = script(
	connected, press("w"),
	form("summarise"), send(0.5),
	see("asks you to answer for a model"), at(2.5), typed("A man without money goes to sea"), see("goes to sea"),
)

// help is open while a call runs.
var help = script(
	connected,
	form("countdown", "100"), send(0.5), row("countdown", "running"),
	press("?"), see("Moving about"),
)
