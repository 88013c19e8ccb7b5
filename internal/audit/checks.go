package audit

import "belay/session/mcp"

// Level is how strictly the specification asks for something.
type Level uint8

// The levels, the strictest last.
const (
	None Level = iota // it asks for nothing
	Should
	Must
)

func (l Level) String() string { return [...]string{"–", "SHOULD", "MUST"}[l] }

// Duty is what the specification says to a claim.
type Duty struct {
	Level Level
	Page  string
	Rule  string
}

// Address is where the rule stands, of a revision; empty: on no page of the specification.
func (d Duty) Address(r mcp.Revision) string {
	if d.Level == None || d.Page == pageTasks26 {
		return ""
	}
	return "https://modelcontextprotocol.io/specification/" + string(r) + "/" + d.Page
}

// Claim is what is claimed of a server in a situation.
type Claim uint8

// The claims.
const (
	IsLongEnough Claim = iota + 1
	GivesNoAnswer
	SendsNothing
	StopsWork
	HarmsNoOther
	StaysResponsive
	FreesProcesses
	FreesConnections
	FreesFiles
	FreesMemory
	EndsWithInput
	WithdrawsQuestion
	AcknowledgesCancel
	BecomesCancelled
	StaysCancelled
	numClaims
)

// claimRule is how a claimRule is named and judged.
type claimRule struct {
	id, name    string
	old, modern Duty
	pass, fail  string // what makes it so, for the page
	unseen      string
	stdio, http bool // it can be seen over …
	modernHTTP  bool
	judge       func(*Observed, Situation) []finding
	carries     bool // one of those without which an audit has seen nothing
}

// The pages of the specification.
const (
	pageCancel   = "basic/utilities/cancellation"
	pageCancel26 = "basic/patterns/cancellation"
	pageBasic    = "basic"
	pagePing     = "basic/utilities/ping"
	pageDiscover = "server/discover"
	pageStdio    = "basic/transports/stdio" // since 2026-07-28
	pageTasks    = "basic/utilities/tasks"  // of 2025-11-25
	pageTasks26  = mcp.TasksExtension       // which is no page
)

var claims [numClaims]claimRule

