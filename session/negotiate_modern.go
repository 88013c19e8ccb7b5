package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// resultComplete is the resultType of an answer in the modern era. Besides it there is
// [mcp.ResultInputRequired]; further types belong to extensions that belay would have to declare
// (BASE-15, BASE-16; basic).
const resultComplete = mcp.ResultComplete

// oddResult says why a result is no answer at all: in the modern era one of a
// type that nobody knows is invalid, and one without a type is complete; before,
// there are no types. Empty: it may be read.
func (n *connection) oddResult(f *mcp.Frame) string {
	kind := f.Shape.Members[mcp.MemResultType]
	if f.Kind != mcp.FrameResult || !n.rev.IsModern() || kind == 0 {
		return ""
	}
	if t := f.Shape.ResultType; kind == '"' && (t == resultComplete || t == mcp.ResultInputRequired) {
		return ""
	}
	return "invalid response: " + typeWords(f) + n.extensionWords()
}

// tooEarlyForInput says why a server may not ask for input in an answer, before 2026-07-28.
func (n *connection) tooEarlyForInput() string {
	return fmt.Sprintf("input_required came with %s; this is %s", mcp.Rev20260728, n.rev)
}

// typeWords name the type that a result has.
func typeWords(f *mcp.Frame) string {
	kind := f.Shape.Members[mcp.MemResultType]
	if kind == '"' {
		return "resultType " + sentence.Quoted(sentence.Clip(f.Shape.ResultType))
	}
	return "resultType " + rawjson.KindWord(kind)
}

// checkModern tells what an answer lacks or has too much of in the modern era,
// and takes from it who the server says it is.
func (l *lint) checkModern(c *call, f *mcp.Frame) {
	switch f.Kind {
	case mcp.FrameError:
		l.checkCode(c, f.Error.Code)
	case mcp.FrameResult:
		l.checkResult(c, f)
	default:
	}
}

func (l *lint) checkResult(c *call, f *mcp.Frame) {
	if f.Shape.Kind != '{' {
		return
	}
	if f.Server != nil {
		l.conn.noteServerInfo(f.Server)
	}
	if odd := l.conn.oddResult(f); odd != "" {
		l.diagnose(mcp.DiagResultType, c.id, "", odd)
		return
	}

	switch {
	case f.Shape.Members[mcp.MemResultType] == 0:
		l.diagnose(mcp.DiagResultType, 0, c.Method, "resultType is missing in the answer to "+sentence.Name(c.Method)+", which is read as complete")
	case f.Shape.ResultType == resultComplete && cacheable[c.Method]:
		if wrong := f.Cache.Wrong(); wrong != "" {
			l.diagnose(mcp.DiagCacheHint, 0, c.Method+wrong, sentence.Name(c.Method)+": "+wrong)
		}
	}
}

// checkCode tells of error codes that the modern era does not use (ERR-05, ERR-11; basic).
func (l *lint) checkCode(c *call, code int64) {
	switch {
	case code == mcp.CodeOldNotFound || code == mcp.CodeURLRequired:
		l.diagnose(mcp.DiagErrorOld, c.id, fmt.Sprint(code), fmt.Sprint(code))
	case code <= -32020 && code >= -32099 && code < mcp.CodeUnsupportedVersion:
		l.diagnose(mcp.DiagErrorUndefined, c.id, fmt.Sprint(code), fmt.Sprint(code))
	}
}
