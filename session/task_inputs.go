package session

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
	"belay/session/task"
)

// A task may ask for input. In 2025-11-25 the server sends a request, and the metadata of the
// request names the task. In the extension the task lists what it asks for, each under a key,
// as long as it is not answered; the answers go back by tasks/update.

// taskInput is one thing that a task of the extension asks for.
//
//shape:part of runningTask
type taskInput struct {
	sum    [sha256.Size]byte // of what is asked
	in     *serverRequest    // the question, or what belay answers by itself
	clash  bool              // the key was used for something else, which the user was told
	agreed bool              // … and wants to see
	listed bool              // the last state of the task lists it

	accepted bool // the server has accepted its answer
	since    int  // the polls that list it since then
}

// maxTaskInputs bounds the keys of one task that are remembered.
const maxTaskInputs = 1000

// asker is the task that a request of the server's names in its metadata, or on the stream of whose
// request it came; nil: none that goes on, and it comes from any call (TSK-26, TSK-27;
// basic/utilities/tasks). On is the call on whose stream it came; nil: it came on no call's.
func (t *tasks) asker(f *mcp.Frame, on *call) *runningTask {
	if f.Ask == nil || t.conn.taskProtocol() != task.Core {
		return nil
	}
	if !f.Ask.HasTask {
		return on.taskAbout()
	}
	k := t.byID[f.Ask.Task]
	if c := t.cancelledTask(f.Ask.Task); c != nil && (k == nil || k == c) {
		if !c.followed {
			t.diagnose(mcp.DiagTaskRelated, c.row.id, f.Ask.Task, sentence.Name(f.Method)+" of "+sentence.Name(f.Ask.Task)+", which was cancelled")
		}
		return c
	}
	if k == nil || k.row.state != Running {
		t.diagnose(mcp.DiagTaskRelated, 0, f.Ask.Task, sentence.Name(f.Method)+" of "+sentence.Name(f.Ask.Task)+", which is no task that belay follows")
		return nil
	}
	if k.Ask(); k.Status() == task.Working {
		k.AskAtWork()
	}
	return k
}

// tellNameless adds a diagnostic for each question without a task's name as soon as a task that may be its
// asker has the status input_required, which a poll may show after the question (TSK-27;
// basic/utilities/tasks).
func (l *log) tellNameless(questions []*serverRequest) {
	for _, in := range questions {
		if !in.nameless || in.told || in.state != Waiting {
			continue
		}
		k := asksForInput(in, l.rows)
		if k == nil {
			continue
		}
		id, when := CallID(0), ", before task "+sentence.Name(k.ID)+" said that it asks for input"
		if in.entry == l.hist.cur {
			when = ", while task " + sentence.Name(k.ID) + " asks for input"
		}
		if in.hasSoleOwner() {
			id = k.row.id
		}
		in.told = true
		l.diagnose(mcp.DiagTaskRelated, id, in.method, sentence.Name(in.method)+when)
	}
}

// asksForInput is a task that may have asked a question and says that it asks for input; nil: none.
func asksForInput(in *serverRequest, calls *rows) *runningTask {
	for c := calls.oldest; c != nil; c = c.next {
		if k := c.task(); k != nil && k.Status() == task.InputRequired && mayHaveAsked(in, c) {
			return k
		}
	}
	return nil
}

// cancelledTask is the task of an ID that this connection made, and that was cancelled by the user or by
// belay, or is being cancelled; nil: there is none.
func (t *tasks) cancelledTask(id string) *runningTask {
	for _, c := range slices.Backward(t.rows.tasks) {
		if c.task().ID == id && c.epoch == t.conn.epoch && c.stop != nil {
			return c.task()
		}
	}
	return nil
}

