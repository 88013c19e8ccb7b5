package timeline

import (
	"belay/internal/safe"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/remedy"
)

// label is the text beside a moment, with its style. A broken line stands for what came after
// the cancel.
func (p *picture) label(mo session.MomentView, text safe.Text) (label safe.Text, style canvas.Style, dashed bool) {
	if mo.Kind == session.MomNote {
		text = remedy.With(text, remedy.Left(mo.Remedy, p.looks.Recorded))
	}
	return text, p.style(mo), mo.Kind == session.MomLate || mo.Kind == session.MomAfter
}

func (p *picture) style(mo session.MomentView) canvas.Style {
	st := &p.looks.Styles
	switch mo.Kind {
	case session.MomSent, session.MomAgain:
		return st.Text
	case session.MomProgress, session.MomUpdate, session.MomTask:
		return st.Info
	case session.MomCancelWanted, session.MomCancelSent, session.MomClosing, session.MomLate, session.MomUnsubscribe, session.MomTaskCancel, session.MomWrong:
		return st.Stop
	case session.MomRound, session.MomQuestion, session.MomAfter, session.MomEnded, session.MomNote:
		return st.Warn
	case session.MomError, session.MomProbeLate, session.MomEnd:
		return st.Bad
	case session.MomAgreed:
		return st.OK
	case session.MomResult:
		if p.c.ToolError {
			return st.Warn
		}
		return st.OK
	default:
		return st.Muted
	}
}
