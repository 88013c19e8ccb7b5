package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// Answer answers a question with a result, a JSON object. As is what the row of the question reads
// from now on: Answered, Declined or Dismissed. A question that the server has withdrawn is refused,
// and nothing is written (CXS-04, CXS-09; basic/utilities/cancellation). Nothing is ever written
// either for a question that is only Needed: there the answer ends the question, and no more. The
// answer to an input of a round is kept until all of them are there; then the call is made again
// with them.
type Answer struct {
	Question QuestionID    `json:"prompt"`
	Result   Bytes         `json:"result"`
	As       QuestionState `json:"as"`
}

func (in Answer) check(s *Session) error {
	if _, err := s.incoming.openQuestion(in.Question, in.As); err != nil {
		return err
	}
	if err := mcp.CheckObject(in.Result); err != nil {
		return refuse(RefuseParams, "the answer is no JSON object: %v", err)
	}
	return nil
}

func (in Answer) apply(s *Session) Reply {
	p, _ := s.incoming.openQuestion(in.Question, in.As)
	if !p.needed && p.round == nil && p.task == nil {
		s.incoming.answer(p, mcp.AppendResult(nil, p.idRaw, p.resultOf(in.Result)))
	}
	s.endQuestion(p, in.As)
	s.logAnswered(p)
	switch {
	case p.round != nil:
		s.input(p, in.Result)
	case p.task != nil:
		s.tasks.update(p.task, p, in.Result)
	default:
		s.tasks.onReplied(p)
	}
	return Reply{}
}

func (in Answer) masked(m masker) Input {
	in.Result = m.bytes(in.Result)
	return in
}

// resultOf is an answer as it is written: that to a request of a task names the task
// (basic/utilities/tasks, TSK-46).
func (in *serverRequest) resultOf(result []byte) []byte {
	if in.relatedTask() == "" {
		return result
	}
	return mcp.AppendRelated(nil, result, in.relatedTask())
}

// Rejection is the input that says no to a question in the way that its method has for that: Declined is
// an explicit no, Dismissed none at all. Only an elicitation tells the two apart (ELI-11, SMP-05;
// client/elicitation, client/sampling).
func (v *QuestionView) Rejection(as QuestionState) Input {
	if v.Method != "elicitation/create" {
		return Refuse{Question: v.ID, Code: mcp.CodeRejected, Message: "User rejected sampling request", As: as}
	}
	action := mcp.ElicitDecline
	if as == Dismissed {
		action = mcp.ElicitCancel
	}
	return Answer{Question: v.ID, Result: mcp.ElicitationResult(mcp.ElicitForm, action, nil), As: as}
}

// Refuse answers a question with an error; a question that is only Needed, as
// [Answer] does. An input of a round has no error for an answer: its call
// ends, and nothing is sent.
type Refuse struct {
	Question QuestionID    `json:"prompt"`
	Code     int64         `json:"code"`
	Message  string        `json:"message"`
	As       QuestionState `json:"as"`
}

func (in Refuse) check(s *Session) error {
	_, err := s.incoming.openQuestion(in.Question, in.As)
	return err
}

func (in Refuse) apply(s *Session) Reply {
	p, _ := s.incoming.openQuestion(in.Question, in.As)
	if !p.needed && p.round == nil && p.task == nil {
		s.incoming.reject(p, in.Code, validText(in.Message))
	}
	s.endQuestion(p, in.As)
	s.logAnswered(p)
	switch {
	case p.round != nil:
		s.onAnswerRejected(p)
	case p.task != nil:
		s.note(p.task.row, "not answered: "+sentence.Name(p.method)+" was "+p.state.String()+"; the task may wait for it until its time is over")
	default:
		s.tasks.onReplied(p)
	}
	return Reply{}
}

func (in Refuse) masked(m masker) Input {
	in.Message = m.written("message", in.Message)
	return in
}
