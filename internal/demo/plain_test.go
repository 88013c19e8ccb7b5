package demo

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strings"
	"testing"
	"testing/synctest"
)

func TestBigHasTheSizeAskedFor(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "big", `{}`, "")
		p.call(2, "big", `{"megabytes":3}`, "")
		p.call(3, "big", `{"megabytes":65}`, "")
		synctest.Wait()
		for id, want := range map[string]int{"1": 1 << 20, "2": 3 << 20} {
			if got := len(p.answer(id).tool(t).Content[0].Text); got != want {
				t.Errorf("%d bytes, want %d", got, want)
			}
		}
		if !p.answer("3").tool(t).IsError {
			t.Error("65 MiB were not refused")
		}
	})
}

func TestFailFailsInBothWays(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "fail", `{}`, "")
		p.call(2, "fail", `{"how":"protocol_error"}`, "")
		synctest.Wait()
		if !p.answer("1").tool(t).IsError {
			t.Error("no isError")
		}
		if got := p.answer("2"); got.Error == nil || got.Error.Code != -32603 {
			t.Errorf("no JSON-RPC error: %s", got.line)
		}
	})
}

func TestCrashExitsWithLastWords(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		synctest.Wait()
		before := strings.Count(p.stderr.String(), "\n")
		p.call(1, "crash", `{}`, "")
		synctest.Wait()
		p.call(2, "crash", `{"code":42}`, "")
		synctest.Wait()
		if len(p.exits) != 2 || p.exits[0] != 3 || p.exits[1] != 42 {
			t.Errorf("exits %v, want 3 and 42", p.exits)
		}
		if n := strings.Count(p.stderr.String(), "\n") - before; n != 4 {
			t.Errorf("%d lines on stderr for two crashes, want 4", n)
		}
	})
}

func TestEchoReturnsItsArguments(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "echo", `{"text":"<ahoy> é\u0007"}`, "")
		p.call(2, "echo", `{"text":"ahoy","count":2,"loud":true,"style":"quoted"}`, "")
		p.call(3, "echo", `{}`, "")
		p.call(4, "echo", `{"text":"ahoy","style":"baroque"}`, "")
		synctest.Wait()
		one := p.answer("1").tool(t)
		args := decode[map[string]any](t, json.RawMessage(one.Content[1].Text))
		if one.Content[0].Text != "<ahoy> é\a" || args["text"] != "<ahoy> é\a" || args["count"] != 1.0 || args["loud"] != false || args["style"] != "plain" {
			t.Errorf("%+v", one)
		}
		if got := p.answer("2").tool(t).Content[0].Text; got != "“AHOY”\n“AHOY”" {
			t.Errorf("%q", got)
		}
		for _, id := range []string{"3", "4"} {
			if !p.answer(id).tool(t).IsError {
				t.Errorf("arguments of call %s were not refused", id)
			}
		}
	})
}

func TestPrompts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		get := func(id int, name, args string) {
			p.send(`{"jsonrpc":"2.0","id":%d,"method":"prompts/get","params":{"name":%q,"arguments":%s}}`, id, name, args)
		}
		p.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)
		get(2, "welcome", `{}`)
		get(3, "explain_verdict", `{"verdict":"answered late"}`)
		get(4, "explain_verdict", `{"verdict":"quiet","audience":"a captain"}`)
		get(5, "explain_verdict", `{}`)
		get(6, "explain_verdict", `{"verdict":"sunk"}`)
		get(7, "bug_report", `{"server":"s 1.0","tool":"slow"}`)
		get(8, "bug_report", `{"server":"s 1.0"}`)
		synctest.Wait()

		required := map[string][]string{}
		optional := map[string][]string{}
		for _, prompt := range decode[struct {
			Prompts []struct {
				Name, Title, Description string
				Arguments                []struct {
					Name, Description string
					Required          bool
				}
			}
		}](t, p.answer("1").Result).Prompts {
			if prompt.Title == "" || prompt.Description == "" {
				t.Errorf("%s: title or description is missing", prompt.Name)
			}
			for _, a := range prompt.Arguments {
				if a.Required {
					required[prompt.Name] = append(required[prompt.Name], a.Name)
				} else {
					optional[prompt.Name] = append(optional[prompt.Name], a.Name)
				}
			}
		}
		if len(required["explain_verdict"]) != 1 || len(optional["explain_verdict"]) != 1 || len(required["bug_report"]) != 2 {
			t.Errorf("arguments: required %v, optional %v", required, optional)
		}

		for id, want := range map[string]string{"2": "countdown", "3": "newcomer", "4": "a captain", "7": "did not stop"} {
			got := decode[struct {
				Messages []struct {
					Role    string
					Content struct{ Type, Text string }
				}
			}](t, p.answer(id).Result)
			if len(got.Messages) != 1 || got.Messages[0].Role != "user" || !strings.Contains(got.Messages[0].Content.Text, want) {
				t.Errorf("prompt %s: %+v does not say %q", id, got, want)
			}
		}
		for _, id := range []string{"5", "6", "8"} {
			if got := p.answer(id); got.Error == nil || got.Error.Code != -32602 {
				t.Errorf("not refused as invalid: %s", got.line)
			}
		}
	})
}

func TestResources(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)
		p.send(`{"jsonrpc":"2.0","id":2,"method":"resources/templates/list"}`)
		for i, uri := range []string{guideURI, flagURI, "demo://verdicts/answered%20late", "demo://numbers/3", "demo://numbers/0", "demo://verdicts/sunk", "demo://elsewhere"} {
			p.send(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":%q}}`, 10+i, uri)
		}
		synctest.Wait()

		sizes := map[string]int{}
		for _, r := range decode[struct {
			Resources []struct {
				URI, Name, Title, MimeType string
				Size                       int
			}
		}](t, p.answer("1").Result).Resources {
			sizes[r.URI] = r.Size
		}
		templates := decode[struct {
			ResourceTemplates []struct{ URITemplate string }
		}](t, p.answer("2").Result).ResourceTemplates
		if len(sizes) != 3 || len(templates) != 2 {
			t.Fatalf("resources %v, templates %v", sizes, templates)
		}

		type contents struct {
			Contents []struct {
				URI, MimeType, Text string
				Blob                []byte
			}
		}
		read := func(id string) (text string, blob []byte) {
			got := decode[contents](t, p.answer(id).Result)
			if len(got.Contents) != 1 || got.Contents[0].MimeType == "" {
				t.Fatalf("resource %s: %+v", id, got)
			}
			return got.Contents[0].Text, got.Contents[0].Blob
		}
		if text, _ := read("10"); text != guide || sizes[guideURI] != len(text) {
			t.Errorf("guide: %d bytes, listed with %d", len(text), sizes[guideURI])
		}
		_, blob := read("11")
		if img, err := png.Decode(bytes.NewReader(blob)); err != nil || img.Bounds().Dx() != 40 || sizes[flagURI] != len(blob) {
			t.Errorf("flag: %v, %d bytes, listed with %d", err, len(blob), sizes[flagURI])
		}
		if text, _ := read("12"); text != verdicts["answered late"] {
			t.Errorf("verdict: %q", text)
		}
		if text, _ := read("13"); text != "1\n2\n3\n" {
			t.Errorf("numbers: %q", text)
		}
		for _, id := range []string{"14", "15", "16"} {
			if got := p.answer(id); got.Error == nil || got.Error.Message == "" {
				t.Errorf("not refused: %s", got.line)
			}
		}
	})
}
