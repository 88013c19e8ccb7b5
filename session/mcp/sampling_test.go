package mcp

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/rawjson"
)

const wholeSampling = `{"messages":[
{"role":"user","content":{"type":"text","text":"What is in it?"}},
{"role":"user","content":{"type":"image","data":"aGVsbG8h","mimeType":"image\/png"}},
{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"u1","name":"look","input":{"at":1},"_meta":{"k":1}}]},
{"role":"user","content":[{"type":"tool_result","toolUseId":"u1","content":[{"type":"text","text":"a cat"},{"type":"resource_link","uri":"x:y"}],"isError":true}]}],
"modelPreferences":{"hints":[{"name":"opus"},{},{"name":"sonnet"}],"costPriority":0.25,"speedPriority":1e-1,"intelligencePriority":"x"},
"systemPrompt":"Be brief.","includeContext":"thisServer","temperature":0.7,"maxTokens":100,"stopSequences":["\n\n",7,"END"],
"tools":[{"name":"look","description":"Looks","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"},"metadata":{"a":1},"task":{"ttl":5}}`

func TestASamplingRequestIsReadWhole(t *testing.T) {
	s, problems := ParseSampling(Rev20251125, []byte(" "+wholeSampling))
	if len(problems) != 0 {
		t.Errorf("found wrong: %v", problems)
	}
	var b strings.Builder
	for _, m := range s.Messages {
		for _, c := range m.Content {
			fmt.Fprintf(&b, "%s %s %q %q %d %q %q %q %s %v %d\n", m.Role, c.Type, c.Text, c.Data, c.Size, c.MIME, c.ID, c.Name, c.Input, c.IsError, len(c.Result))
		}
	}
	want := `user text "What is in it?" "" 0 "" "" ""  false 0
user image "" "aGVsbG8h" 6 "image/png" "" ""  false 0
assistant text "I look." "" 0 "" "" ""  false 0
assistant tool_use "" "" 0 "" "u1" "look" {"at":1} false 0
user tool_result "" "" 0 "" "u1" ""  true 2
`
	if b.String() != want {
		t.Errorf("messages:\n%s", b.String())
	}
	rest := fmt.Sprintf("%q %q %q %q %q %q %d %q %q %s", s.Hints, s.Cost, s.Speed, s.Intelligence, s.SystemPrompt, s.IncludeContext,
		s.MaxTokens, s.Temperature, s.StopSequences, s.Metadata)
	if rest != `["opus" "sonnet"] "0.25" "1e-1" "" "Be brief." "thisServer" 100 "0.7" ["\n\n" "END"] {"a":1}` {
		t.Errorf("the rest: %s", rest)
	}
	if s.ToolChoice != "required" || len(s.Tools) != 1 || s.Tools[0].Name != "look" || s.Tools[0].Description != "Looks" {
		t.Errorf("tools: %+v, %s", s.Tools, s.ToolChoice)
	}
	use := s.Messages[2].Content[1]
	if !strings.Contains(string(use.Raw), `"_meta":{"k":1}`) || len(s.Raw) != len(wholeSampling) {
		t.Errorf("raw: %s", use.Raw)
	}
}

// sampling is a request with one message of the user's.
func sampling(content string) string {
	return `{"maxTokens":5,"messages":[{"role":"user","content":` + content + `}]}`
}