// onInputs takes what a task of the extension asks for, as a state of it tells. What was asked
// before is not asked again, and what it lists no more is closed (TEX-25, TEX-29, CXS-25;
// extensions/tasks).
func (t *tasks) onInputs(k *runningTask, told mcp.Task, f *mcp.Frame) {
	for _, i := range k.inputs {
		i.listed = false
	}
	whole := true
	if task.ParseStatus(told.Status) == task.InputRequired && k.Status() == task.InputRequired && k.IsAlive() {
		n, why := told.Inputs, "inputRequests is missing"
		if n != nil {
			why = n.Wrong
		}
		if why != "" && k.noteRefusal(sha256.Sum256([]byte(why))) {
			t.diagnose(mcp.DiagTaskInputs, k.row.id, why, why)
		}
		if n == nil || n.Count == 0 && why != "" { // no list at all: what is asked for is as it was
			return
		}
		whole = n.Count <= mcp.MaxInputs
		for _, key := range n.Bad {
			if i := k.inputs[key]; i != nil {
				i.listed = true // as far as is known: what stands there now is none
			}
		}
		for _, a := range n.Asks {
			t.onInput(k, a, f)
		}
	}
	for _, i := range k.inputs {
		if !i.listed && i.in.questionID != 0 && i.in.state == Waiting && whole {
			t.will(questionStep{i.in, i.in.unlistedWords()})
		}
	}
}

// unlistedWords say why a question is closed that the task lists no more. An answer that may
// have arrived may be the reason.
func (in *serverRequest) unlistedWords() string {
	if in.unsure {
		return "the task asks for it no more, so your answer may have arrived"
	}
	return "no longer needed by the server"
}

// onInput takes one thing that a task asks for.
func (t *tasks) onInput(k *runningTask, a mcp.InputAsk, f *mcp.Frame) {
	before := k.inputs[a.Key]
	if i := before; i != nil {
		i.listed = true
		if i.sum != a.Digest && !i.clash {
			t.onReusedKey(k, i)
		}
		if f.Kind == mcp.FrameResult {
			t.countListed(k, i)
		}
		if i.sum == a.Digest && !k.isBack(i) || i.sum != a.Digest && !i.agreed {
			return
		}
	}
	code, why := t.lint.badInput(k.row, a)
	size := len(a.Params) + keySize(a)
	if a.Note != nil && why == "" {
		code, why = mcp.DiagQuestionFlood, t.incoming.tooMany(size)
	}
	if len(k.inputs) >= maxTaskInputs {
		code, why = mcp.DiagQuestionFlood, "the task asks for more and more"
	}
	if why != "" {
		if k.noteRefusal(a.Keyed) {
			t.diagnose(code, k.row.id, a.Key, why)
		}
		return // the next poll lists it again
	}
	params := copyPart(f, a.Params)
	if a.Note != nil {
		size += len(a.Note.ElicitationID)
	} else { // the roots, which belay answers by itself
		params = nil
	}
	in := &serverRequest{
		method: a.Method, params: params, size: size, arrived: t.now, entry: t.hist.cur, owner: k.row.id,
		question: question{note: a.Note, task: k, key: copyPart(f, a.Token), name: a.Key},
	}
	if k.inputs == nil {
		k.inputs = map[string]*taskInput{}
	}
	k.inputs[a.Key] = &taskInput{sum: a.Digest, in: in, listed: true}
	if a.Note == nil {
		t.update(k, in, rootsResult(t.cfg.Roots))
		return
	}
	if before != nil && before.sum == a.Digest { // what is not known of the answer of before is not known now
		in.noteAnswer(before.in.answerRejected, before.in.unsure)
	}
	in.countTurn(k.row)
	if k.row.stop != nil {
		in.ofCancelled(k.row)
	}
	k.Ask()
	t.incoming.addQuestion(in)
	t.moment(k.row, MomentView{Dir: Local, Kind: MomQuestion, Text: in.method, Entry: t.hist.cur})
}

// noteRefusal notes that something a task asks for is refused, and reports whether that is new: each
// poll lists it, as it must (TEX-18; extensions/tasks).
func (k *runningTask) noteRefusal(of [sha256.Size]byte) bool {
	if k.refused[of] {
		return false
	}
	if k.refused == nil {
		k.refused = map[[sha256.Size]byte]bool{}
	}
	if len(k.refused) < maxTaskInputs {
		k.refused[of] = true
	}
	return true
}

