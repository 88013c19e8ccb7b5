package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/mcp"
)

// BenchmarkForm is a key in a form of 1,000 fields and two of 10,000 options, and
// the frame after it, at 140×40.
func BenchmarkForm(b *testing.B) {
	var p strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&p, `"property%04d":{"type":"string","description":"something","minLength":2,"pattern":"^[a-z]+$"},`, i)
	}
	options := make([]string, 10_000)
	for i := range options {
		options[i] = fmt.Sprintf(`"option %05d"`, i)
	}
	list := strings.Join(options, ",")
	schema := `{"properties":{` + p.String() + `"one":{"enum":[` + list + `]},"many":{"type":"array","items":{"enum":[` + list + `]}}}}`
	back := &memory{wake: make(chan struct{}, 1), s: session.New(session.Config{}, time.Now())}
	m := New(back, Options{})
	m.Update(tea.WindowSizeMsg{Width: 140, Height: 40})
	f := m.compose.NewForm("bench", mcp.Item{Kind: mcp.Tools, Name: "thing", InputSchema: []byte(schema)})
	m.push(f)
	for name, at := range map[string]int{"first": 0, "middle": 500, "one": 1000, "many": 1001} {
		b.Run(name, func(b *testing.B) {
			f.Fields.Edge(false)
			f.Fields.Next(at)
			keys := []tea.KeyPressMsg{keyPress("7"), keyPress("backspace")}
			for i := 0; b.Loop(); i++ {
				m.Update(keys[i%2])
			}
		})
	}
}
