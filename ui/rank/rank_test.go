package rank

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func names(query string, list ...string) string {
	var texts []Text
	for _, l := range list {
		name, rest, _ := strings.Cut(l, "|")
		about, uri, _ := strings.Cut(rest, "|")
		texts = append(texts, Of(name, "", about, uri))
	}
	var out []string
	for _, i := range Order(query, texts) {
		name, _, _ := strings.Cut(list[i], "|")
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestOrder(t *testing.T) {
	for _, tt := range []struct{ name, query, in, want string }{
		{"nothing typed keeps the order", "", "b a c", "b a c"},
		{"exact before prefix", "echo", "echo_all my_echo echo", "echo echo_all my_echo"},
		{"prefix before the middle", "get", "forget widget get_roots", "get_roots forget widget"},
		{"a word before the middle of one", "run", "prune long_run", "long_run prune"},
		{"letters in order", "tlro", "trigger_long_running_operation tool", "trigger_long_running_operation"},
		{"names before descriptions", "add", "sum|add_two_numbers ladder", "ladder sum"},
		{"case does not matter", "ECHO", "Echo", "Echo"},
		{"what does not fit is left out", "zz", "echo|says_it_again", ""},
		{"an address before descriptions", "o://bell", "strike|strikes_demo://bell tower||demo://bell/tower bell||demo://bell", "tower bell strike"},
		{"the whole address before all", "demo://bell", "demo://bells||x tower||demo://bell/tower bell||Demo://Bell", "bell demo://bells tower"},
		{"names before addresses", "demo", "bell||demo://bell demolish", "demolish bell"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := names(tt.query, strings.Fields(tt.in)...); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A search that nobody waits for ends.
func TestASearchEnds(t *testing.T) {
	things := make([]Text, 10*atATime)
	for i := range things {
		things[i] = Of("echo", "", "", "")
	}
	looked := 0
	ctx, end := context.WithCancel(t.Context())
	Looked = func(n int) {
		if looked += n; looked == 2*atATime*len("echo") {
			end()
		}
	}
	defer func() { Looked = nil }()
	if order, ok := Search(ctx, "e", things); ok || order != nil || looked > 3*atATime*len("echo") {
		t.Errorf("%d bytes are looked at", looked)
	}
	Looked = nil
	if order, ok := Search(t.Context(), "e", things); !ok || len(order) != len(things) {
		t.Errorf("%d are found", len(order))
	}
}

func BenchmarkOrder(b *testing.B) {
	var texts []Text
	for i := range 10_000 {
		texts = append(texts, Of(fmt.Sprintf("tool_number_%d", i), "", strings.Repeat("a long description ", 10), ""))
	}
	for b.Loop() {
		Order("numb9", texts)
	}
}