func TestWhatIsWrongWithASamplingRequest(t *testing.T) {
	use := `{"role":"assistant","content":{"type":"tool_use","id":"u","name":"t","input":{}}}`
	result := func(id string) string {
		return `{"type":"tool_result","toolUseId":"` + id + `","content":[]}`
	}
	talk := func(messages ...string) string {
		return `{"maxTokens":5,"messages":[` + strings.Join(messages, ",") + `]}`
	}
	for _, tt := range []struct {
		rev    Revision
		params string
		want   DiagCode // DiagNone: nothing
	}{
		{Rev20251125, `[]`, DiagSamplingShape},
		{Rev20251125, ``, DiagSamplingShape},
		{Rev20251125, `{"maxTokens":5}`, DiagSamplingShape},
		{Rev20251125, `{"maxTokens":5,"messages":{}}`, DiagSamplingShape},
		{Rev20251125, `{"maxTokens":5,"messages":[7]}`, DiagSamplingShape},
		{Rev20251125, `{"messages":[]}`, DiagSamplingShape},
		{Rev20251125, `{"messages":[],"maxTokens":"5"}`, DiagSamplingShape},
		{Rev20251125, `{"messages":[],"maxTokens":0}`, DiagSamplingShape},
		{Rev20251125, talk(`{"role":"system","content":{"type":"text","text":"x"}}`), DiagSamplingShape},
		{Rev20251125, talk(`{"role":"user"}`), DiagSamplingShape},
		{Rev20251125, sampling(`"text"`), DiagSamplingShape},
		{Rev20251125, sampling(`{"type":"text"}`), DiagSamplingShape},
		{Rev20251125, sampling(`{"type":"image","data":"aGk="}`), DiagSamplingShape},
		{Rev20251125, sampling(`{"type":"image","mimeType":"image/png"}`), DiagSamplingShape},
		{Rev20251125, sampling(`{"type":"image","data":"a","mimeType":"image/png"}`), DiagSamplingShape},
		{Rev20251125, sampling(`{"type":"image","data":"aGk=aGk=","mimeType":"image/png"}`), DiagSamplingShape},
		{Rev20251125, sampling(`{"type":"audio","data":"a-_b","mimeType":"audio/wav"}`), DiagSamplingShape},
		{Rev20251125, sampling(`{"type":"audio","data":"aGk=","mimeType":"audio/wav"}`), DiagNone},
		{Rev20241105, sampling(`{"type":"audio","data":"aGk=","mimeType":"audio/wav"}`), DiagSamplingContent},
		{Rev20251125, sampling(`{"type":"hologram"}`), DiagSamplingContent},
		{Rev20251125, sampling(`{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("aGVs", maxMedia/3+1) + `"}`), DiagSamplingContent},
		{Rev20251125, sampling(`[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), DiagNone},
		{Rev20250618, sampling(`[{"type":"text","text":"a"}]`), DiagSamplingShape},
		{Rev20251125, sampling(`[` + strings.Repeat(`{"type":"text","text":""},`, MaxParts) + `{"type":"text","text":""}]`), DiagSamplingContent},
		{Rev20251125, `{"messages":[],"maxTokens":1,"tools":{}}`, DiagSamplingShape},
		{Rev20251125, `{"messages":[],"maxTokens":1,"tools":[{}]}`, DiagSamplingShape},
		{Rev20251125, `{"messages":[],"maxTokens":1,"toolChoice":{"mode":"any"}}`, DiagSamplingShape},
		{Rev20251125, `{"messages":[],"maxTokens":1,"toolChoice":{}}`, DiagNone},

		{Rev20251125, talk(use, `{"role":"user","content":`+result("u")+`}`), DiagNone},
		{Rev20251125, talk(use, `{"role":"user","content":[`+result("u")+`,{"type":"text","text":"and"}]}`), DiagToolResults},
		{Rev20251125, talk(use, `{"role":"user","content":{"type":"text","text":"well?"}}`), DiagToolResults},
		{Rev20251125, talk(use, `{"role":"user","content":`+result("other")+`}`), DiagToolResults},
		{Rev20251125, talk(use), DiagToolResults},
		{Rev20251125, sampling(result("u")), DiagToolResults},
		{Rev20251125, sampling(`{"type":"tool_use","id":"u","name":"t","input":{}}`), DiagToolResults},
		{Rev20251125, talk(`{"role":"assistant","content":{"type":"tool_use","id":"u","name":"t"}}`, `{"role":"user","content":`+result("u")+`}`), DiagSamplingShape},
		{Rev20250618, talk(use), DiagSamplingContent}, // that revision knows no tool uses, and no rule for them
	} {
		_, problems := ParseSampling(tt.rev, []byte(tt.params))
		var got DiagCode
		for i, p := range problems {
			if i > 0 && p.Code != got {
				t.Errorf("%s: %v", rawjson.Excerpt([]byte(tt.params)), problems)
			}
			got = p.Code
		}
		if got != tt.want {
			t.Errorf("%s %s: %v, want code %d", tt.rev, rawjson.Excerpt([]byte(tt.params)), problems, tt.want)
		}
	}
	_, many := ParseSampling(Rev20251125, []byte(`{"messages":[`+strings.Repeat("7,", 5000)+`7]}`))
	if len(many) != MaxProblems {
		t.Errorf("%d problems are told", len(many))
	}
}

func TestTheAnswerToSampling(t *testing.T) {
	requirements.Rows(t, "SMP-30", "SMP-39")
	for _, tt := range []struct {
		rev    Revision
		answer SamplingAnswer
		want   string // empty: refused
	}{
		{Rev20251125, SamplingAnswer{Text: `a "b"`}, `{"role":"assistant","content":{"type":"text","text":"a \"b\""},"model":"human","stopReason":"endTurn"}`},
		{Rev20241105, SamplingAnswer{Text: "x", Model: "m", StopReason: "maxTokens"}, `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m","stopReason":"maxTokens"}`},
		{Rev20251125, SamplingAnswer{Content: []byte(`[{"type":"x"}]`)}, `{"role":"assistant","content":[{"type":"x"}],"model":"human","stopReason":"endTurn"}`},
		{Rev20250618, SamplingAnswer{Content: []byte(` [{"type":"x"}] `)}, `{"role":"assistant","content":{"type":"x"},"model":"human","stopReason":"endTurn"}`},
		{Rev20250618, SamplingAnswer{Content: []byte(`[{},{}]`)}, ""},
		{Rev20250618, SamplingAnswer{Content: []byte(`[]`)}, ""},
		{Rev20251125, SamplingAnswer{Content: []byte(`{`)}, ""},
	} {
		got, err := tt.answer.Result(tt.rev)
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s %+v: %s, %v", tt.rev, tt.answer, got, err)
		}
	}
}

func TestAnAnswerToSamplingIsChecked(t *testing.T) {
	requirements.Rows(t, "SMP-25")
	tools := []SamplingTool{{Name: "look"}}
	text, use := `{"type":"text","text":"x"}`, `{"type":"tool_use","id":"1","name":"look","input":{}}`
	for _, tt := range []struct {
		rev     Revision
		choice  string
		content string
		want    string // in the error; empty: fine
	}{
		{Rev20251125, "", text, ""},
		{Rev20251125, "auto", use, ""},
		{Rev20251125, "required", text, "requires a tool use"},
		{Rev20251125, "required", "[" + text + "," + use + "]", ""},
		{Rev20251125, "none", use, "no tool use"},
		{Rev20251125, "none", text, ""},
		{Rev20251125, "", `{"type":"tool_use","id":"1","name":"other"}`, `no tool called "other"`},
		{Rev20250618, "", "[" + text + "]", "single block"},
		{Rev20251125, "", `"x"`, "needs content"},
		{Rev20251125, "", `{}`, "needs a type"},
		{Rev20251125, "", `[7]`, "needs a type"},
	} {
		err := CheckSamplingResult(tt.rev, Sampling{Tools: tools, ToolChoice: tt.choice}, []byte(` {"role":"assistant","model":"human","content":`+tt.content+`}`))
		if got := fmt.Sprint(err); (err != nil) != (tt.want != "") || !strings.Contains(got, tt.want) && err != nil {
			t.Errorf("%s %q %s: %v", tt.rev, tt.choice, tt.content, err)
		}
	}
	for _, bad := range []string{`[]`, `{`, `{"content":` + text + `}`, `{"role":"assistant","content":` + text + `}`} {
		if CheckSamplingResult(Rev20251125, Sampling{}, []byte(bad)) == nil {
			t.Errorf("%s passes", bad)
		}
	}
}

// A request that consists of very many small parts takes no more memory than a
// few times its own size, and no more time than it takes to read.
func TestHostileSamplingRequestsStaySmall(t *testing.T) {
	use := `{"type":"tool_use","id":"%d","name":"t","input":{}}`
	result := `{"type":"tool_result","toolUseId":"%d","content":[]}`
	uses, results := make([]string, 4000), make([]string, 4000)
	for i := range uses {
		uses[i], results[i] = fmt.Sprintf(use, i), fmt.Sprintf(result, len(uses)-1-i)
	}
	list := func(role string, blocks []string) string {
		return `{"role":"` + role + `","content":[` + strings.Join(blocks, ",") + `]}`
	}
	_, problems := ParseSampling(Rev20251125, []byte(`{"maxTokens":1,"messages":[`+list("assistant", uses)+","+list("user", results)+`]}`))
	if len(problems) != 0 {
		t.Errorf("results in another order are wrong: %v", problems)
	}
	for _, messages := range []string{
		strings.Repeat(`{},`, 500_000) + `{}`,
		`{"role":"user","content":[` + strings.Repeat(`{},`, 500_000) + `{}]}`,
		`{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[` + strings.Repeat(`7,`, 500_000) + `7]}]}`,
	} {
		s, problems := ParseSampling(Rev20251125, []byte(`{"maxTokens":1,"messages":[`+messages+`]}`))
		blocks := 0
		for _, m := range s.Messages {
			blocks += 1 + len(m.Content)
			for _, c := range m.Content {
				blocks += len(c.Result)
			}
		}
		if blocks > MaxParts || len(problems) > MaxProblems || len(problems) == 0 {
			t.Errorf("%d parts, %d problems", blocks, len(problems))
		}
	}
}