func init() {
	silent := Duty{Should, pageCancel, "receivers of a cancellation SHOULD NOT send a response for the cancelled request"}
	nothing := Duty{Must, pageCancel26, "a server MUST NOT send any further messages for a request after its cancellation"}
	stop := Duty{Should, pageCancel, "receivers of a cancellation SHOULD stop processing the cancelled request"}
	stop26 := Duty{Should, pageCancel26, "a server SHOULD stop work on the cancelled request as soon as practical"}
	frees := Duty{Should, pageCancel, "receivers of a cancellation SHOULD free associated resources"}
	frees26 := Duty{Should, pageCancel26, "a server SHOULD free the resources of the cancelled request"}
	answers := Duty{Must, pageBasic, "a response MUST have the ID of the request that it answers, and a result or an error"}
	unread := "the server had not accepted the cancel over HTTP, or on stdio not answered the request right behind it, as it had others, when a tenth of a second or more after the cancel, and in the second half of its time, it answered with the result of calls that are left alone"
	unheard := "over HTTP the exchange of the call broke, or the server ended it and its own stream (the GET) was not there all the time"
	claims = [numClaims]claimRule{
		IsLongEnough: {
			id: "long-enough", name: "the tool is long enough", stdio: true, http: true, modernHTTP: true, judge: longEnough,
			pass: "a call that is left alone takes a second or more, and is answered with a result", fail: "never: it is a duty of nobody's", unseen: "it takes less, or is answered with an error",
		},
		GivesNoAnswer: {
			id: "no-answer", name: "no answer", old: silent, modern: nothing, stdio: true, http: true, carries: true, judge: noAnswer,
			pass: "silence until the call would have ended and longer; the server had read the cancel",
			fail: "a result or an error that began too late to have been on its way, or no later, where " +
				"[each call was answered as it was cancelled](#answers-that-cross-the-cancel), " +
				"or after the cancel an error or isError whose whole text says that the call was cancelled, such as *Request cancelled*, also with the reason of the cancel behind it",
			unseen: "the answer may have crossed the cancel, or is the result, " +
				"and came when the call would have ended and within a tenth of a second of the cancel, or within the time for which belay was kept from running itself; " +
				"belay could not listen for long enough; " + unheard + "; " + unread + ", or whether the cancel was read is not known",
		},
		SendsNothing: {
			id: "no-messages", name: "no messages", old: Duty{Should, pageCancel, stop.Rule}, modern: nothing, stdio: true, http: true, judge: noMessages,
			pass: "no progress or other message of the call, or up to 2025-11-25 none but soon after the cancel",
			fail: "messages of the call that began too late to have been on their way; up to 2025-11-25 only those that came later than a second, or than a quarter of what was left of the call",
			unseen: "belay was kept from running for longer than messages came, or did not run for a while; " +
				"the call would have gone on for less than a tenth of a second; " +
				"in 2026-07-28, a message that may have been on its way for a tenth of a second or more; belay could not listen for long enough; " + unheard + "; " +
				unread + ", or whether the cancel was read is not known",
		},
		StopsWork: {
			id: "work-stops", name: "work stops", old: stop, modern: stop26, stdio: true, carries: true, judge: workStops,
			pass: "the witness: processes that began in the call before the cancel was written, and would have lived on, ended soon after it, " +
				"where the same program had lived longer in a call that was cancelled later, and in no call outlived the cancel for long, " +
				"as did those that began right after it, where the same command lived on in a call that was cancelled later; " +
				"or the server used next to no CPU where a call that was cancelled later had used a fifth of a core or more, and the machine had room for more",
			fail: "messages went on, for longer than a second or than a quarter of what was left of the call; the result came about when the call would have ended, or later, and was that of calls that are left alone; " +
				"processes used CPU as when they work, or one that began in the call or after its cancel lived on after the call would have ended, as none does after calls that are left alone; " +
				"one that began in the call before its cancel, or after it by a command that runs in other calls as well, went on until about then",
			unseen: "silence alone; a process of the call that ended some time between its cancel and then, or a second or more after it; " +
				"another process that began with or after the cancel and ended, and next to no CPU; " +
				"a process that lives on, as such do after calls that are left alone (a browser, one of a pool), and the CPU that it uses as it begins; " +
				"a process that goes on, or CPU that is used, for as long after the cancels of calls that were cancelled at other times, as by a cleanup that takes long; " +
				"a process that began and ended within the tenth of a second between two looks at the processes, as one may that is begun while the cancel is on its way; " +
				"the call may have ended before the server read the cancel; " + unread + "; " +
				"the result came about when the call would have ended or later, and is another than that of calls that are left alone, or these have different ones; a process ended soon after the cancel, and may have ended by itself; the call would have gone on for less than half a second; " +
				"belay did not run for a while, or not when it was to look at the processes; the server used next to no CPU, and the machine was too busy to tell, or does not tell how busy it was; over HTTP these are not seen",
		},
		HarmsNoOther: {
			id: "others-unharmed", name: "others unharmed", old: answers, modern: answers, stdio: true, http: true, modernHTTP: true, carries: true, judge: othersUnharmed,
			pass:   "each other call in flight is answered as one that is left alone: with a result, and with the same one if the tool always gives the same",
			fail:   "another call is answered with an error or another result, or not within four times the time and two seconds more, as a server may make one after the other, or the connection ends",
			unseen: "no cancel was sent, as the calls had ended before; no other call was in flight, or it had ended, or was about to, before the cancel was sent; the connection ended in calls that nobody had cancelled; the server refuses as many calls at once as the check takes, or calls beside others fail, also where none is cancelled; it was answered otherwise, and so is one more call that is left alone afterwards, as at a limit of calls, or where results change with time, unless each call since the first cancel has failed",
		},
		StaysResponsive: {
			id: "responsive", name: "responsive",
			old:    Duty{Must, pagePing, "the receiver of a ping MUST respond promptly"},
			modern: Duty{Must, pageDiscover, "servers MUST implement server/discover"},
			stdio:  true, http: true, modernHTTP: true, judge: responsive,
			pass: "a ping that was sent afterwards is answered (in 2026-07-28: server/discover)", fail: "it is not, or the connection has ended", unseen: "it was not asked; no cancel was sent, as the calls had ended before; the connection ended in a call that nobody had cancelled",
		},
		FreesProcesses:   freeing("processes", "processes", frees, frees26, func(r Rest) (float64, bool) { return float64(r.Processes), true }),
		FreesConnections: freeing("connections", "connections", frees, frees26, func(r Rest) (float64, bool) { return float64(r.Connections), r.Counted && !r.NoConnections }),
		FreesFiles:       freeing("files", "open files", frees, frees26, func(r Rest) (float64, bool) { return float64(r.Files), r.Counted && !r.NoFiles }),
		FreesMemory:      freeing("memory", "memory", frees, frees26, func(r Rest) (float64, bool) { return float64(r.Memory), r.Memory > 0 }),
		EndsWithInput: {
			id: "server-ends", name: "the server ends", stdio: true, judge: endsWithInput,
			modern: Duty{Should, pageStdio, "servers SHOULD exit promptly when their standard input is closed"},
			pass:   "it exits by itself when its input is closed with a call in flight",
			fail:   "it has to be ended by a signal; up to 2025-11-25, where no page asks for more, that is *noted*",
			unseen: "it had ended before its input was closed, or was ended at once as you wanted that; it was ended, and belay had not run for a while",
		},
		WithdrawsQuestion: {
			id: "question-withdrawn", name: "the question is withdrawn", stdio: true, http: true, judge: questionWithdrawn,
			pass:   "the server cancels its request to the user (elicitation/create, sampling/createMessage) after the call that it belongs to was cancelled",
			fail:   "never, as no page asks for it: a question that stays open is *noted*. The user still sees it, and an answer to it reaches nobody who needs it",
			unseen: "the tool asked nothing this time, or what the server said could not be heard",
		},
		AcknowledgesCancel: {
			id: "acknowledged", name: "the cancel is acknowledged", stdio: true, http: true, modernHTTP: true, judge: acknowledged,
			old:    Duty{Must, pageTasks, "on a valid tasks/cancel the receiver MUST make the task cancelled before it sends the response"},
			modern: Duty{Must, pageTasks26, "servers MUST acknowledge tasks/cancel with an empty result"},
			pass:   "tasks/cancel is answered with a result", fail: "it is not answered, or refused for a task that goes on",
			unseen: "the call did not run as a task, or the task had ended before its cancel was read",
		},
		BecomesCancelled: {
			id: "cancelled", name: "the task is cancelled", stdio: true, http: true, modernHTTP: true, judge: becomesCancelled,
			old:  Duty{Must, pageTasks, "on a valid tasks/cancel the receiver MUST make the task cancelled before it sends the response"},
			pass: "the answer to tasks/cancel, a notification or a poll says that the task is cancelled", fail: "the task goes on, completes or fails; in 2026-07-28, where a server may complete a task all the same, that is *noted*",
			unseen: "the call did not run as a task, the task may have ended before its cancel was read, or it was not seen again",
		},
		StaysCancelled: {
			id: "stays-cancelled", name: "the task stays cancelled", stdio: true, http: true, modernHTTP: true, judge: staysCancelled,
			old:  Duty{Must, pageTasks, "a cancelled task MUST stay cancelled even if its work goes on to its end, or fails"},
			pass: "tasks/get says so when the task would have ended and later", fail: "tasks/get names another status; in 2026-07-28 that is *noted*",
			unseen: "the task was not cancelled, or tasks/get was not answered, or told no status, as where the server does not keep the task, which it may do",
		},
	}
}

