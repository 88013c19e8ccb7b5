package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const asksAll = `{"elicitation":{"form":{},"url":{}},"sampling":{}}`

// requests are what the server has asked so far.
func (p *peer) requests() (found []message) {
	for _, m := range p.all() {
		if m.Method != "" && m.ID != nil {
			found = append(found, m)
		}
	}
	return found
}

// asked is the only request of the server's.
func (p *peer) asked(method string) message {
	p.t.Helper()
	synctest.Wait()
	all := p.requests()
	if len(all) != 1 || all[0].Method != method {
		p.t.Fatalf("asked: %+v, want one %s", all, method)
	}
	return all[0]
}

// withdrawn are the cancels that the server has sent: the ID, and the reason.
func (p *peer) withdrawn() (found []string) {
	for _, m := range p.all() {
		if m.Method == "notifications/cancelled" {
			params := decode[struct {
				RequestID json.RawMessage
				Reason    string
			}](p.t, m.Params)
			found = append(found, string(params.RequestID)+" "+params.Reason)
		}
	}
	return found
}

func (p *peer) reply(m message, result string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	synctest.Wait()
}

func TestAskFormHasEveryKindOfField(t *testing.T) {
	for revision, kinds := range map[string]string{
		"2025-06-18": "string string+email string+uri string+date string+date-time integer number boolean enum array:false oneOf:false",
		"2025-11-25": "string string+email string+uri string+date string+date-time integer number boolean enum array:true oneOf:true",
	} {
		t.Run(revision, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := beginWith(t, revision, asksAll)
				p.call(1, "ask_form", `{"message":"Which?"}`, "")
				ask := p.asked("elicitation/create")
				params := decode[struct {
					Message         string
					RequestedSchema struct {
						Type       string
						Properties map[string]struct {
							Type, Format string
							Enum         []string
							OneOf        []any
							Default      any
						}
						Required []string
					}
				}](t, ask.Params)
				seen := map[string]bool{}
				for _, f := range params.RequestedSchema.Properties {
					kind := f.Type
					if f.Format != "" {
						kind += "+" + f.Format
					}
					seen[kind] = true
					seen["enum"] = seen["enum"] || f.Enum != nil
					seen["oneOf:true"] = seen["oneOf:true"] || f.OneOf != nil
					if revision == "2025-06-18" && f.Default != nil && f.Type != "boolean" {
						t.Errorf("a default of a %s, which came later", f.Type)
					}
				}
				for kind := range strings.FieldsSeq(kinds) {
					name, want := kind, true
					if k, yes, ok := strings.Cut(kind, ":"); ok {
						name, want = k, yes == "true"
						if name == "oneOf" {
							name = "oneOf:true"
						}
					}
					if seen[name] != want {
						t.Errorf("%s: %v", name, seen[name])
					}
				}
				if params.Message != "Which?" || len(params.RequestedSchema.Required) == 0 {
					t.Errorf("%+v", params)
				}
				p.reply(ask, `{"action":"accept","content":{"name":"Pequod","rig":"ketch","crew":30}}`)
				if got := p.answer("1").tool(t); got.IsError || !strings.Contains(got.Content[0].Text, `"crew":30`) {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}

func TestTheThreeAnswersToAQuestion(t *testing.T) {
	for action, want := range map[string]string{"decline": "You declined.", "cancel": "You left it without a choice."} {
		inBubble(t, func(t *testing.T) {
			p := beginWith(t, "2025-11-25", asksAll)
			p.call(1, "ask_form", `{}`, "")
			p.reply(p.asked("elicitation/create"), fmt.Sprintf(`{"action":%q}`, action))
			if got := p.answer("1").tool(t); got.IsError || got.Content[0].Text != want {
				t.Errorf("%+v", got)
			}
		})
	}
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25") // a client that declares nothing
		for id, tool := range []string{"ask_form", "ask_url", "ask_twice", "ask_then_withdraw"} {
			p.call(id+1, tool, `{}`, "")
			synctest.Wait()
			if !p.answer(fmt.Sprint(id + 1)).tool(t).IsError {
				t.Errorf("%s does not say that it cannot ask", tool)
			}
		}
		if n := len(p.requests()); n != 0 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestAskURLTellsWhenItIsComplete(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-11-25", asksAll)
		p.call(1, "ask_url", `{"url":"https://a.b/c","complete_after":2}`, "")
		ask := p.asked("elicitation/create")
		params := decode[struct{ Mode, URL, ElicitationID string }](t, ask.Params)
		if params.Mode != "url" || params.URL != "https://a.b/c" || params.ElicitationID == "" {
			t.Errorf("%+v", params)
		}
		p.reply(ask, `{"action":"accept"}`)
		time.Sleep(2*time.Second - 1)
		synctest.Wait()
		if n := len(p.all()); n != 2 {
			t.Errorf("%d lines before its time", n)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if notes := p.notes("notifications/elicitation/complete"); len(notes) != 1 || !strings.Contains(string(notes[0].Params), params.ElicitationID) {
			t.Errorf("%+v", notes)
		}
		p.answer("1")
	})
}

// notes are the notifications of a method that came so far.
func (p *peer) notes(method string) (found []message) {
	for _, m := range p.all() {
		if m.Method == method {
			found = append(found, m)
		}
	}
	return found
}

func TestQuestionsAreTakenBack(t *testing.T) {
	for tool, method := range map[string]string{"ask_then_withdraw": "elicitation/create", "sample_then_withdraw": "sampling/createMessage"} {
		t.Run(tool, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := beginWith(t, "2025-11-25", asksAll)
				p.call(1, tool, `{"seconds":3,"reason":"wrong tide"}`, "")
				ask := p.asked(method)
				time.Sleep(3*time.Second - 1)
				synctest.Wait()
				if got := p.withdrawn(); len(got) != 0 {
					t.Fatalf("too early: %v", got)
				}
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				if got := p.withdrawn(); len(got) != 1 || got[0] != string(ask.ID)+" wrong tide" {
					t.Errorf("withdrawn: %q", got)
				}
				if got := p.answer("1").tool(t); got.IsError || got.Content[0].Text != "Taken back: wrong tide." {
					t.Errorf("%+v", got)
				}
				all := p.all()
				if last := all[len(all)-1]; string(last.ID) != "1" || all[len(all)-2].Method != "notifications/cancelled" {
					t.Errorf("the answer does not follow the withdrawal: %s", last.line)
				}
			})
		})
		t.Run(tool+", answered in time", func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := beginWith(t, "2025-11-25", asksAll)
				p.call(1, tool, `{"seconds":3}`, "")
				ask := p.asked(method)
				time.Sleep(time.Second)
				if method == "elicitation/create" {
					p.reply(ask, `{"action":"accept","content":{"order":"tea"}}`)
				} else {
					p.reply(ask, `{"role":"assistant","model":"human","content":{"type":"text","text":"Ahoy."}}`)
				}
				if got := p.answer("1").tool(t); !strings.Contains(got.Content[0].Text, "answered") {
					t.Errorf("%+v", got)
				}
				sleepLong()
				if got := p.withdrawn(); len(got) != 0 {
					t.Errorf("withdrawn after the answer: %v", got)
				}
			})
		})
	}
}