// isBack reports whether a task lists a question again that it had not listed for a while, and
// that was closed for that without an answer: then it is asked once more (TEX-29, TEX-32;
// extensions/tasks).
func (k *runningTask) isBack(i *taskInput) bool {
	return i.in.questionID != 0 && i.in.state == Withdrawn && (!i.clash || i.agreed) && k.overWords() == ""
}

// countListed counts the polls that list what was answered, and tells of the second: the first
// may have been on its way when the server took the answer.
func (t *tasks) countListed(k *runningTask, i *taskInput) {
	if !i.accepted {
		return
	}
	if i.since++; i.since == 2 {
		t.note(k.row, "the task went on listing the key "+sentence.Name(i.in.name)+" after its answer was accepted: it is not asked again")
	}
}

// onReusedKey takes it that a task asks for something else under a key that was used. What is
// asked there is shown once the user says so (TEX-30; extensions/tasks), and the question of
// before is no longer outstanding: its answer would answer the other one.
func (t *tasks) onReusedKey(k *runningTask, i *taskInput) {
	i.clash = true
	t.reused++
	t.diagnose(mcp.DiagTaskKey, k.row.id, i.in.name, sentence.Name(i.in.name))
	t.note(k.row, "the task asks for something else under the key "+sentence.Name(i.in.name)+", which was used: it is shown when you say so")
	if i.in.questionID != 0 && i.in.state == Waiting {
		t.will(questionStep{i.in, reusedKeyWords})
	}
}

// reusedKeyWords say why a question was closed whose key the task has used for another one.
const reusedKeyWords = "its key asks for something else now"

// reusedKeys counts the keys whose other question awaits the word of the user.
func (k *runningTask) reusedKeys() (n int) {
	for _, i := range k.inputs {
		if i.clash && !i.agreed && i.listed {
			n++
		}
	}
	return n
}

// agreeToKeys has what the task asks for under keys of before be shown, as of its next state.
func (k *runningTask) agreeToKeys() {
	for _, i := range k.inputs {
		i.agreed = i.agreed || i.clash && i.listed
	}
}

// update has an answer be sent to a task, by a request of its own (TEX-26; extensions/tasks).
func (t *tasks) update(k *runningTask, in *serverRequest, answer []byte) {
	params := append(rawjson.AppendQuote([]byte(`{"taskId":`), k.ID), `,"inputResponses":{`...)
	params = append(append(append(params, in.key...), ':'), bytes.TrimSpace(answer)...)
	again := in.answerRejected != ""
	in.noteAnswer("", false)
	t.will(requestStep{&taskRequest{of: k, input: in, again: again, params: append(params, "}}"...)}})
}

// onAnswered takes it that the server has an answer to what a task asked. If nothing that the task
// asked is open, it is to go on (TSK-29; basic/utilities/tasks).
func (t *tasks) onAnswered(k *runningTask) {
	if !t.isAsking(k) {
		k.Answer()
	}
}

// isAsking reports whether something that a task asked is open.
func (t *tasks) isAsking(k *runningTask) bool {
	return slices.ContainsFunc(t.incoming.questions, func(in *serverRequest) bool {
		return in.state == Waiting && (in.task == k || in.task == nil && in.relatedTask() == k.ID)
	})
}

// onReplied takes it that the user answered a request of the server's, by a result or an error. It
// may be one of a task of 2025-11-25.
func (t *tasks) onReplied(in *serverRequest) {
	if k := t.byID[in.relatedTask()]; k != nil {
		t.onAnswered(k)
	}
}

// onUpdated takes the answer to tasks/update. That the server took an answer does not mean that
// the task goes on (TEX-33; extensions/tasks).
func (t *tasks) onUpdated(e *taskRequest, f *mcp.Frame) {
	k, words := e.of, "the answer to "+sentence.Name(e.input.method)+" was accepted"
	if f.Kind != mcp.FrameResult {
		why := "malformed response"
		if f.Kind == mcp.FrameError {
			why = f.Error.Words()
			if f.Error.Code == mcp.CodeInvalidParams {
				why += " (task not found, or not what it asks for)"
			}
		}
		t.note(k.row, "the answer to "+sentence.Name(e.input.method)+" was not accepted: "+why)
		t.askAgain(k, e.input, why)
		return
	}
	t.onAnswered(k)
	if i := k.inputs[e.input.name]; i != nil && i.in == e.input {
		i.accepted = true
	}
	t.moment(k.row, MomentView{Dir: In, Kind: MomTask, Text: words, Entry: t.hist.cur})
	if e.again { // the row says that an answer of before may not have arrived
		k.row.say(saying(words))
	}
}