func freeing(id, name string, old, modern Duty, of func(Rest) (float64, bool)) claimRule {
	c := claimRule{
		id: id, name: name + " given back", old: old, modern: modern, stdio: true,
		pass:   "after all cancels there are no more than before, give or take one",
		fail:   "the number rises with each of the last three rounds of cancels, by one for every two cancels or more",
		unseen: "it rose and came to rest, or by no more than that above what each call leaves that is left alone, or what that is could not be seen, or the number could not be counted; over HTTP the processes are not seen",
	}
	if id == "processes" {
		c.fail += "; or it rises to the 64 that belay looks at, and there are more"
	} else {
		c.unseen += "; nor are they judged where the server has more than 64 processes, as belay looks at no more"
	}
	if id == "memory" {
		c.pass = "after all cancels it is no more than a tenth, or 8 MiB, above what it was"
		c.fail = "it rises with each of the last three rounds of cancels, by 100 KiB a cancel or more, and by 64 MiB in all"
	}
	c.judge = func(o *Observed, _ Situation) []finding {
		if f, capped := o.intoLimit(id == "processes"); capped {
			return []finding{f}
		}
		base, known := o.leftByEach(of)
		if id == "processes" {
			base, known = o.keptByEach()
		}
		all := givenBack(o, id == "memory", base, of)
		for i := range all {
			if f := &all[i]; f.outcome == Fail && !known {
				f.outcome, f.why = Unseen, f.why+"; "+unknownBase
			}
		}
		return all
	}
	return c
}

// Check is one line of the table.
type Check struct {
	ID        string // such as early/no-answer; stable
	Situation Situation
	Claim     Claim
}

// Name is what the check is called.
func (c Check) Name() string { return c.Situation.String() + ": " + claims[c.Claim].name }

// Duty is what the specification says to it, for a revision.
func (c Check) Duty(r mcp.Revision) Duty {
	cl := &claims[c.Claim]
	switch {
	case c.Situation.IsWrong() && c.Claim == HarmsNoOther && r.IsModern():
		return Duty{Should, pageCancel26, "invalid cancellation notifications SHOULD be ignored"}
	case c.Situation.IsWrong() && c.Claim == HarmsNoOther:
		return Duty{Should, pageCancel, "invalid cancellation notifications SHOULD be ignored"}
	case r.IsModern():
		return cl.modern
	}
	return cl.old
}

// Checks are all there are, in the order of the table.
func Checks() (all []Check) {
	add := func(s Situation, cs ...Claim) {
		for _, c := range cs {
			all = append(all, Check{ID: situationNames[s] + "/" + claims[c].id, Situation: s, Claim: c})
		}
	}
	add(LeftAlone, IsLongEnough)
	for _, s := range []Situation{AtOnce, Early, Midway, NearEnd} {
		add(s, GivesNoAnswer, SendsNothing, StopsWork)
	}
	add(ByTimeout, GivesNoAnswer)
	add(OneOfSeveral, GivesNoAnswer, HarmsNoOther)
	add(Crowd, GivesNoAnswer, StaysResponsive)
	add(Asking, WithdrawsQuestion)
	add(AsTask, AcknowledgesCancel, BecomesCancelled, StaysCancelled)
	for s := Twice; s <= AfterEnd; s++ {
		add(s, HarmsNoOther, StaysResponsive)
	}
	add(Afterwards, StaysResponsive, HarmsNoOther, FreesProcesses, FreesConnections, FreesFiles, FreesMemory)
	add(ConnectionEnds, EndsWithInput)
	return all
}
