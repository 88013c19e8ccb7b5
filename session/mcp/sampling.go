package mcp

import (
	"slices"

	"belay/session/rawjson"
)

// Sampling is what sampling/createMessage asks for. All of it is foreign text,
// and the slices of bytes point into the parameters that were parsed.
type Sampling struct {
	Messages     []SamplingMessage
	Hints        []string // names of models that the server would like, the first one most
	Cost         string   // how much each matters to it, a number as it was written; empty when it does not say
	Speed        string
	Intelligence string
	SystemPrompt string

	// IncludeContext is none, thisServer or allServers, or empty. Belay includes
	// none, whatever it says.
	IncludeContext string

	MaxTokens     int64  // 0 when it is missing or no number
	Temperature   string // a number as it was written; empty when it does not say
	StopSequences []string
	Tools         []SamplingTool
	ToolChoice    string // auto, required or none; empty when it does not say, which means auto
	Metadata      []byte // raw JSON for the model's provider, or nil
	Raw           []byte // the parameters
}

// SamplingMessage is a message of the conversation that the server wants to be
// continued.
type SamplingMessage struct {
	Role    string // user or assistant
	Content []Content
	Raw     []byte
}

// Content is a block of a message: text, image, audio, tool_use, tool_result,
// or one of a type that belay does not know and that is only kept raw.
type Content struct {
	Type string
	Text string // text

	Data []byte // image, audio: base64, as a JSON string holds it
	Size int    // of the image or audio itself, in bytes
	MIME string

	ID      string    // tool_use: its own; tool_result: that of the tool use it answers
	Name    string    // tool_use: the tool
	Input   []byte    // tool_use: the arguments, raw JSON
	Result  []Content // tool_result
	IsError bool      // tool_result

	Raw []byte
}

// SamplingTool is a tool that the answer may use.
type SamplingTool struct {
	Name, Description string
	Raw               []byte
}

// Limits of a sampling request, so that a hostile one cannot multiply itself in
// memory. What is beyond them is only in its raw bytes.
const (
	MaxParts = 10_000   // messages, blocks, tools, hints …
	maxMedia = 10 << 20 // bytes of an image or audio that pass without a remark
)

// ParseSampling reads the parameters of sampling/createMessage as a revision
// knows them, and says what is wrong with them. It never fails: what cannot be
// read is left out.
func ParseSampling(rev Revision, params []byte) (Sampling, []Problem) {
	r := samplingReader{}
	r.read(trustworthy(params))
	return r.s, r.problems.in(rev)
}

// samplingReader reads a sampling request.
type samplingReader struct {
	s        Sampling
	problems askProblems
	parts    int // messages, and blocks in lists
}

// read reads parameters that are well-formed.
func (r *samplingReader) read(params []byte) {
	if rawjson.Kind(params) != '{' {
		r.problems.add(DiagSamplingShape, "the parameters are %s, not an object", rawjson.KindWords(params))
		return
	}
	s := &r.s
	s.Raw = params
	var messages, limit, choice []byte
	for m := rawjson.MembersOf(params); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "messages":
			messages = value
		case "modelPreferences":
			r.preferences(value)
		case "systemPrompt":
			s.SystemPrompt, _ = rawjson.Text(value)
		case "includeContext":
			s.IncludeContext, _ = rawjson.Text(value)
		case "temperature":
			s.Temperature = numberText(value)
		case "maxTokens":
			limit = value
		case "stopSequences":
			s.StopSequences = rawjson.Texts(value, MaxParts)
		case "tools":
			r.tools(value)
		case "toolChoice":
			choice = value
		case "metadata":
			s.Metadata = value
		}
	}
	if n, ok := rawInteger(limit); ok && n > 0 {
		s.MaxTokens = n
	} else {
		r.problems.add(DiagSamplingShape, "maxTokens is %s, not a number of tokens", describeRaw(limit))
	}
	r.choice(choice)
	if rawjson.Kind(messages) != '[' {
		r.problems.add(DiagSamplingShape, "messages is %s, not a list", rawjson.KindWords(messages))
		return
	}
	for e := rawjson.ElementsOf(messages); ; {
		value, ok := e.Next()
		if !ok {
			break
		}
		r.message(value)
	}
	if r.parts > MaxParts {
		r.problems.add(DiagSamplingContent, "%d messages and blocks; what is beyond %d is only in the raw message", r.parts, MaxParts)
		return
	}
	r.pairs()
}

func (r *samplingReader) preferences(value []byte) {
	if rawjson.Kind(value) != '{' {
		return
	}
	for m := rawjson.MembersOf(value); ; {
		name, value, ok := m.Next()
		if !ok {
			return
		}
		switch string(name) {
		case "hints":
			r.hints(value)
		case "costPriority":
			r.s.Cost = numberText(value)
		case "speedPriority":
			r.s.Speed = numberText(value)
		case "intelligencePriority":
			r.s.Intelligence = numberText(value)
		}
	}
}

func (r *samplingReader) hints(value []byte) {
	if rawjson.Kind(value) != '[' {
		return
	}
	for e := rawjson.ElementsOf(value); len(r.s.Hints) < MaxParts; {
		hint, ok := e.Next()
		if !ok {
			return
		}
		if name, ok := rawjson.TextAt(hint, "name"); ok {
			r.s.Hints = append(r.s.Hints, name)
		}
	}
}

func (r *samplingReader) tools(value []byte) {
	if rawjson.Kind(value) != '[' {
		r.problems.add(DiagSamplingShape, "tools is %s, not a list", rawjson.KindWords(value))
		return
	}
	r.s.Tools = []SamplingTool{}
	for e := rawjson.ElementsOf(value); len(r.s.Tools) < MaxParts; {
		raw, ok := e.Next()
		if !ok {
			return
		}
		name, ok := rawjson.TextAt(raw, "name")
		if !ok {
			r.problems.add(DiagSamplingShape, "tool %d has no name", len(r.s.Tools)+1)
		}
		about, _ := rawjson.TextAt(raw, "description")
		r.s.Tools = append(r.s.Tools, SamplingTool{Name: name, Description: about, Raw: raw})
	}
}

func (r *samplingReader) choice(value []byte) {
	if value == nil {
		return
	}
	mode, ok := rawjson.TextAt(value, "mode")
	r.s.ToolChoice = mode
	if !ok && rawjson.Kind(value) == '{' {
		r.s.ToolChoice = "auto"
	}
	if !slices.Contains([]string{"auto", "required", "none"}, r.s.ToolChoice) {
		r.problems.add(DiagSamplingShape, "toolChoice is %s, not auto, required or none", rawjson.Excerpt(value))
	}
}

// numberText is a number as it was written; empty for what is none.
func numberText(value []byte) string {
	if rawjson.Kind(value) != '0' {
		return ""
	}
	return rawjson.Excerpt(value)
}