// onUnanswered takes it that nothing answered tasks/update, and why. Its question waits again,
// with what was typed: whether the answer arrived is told by the next state of the task alone.
func (t *tasks) onUnanswered(e *taskRequest, why string) {
	in := e.input
	t.note(e.of.row, "the answer to "+sentence.Name(in.method)+" may not have arrived: "+why)
	in.noteAnswer(in.answerRejected, !e.call.sent.IsZero())
	if in.questionID == 0 { // belay's own, which is given again where the task goes on asking
		maps.DeleteFunc(e.of.inputs, func(_ string, i *taskInput) bool { return i.in == in })
	}
	t.askAgain(e.of, in, why)
}

// onDisconnected implements follower.
func (t *tasks) onDisconnected() {
	t.loseAnswers()
	t.forget()
}

// loseAnswers takes it that the connection has ended before tasks/update was answered: what was
// typed stays to be read.
func (t *tasks) loseAnswers() {
	for _, m := range t.missed {
		if in := m.input; in != nil && in.questionID != 0 {
			in.onAnswerLost(m.why, !m.call.sent.IsZero())
		}
	}
}

// askAgain has a question wait again whose answer the server did not take: the question is
// outstanding as far as is known, and the next state of the task tells. One that is not
// outstanding keeps what was typed, and is closed.
func (t *tasks) askAgain(k *runningTask, in *serverRequest, why string) {
	k.Ask()
	in.noteAnswer(why, in.unsure)
	switch {
	case in.questionID == 0:
		return
	case in.key == nil: // too old to be sent: it is asked anew
		maps.DeleteFunc(k.inputs, func(_ string, i *taskInput) bool { return i.in == in })
		return
	}
	t.incoming.reopen(in, why)
	k.row.touch()
	i, over := k.inputs[in.name], k.overWords()
	switch {
	case over != "":
	case i == nil || !i.listed:
		over = in.unlistedWords()
	case i.in != in || i.clash && !i.agreed:
		over = reusedKeyWords
	}
	if over != "" {
		t.will(questionStep{in, over})
	}
}

// overWords say why nothing that the task asked can be answered any more; empty: it can.
func (k *runningTask) overWords() string {
	switch {
	case k.row.stop != nil:
		return "you cancelled the task"
	case k.End() == task.Expired:
		return "the task expired"
	case k.End() == task.Gone:
		return "the task was not found"
	case !k.IsAlive():
		return "the task has ended"
	}
	return ""
}

// closeQuestions closes what a task asked that has ended or is cancelled: the questions keep
// what was typed, and nothing is written for them. Requests of 2025-11-25 are orphaned where it
// is the user who cancelled (TEX-61).
//
// What asked for a task that has ended closes in all rows of the task.
func (t *tasks) closeQuestions(k *runningTask, why string, requests bool) {
	isOver := k.isShared && (k.Status().IsTerminal() || k.End() == task.Gone)
	for _, in := range t.incoming.questions {
		of := in.task
		if ofRequest := requests && of == nil && in.note != nil && in.note.HasTask; ofRequest {
			if c := t.rows.get(in.stream); c != nil {
				of = c.task()
			}
		}
		if in.state == Waiting && of != nil && (of == k || isOver && of.ID == k.ID) {
			t.will(questionStep{in, why})
		}
	}
}

// closeFor closes a question in the server's name, and returns the calls that it held.
func (qs *incoming) closeFor(in *serverRequest, why string) (released []*call) {
	in.closed = why
	if in.task == nil {
		return qs.withdraw(in, "")
	}
	return qs.closeQuestion(in, Withdrawn)
}
