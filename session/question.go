package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/task"
)

// enqueueQuestion makes a question of a request that only the user can answer.
func (qs *incoming) enqueueQuestion(in *serverRequest) {
	if qs.strict(in) {
		return
	}
	in.size += 2 * len(in.note.ElicitationID)
	if why := qs.tooMany(in.size); why != "" {
		qs.diagnose(mcp.DiagQuestionFlood, 0, "", sentence.Name(in.method))
		qs.turnAway(in, mcp.CodeInternal, why)
		return
	}
	qs.addQuestion(in)
	in.order = qs.out.order
	in.unsolicited = qs.rows.areIdle()
	in.elicitation = in.note.ElicitationID
	in.nameless = isNameless(in, qs.rows)
	if c := qs.rows.get(in.stream); c.isStopped() && c.task() != nil && (in.nameless || c.task().ID == in.relatedTask()) {
		in.ofCancelled(c)
		return
	}
	var owner *call
	for c := qs.rows.oldest; c != nil; c = c.next {
		if !mayOwn(in, c) {
			continue
		}
		owner = c
		in.upto = c.id
		qs.hold(in, c)
		in.countTurn(c)
	}
	in.several = in.alive > 1
	in.orphan = in.alive == 0 && len(in.cancelledBefore) > 0
	switch {
	case in.hasSoleOwner():
		qs.moment(owner, MomentView{Dir: In, Kind: MomQuestion, Text: in.method, Entry: qs.hist.cur})
	case in.alive == 1:
		qs.moment(owner, strayMoment(doubtful(in.method), qs.hist.cur))
	}
}

// isNameless reports whether a question names no task, although none but calls which run as tasks of
// 2025-11-25 can have asked it (TSK-27; basic/utilities/tasks).
func isNameless(in *serverRequest, calls *rows) (is bool) {
	if in.note.HasTask {
		return false
	}
	for c := calls.oldest; c != nil; c = c.next {
		if !mayHaveAsked(in, c) {
			continue
		}
		if is = c.task() != nil && c.task().Protocol == task.Core; !is {
			return false
		}
	}
	return is
}

// addQuestion makes a question that waits.
func (qs *incoming) addQuestion(in *serverRequest) {
	qs.nextID++
	in.questionID, in.epoch = qs.nextID, qs.conn.epoch
	in.state = Waiting
	qs.waiting++
	qs.questions = append(qs.questions, in)
	qs.bytes += in.size
	qs.sweepQuestions()
	qs.hist.markQuestion(in.questionID)
	switch {
	case in.needed:
		qs.event(qs.rows.neededWords(in.owner))
		return
	case in.round != nil || in.task != nil:
		qs.event(qs.rows.inputWords(in))
		return
	}
	qs.event("the server asks you: " + sentence.Name(in.method))
}

// closeQuestion gives a question its final state, and returns the calls that wait for one
// question less. An answer that has not been handed
// out is not final yet: when the server withdraws its request, or goes, nothing
// was sent, and the row must not say that something was.
func (qs *incoming) closeQuestion(in *serverRequest, to QuestionState) (released []*call) {
	unsent := in.out != nil && !in.out.handed && (to == Withdrawn || to == QuestionLost)
	if in.state != Waiting && !unsent {
		qs.broken("question %d: %v may not become %v", in.questionID, in.state, to)
		return nil
	}
	waited := in.state == Waiting
	in.state = to
	in.ended = qs.now
	if !waited {
		return nil
	}
	qs.waiting--
	qs.hist.markQuestion(in.questionID)
	if in.needed || in.round != nil || in.task != nil {
		if c := qs.rows.get(in.owner); c != nil {
			qs.moment(c, MomentView{Dir: Local, Kind: MomQuestionEnd, Text: in.endText()})
		}
	}
	return qs.release(in)
}

// Questions are the server's requests to the user that are kept, oldest first.
func (s *Session) Questions() []QuestionView {
	out := make([]QuestionView, 0, len(s.incoming.questions))
	for _, in := range s.incoming.questions {
		v := QuestionView{
			ID: in.questionID, Wire: in.id, Method: in.method, State: in.state, Params: in.params,
			Arrived: in.arrived, Ended: in.ended, Orphaned: in.orphan, AfterCancel: in.afterCancel, OfCancelled: in.asker,
			Unsolicited: in.unsolicited, Turn: in.turn, Needed: in.needed, Completed: in.completed,
			Key: in.name, Closed: in.closed, NotAccepted: in.answerRejected, Unsure: in.unsure,
		}
		if c := s.rows.get(in.stream); c != nil && c.req != nil {
			ofTask := in.task != nil || in.relatedTask() != "" // of which messages may come on any stream
			v.StreamOver = s.cfg.Transport == mcp.HTTP && s.http.variant == streamable && !ofTask && c.req.x.isOver() && !s.http.isResuming(c.req)
		}
		v.Task, v.Nameless = in.relatedTask(), in.nameless
		if in.task != nil {
			v.Task = in.task.ID
		}
		if in.round != nil {
			v.Round = in.round.number
		}
		if in.state == Withdrawn {
			v.Reason = in.reason
		}
		if in.state == Waiting {
			v.CancelledOwners = len(in.cancelled())
			v.Owners, v.Candidates = in.alive+v.CancelledOwners, s.rows.owners(in)
		}
		if in.owner != 0 {
			v.Owners, v.Candidates = 1, []CallID{in.owner}
		}
		out = append(out, v)
	}
	return out
}

// MaxCandidates bounds the calls that the view of a question names.
const MaxCandidates = 8

// QuestionsOf are the questions that wait and may belong to a call, oldest first.
func (s *Session) QuestionsOf(id CallID) (ids []QuestionID) {
	c := s.rows.get(id)
	if c == nil || c.asked == 0 && c.round() == nil && c.task() == nil {
		return nil
	}
	for _, in := range s.incoming.questions {
		if in.state == Waiting && (in.round != nil && in.round == c.round() || in.task != nil && in.task == c.task() || !in.orphan && mayOwn(in, c)) {
			ids = append(ids, in.questionID)
		}
	}
	return ids
}

// addInput makes one of the requests of a round: a question, unless belay answers
// it by itself.
func (qs *incoming) addInput(c *call, f *mcp.Frame, a mcp.InputAsk) {
	in := &serverRequest{
		method: a.Method, params: copyPart(f, a.Params), size: len(a.Params) + keySize(a), arrived: qs.now, entry: qs.hist.cur, owner: c.id,
		question: question{note: a.Note, round: c.round(), key: copyPart(f, a.Token), name: a.Key},
	}
	in.round.inputs = append(in.round.inputs, in)
	in.round.open++
	if a.Note == nil {
		in.params = nil
		return
	}
	in.size += len(a.Note.ElicitationID)
	in.countTurn(c)
	qs.addQuestion(in)
	qs.moment(c, MomentView{Dir: Local, Kind: MomQuestion, Text: in.method, Entry: qs.hist.cur})
}

// tooMany says why another request to the user cannot be taken; empty when it
// can.
func (qs *incoming) tooMany(size int) string {
	switch {
	case qs.waiting >= maxWaiting:
		return fmt.Sprintf("%d requests wait for the user already", qs.waiting)
	case !qs.roomFor(size):
		return qs.noRoom(size)
	case !qs.conn.questionRate.take(qs.now):
		return fmt.Sprintf("more than %d requests to the user a minute", questionsAMinute)
	}
	return ""
}