// A call that is cancelled takes its question with it, and says no more.
func TestACancelledCallWithdrawsItsQuestions(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-11-25", asksAll)
		p.call(1, "ask_twice", `{}`, "")
		synctest.Wait()
		if n := len(p.requests()); n != 2 {
			t.Fatalf("%d requests at the same time", n)
		}
		p.cancel(1, "enough")
		sleepLong()
		got := p.withdrawn()
		if len(got) != 2 || got[0] == got[1] || !strings.HasSuffix(got[0], "the call that asked was cancelled") {
			t.Errorf("withdrawn: %q", got)
		}
		if n := len(p.answers("1")); n != 0 {
			t.Errorf("%d answers to the cancelled call", n)
		}
	})
}

func TestAskTwiceTakesBothAnswers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-11-25", asksAll)
		p.call(1, "ask_twice", `{}`, "")
		synctest.Wait()
		for _, ask := range p.requests() {
			field := "to"
			if strings.Contains(string(ask.Params), `"from"`) {
				field = "from"
			}
			p.reply(ask, fmt.Sprintf(`{"action":"accept","content":{%q:"there"}}`, field))
		}
		if got := p.answer("1").tool(t); len(got.Content) != 2 || !strings.Contains(got.Content[0].Text, "from") || !strings.Contains(got.Content[1].Text, "to") {
			t.Errorf("%+v", got)
		}
	})
}

