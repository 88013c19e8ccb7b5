package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// SamplingAnswer is what a person answers to sampling/createMessage.
type SamplingAnswer struct {
	Text       string // the answer, unless Content is given
	Content    []byte // a block of content, or a list of blocks, as raw JSON; nil: Text
	Model      string // empty: human
	StopReason string // empty: endTurn
}

// Result is the answer as a result of the revision. Before 2025-11-25 its content is a single
// block, and a list of one is written as that block; a list that holds any other number of blocks
// is an error there (SMP-30; client/sampling).
func (a SamplingAnswer) Result(rev Revision) ([]byte, error) {
	content := bytes.TrimSpace(a.Content)
	if len(content) == 0 {
		content = append(rawjson.AppendQuote([]byte(`{"type":"text","text":`), a.Text), '}')
	}
	if !IsWellFormed(content) {
		return nil, errors.New("the content is no JSON")
	}
	if rawjson.Kind(content) == '[' && rev < Rev20251125 {
		blocks := blocksOf(content)
		if len(blocks) != 1 {
			return nil, fmt.Errorf("revision %s takes one block of content, not %d; 2025-11-25 brought lists", rev, len(blocks))
		}
		content = blocks[0]
	}
	if a.Model == "" {
		a.Model = "human"
	}
	if a.StopReason == "" {
		a.StopReason = "endTurn"
	}
	b := append([]byte(`{"role":"assistant","content":`), content...)
	b = rawjson.AppendQuote(append(b, `,"model":`...), a.Model)
	b = rawjson.AppendQuote(append(b, `,"stopReason":`...), a.StopReason)
	return append(b, '}'), nil
}

// blocksOf are the blocks of a well-formed content: a list of blocks, or one.
func blocksOf(content []byte) (blocks [][]byte) {
	if rawjson.Kind(content) != '[' {
		return [][]byte{content}
	}
	for e := rawjson.ElementsOf(content); ; {
		b, ok := e.Next()
		if !ok {
			return blocks
		}
		blocks = append(blocks, b)
	}
}

// CheckSamplingResult checks a result that is about to answer a sampling request: its members, the
// kind of its content in the revision, and its use of tools, which the server may require or
// refuse (SMP-25, SMP-30; client/sampling). The error says in plain words what to change.
func CheckSamplingResult(rev Revision, request Sampling, result []byte) error {
	if err := CheckObject(result); err != nil {
		return err
	}
	result = bytes.TrimSpace(result)
	if role, _ := rawjson.TextAt(result, "role"); role != "assistant" && role != "user" {
		return errors.New("the answer needs a role: \"assistant\"")
	}
	if _, ok := rawjson.TextAt(result, "model"); !ok {
		return errors.New("the answer needs the name of a model, such as \"model\": \"human\"")
	}
	content := rawjson.At(result, "content")
	switch rawjson.Kind(content) {
	case '{':
	case '[':
		if rev < Rev20251125 {
			return fmt.Errorf("in revision %s the content is a single block, not a list", rev)
		}
	default:
		return errors.New("the answer needs content: {\"type\": \"text\", \"text\": \"…\"}")
	}
	uses := 0
	for _, block := range blocksOf(content) {
		kind, ok := rawjson.TextAt(block, "type")
		if !ok {
			return errors.New("each block of the content needs a type, such as \"text\"")
		}
		if kind != "tool_use" {
			continue
		}
		uses++
		name, _ := rawjson.TextAt(block, "name")
		if !slices.ContainsFunc(request.Tools, func(t SamplingTool) bool { return t.Name == name }) {
			return fmt.Errorf("the server offers no tool called %q", sentence.Clip(name))
		}
	}
	switch {
	case request.ToolChoice == "required" && uses == 0:
		return errors.New("the server requires a tool use in the answer")
	case request.ToolChoice == "none" && uses > 0:
		return errors.New("the server wants no tool use in the answer")
	}
	return nil
}

// ElicitAction is what a person does with an elicitation.
type ElicitAction string

// The three answers to an elicitation (ELI-22; client/elicitation).
const (
	ElicitAccept  ElicitAction = "accept"
	ElicitDecline ElicitAction = "decline"
	ElicitCancel  ElicitAction = "cancel" // dismissed without a choice
)

// ElicitationResult is the answer to an elicitation. Content, a JSON object, is part of it only
// where a form is accepted (ELI-23; client/elicitation).
func ElicitationResult(mode ElicitMode, action ElicitAction, content []byte) []byte {
	b := rawjson.AppendQuote([]byte(`{"action":`), string(action))
	if mode == ElicitForm && action == ElicitAccept {
		if content = bytes.TrimSpace(content); len(content) == 0 {
			content = []byte("{}")
		}
		b = append(append(b, `,"content":`...), content...)
	}
	return append(b, '}')
}
