package mcp

import (
	"slices"
	"strings"
	"testing"

	"belay/session/sentence"
)

// The texts of a result with isError, and whether it holds nothing besides.
func TestWhatAnErrorOfAToolSays(t *testing.T) {
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	const image = `{"type":"image","data":"AAAA","mimeType":"image/png"}`
	for result, want := range map[string]*ErrorTexts{
		`{"isError":true,"content":[` + text("gone") + `]}`:                                                 {[]string{"gone"}, true},
		`{"content":[` + text("gone") + `,` + text("") + `,` + text(" ") + `],"isError":true}`:              {[]string{"gone"}, true},
		`{"isError":true,"content":[` + text("") + `,` + text("gone") + `,` + text("again") + `]}`:          {[]string{"gone", "again"}, true},
		`{"isError":true,"content":[` + text("gone") + `,` + image + `]}`:                                   {[]string{"gone"}, false},
		`{"isError":true,"content":[` + image + `,` + text("gone") + `]}`:                                   {[]string{"gone"}, false},
		`{"isError":true,"content":[` + text("gone") + `,{"type":"text","text":5}]}`:                        {[]string{"gone"}, false},
		`{"isError":true,"content":[` + text("gone") + `],"structuredContent":{"rows":3}}`:                  {[]string{"gone"}, false},
		`{"isError":true,"structuredContent":[],"content":[` + text("gone") + `]}`:                          {[]string{"gone"}, false},
		`{"isError":true,"content":[` + text("gone") + `],"structuredContent":{}}`:                          {[]string{"gone"}, true},
		`{"isError":true,"content":[` + text("gone") + `],"structuredContent":null}`:                        {[]string{"gone"}, true},
		`{"isError":true,"content":[` + strings.TrimSuffix(strings.Repeat(text("gone")+",", 5), ",") + `]}`: {slices.Repeat([]string{"gone"}, 4), false},
		`{"isError":true,"content":[` + text(strings.Repeat("x", sentence.Limit+1)) + `]}`:                  {[]string{strings.Repeat("x", sentence.Limit) + "…"}, false},
		`{"isError":true,"content":[` + text("") + `]}`:                                                     nil,
		`{"isError":true,"content":[]}`:                                                                     nil,
		`{"isError":false,"content":[` + text("gone") + `]}`:                                                nil,
	} {
		got := answer(result).Shape.ErrorTexts
		if (got == nil) != (want == nil) || got != nil && (got.Whole != want.Whole || !slices.Equal(got.Texts, want.Texts)) {
			t.Errorf("%s:\n got %+v\nwant %+v", result, got, want)
		}
	}
}

// A short result says in its texts what one with isError would; of a long one a recording may not have them.
func TestWhatAShortResultSays(t *testing.T) {
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	for result, want := range map[string]*ErrorTexts{
		`{"content":[` + text("gone") + `]}`:                                                         {[]string{"gone"}, true},
		`{"isError":false,"content":[` + text("gone") + `]}`:                                         {[]string{"gone"}, true},
		`{"structuredContent":{"rows":3},"content":[` + text("gone") + `]}`:                          {[]string{"gone"}, false},
		`{"structuredContent":{},"content":[` + text("gone") + `]}`:                                  {[]string{"gone"}, true},
		`{"structuredContent":null,"content":[` + text("gone") + `]}`:                                {[]string{"gone"}, true},
		`{"isError":true,"content":[` + text("gone") + `]}`:                                          nil,
		`{"content":[` + text("gone") + `],"_meta":{"x":"` + strings.Repeat("x", HollowFrom) + `"}}`: nil,
		`{"content":"gone"}`:                         nil,
		`{"contents":[{"uri":"a:b","text":"gone"}]}`: nil,
		`{}`: nil,
	} {
		got := answer(result).BriefTexts()
		if (got == nil) != (want == nil) || got != nil && (got.Whole != want.Whole || !slices.Equal(got.Texts, want.Texts)) {
			t.Errorf("%.200s:\n got %+v\nwant %+v", result, got, want)
		}
	}
	if f := Decode([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"gone"}}`)); f.BriefTexts() != nil {
		t.Error("an error has texts of a result")
	}
}