func TestSummariseAsksForAModel(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-11-25", asksAll)
		p.call(1, "summarise", `{"text":"A long story."}`, "")
		ask := p.asked("sampling/createMessage")
		params := decode[struct {
			SystemPrompt string
			MaxTokens    int
			Messages     []struct {
				Role    string
				Content struct{ Type, Text string }
			}
		}](t, ask.Params)
		if params.SystemPrompt == "" || params.MaxTokens == 0 || len(params.Messages) != 1 || !strings.Contains(params.Messages[0].Content.Text, "A long story.") {
			t.Errorf("%+v", params)
		}
		p.reply(ask, `{"role":"assistant","model":"human","content":{"type":"text","text":"A story."},"stopReason":"endTurn"}`)
		if got := p.answer("1").tool(t); got.Content[0].Text != "human answered: A story." {
			t.Errorf("%+v", got)
		}
	})
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-11-25", asksAll)
		p.call(1, "summarise", `{}`, "")
		p.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"User rejected sampling request"}}`, p.asked("sampling/createMessage").ID)
		synctest.Wait()
		if got := p.answer("1").tool(t); !got.IsError || !strings.Contains(got.Content[0].Text, "User rejected") {
			t.Errorf("%+v", got)
		}
	})
}

func TestNeedsLogin(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-11-25", asksAll)
		p.call(1, "needs_login", `{"complete_after":2}`, "")
		synctest.Wait()
		failed := p.answer("1")
		if failed.Error == nil || failed.Error.Code != -32042 || !strings.Contains(failed.line, `"elicitationId":"demo-`) {
			t.Fatalf("%s", failed.line)
		}
		p.call(2, "needs_login", `{"complete_after":3600}`, "")
		synctest.Wait()
		if p.answer("2").Error == nil {
			t.Error("nobody has logged in yet")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := len(p.notes("notifications/elicitation/complete")); n != 1 {
			t.Errorf("%d notices", n)
		}
		p.call(3, "needs_login", `{}`, "")
		synctest.Wait()
		if got := p.answer("3"); got.Error != nil || got.tool(t).IsError {
			t.Errorf("%s", got.line)
		}
	})
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-06-18", asksAll)
		p.call(1, "needs_login", `{}`, "")
		synctest.Wait()
		if !p.answer("1").tool(t).IsError {
			t.Error("that error did not exist yet")
		}
	})
}

func TestQuestionsEndWithTheSession(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := beginWith(t, "2025-11-25", asksAll)
		p.call(1, "ask_form", `{}`, "")
		p.call(2, "ask_then_withdraw", `{"seconds":60}`, "")
		p.call(3, "needs_login", `{"complete_after":60}`, "")
		synctest.Wait()
		lines := len(p.all())
		_ = p.in.Close()
		if err := p.returned(); err != nil {
			t.Errorf("Run: %v", err)
		}
		sleepLong()
		if n := len(p.all()); n != lines {
			t.Errorf("%d lines after the end of the input", n-lines)
		}
	})
}
