package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"belay/ui/form"
)

// The form of every schema that was taken from a server is drawn at the least size
// that must look right: what has the focus is in view wherever it goes, also in
// what is opened on the way.
func TestTheFormsOfTheCorpus(t *testing.T) {
	files, err := filepath.Glob("form/testdata/schemas/*/*/*.json")
	made, _ := filepath.Glob("form/testdata/schemas/made/*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d schemas: %v", len(files), err)
	}
	for _, file := range append(files, made...) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(filepath.Base(filepath.Dir(file))+"/"+name, func(t *testing.T) {
			connected(t, 80, 24, Options{}, func(w *world) {
				f := w.form(string(raw))
				look(t, w, 80, 24, "a form")
				const most = 60 // of the rows that are walked through
				for i := 0; i < most && i < len(f.form.Rows()); i++ {
					n := f.focus.Node
					if f.focus.Part == form.Value && n.Holds() && !n.Set() && n.Up() != nil && f.form.Rows()[f.at()].Depth < 6 {
						w.press("space")
					}
					look(t, w, 80, 24, "a form")
					at := w.m.frame.Cursor
					if at == nil {
						t.Fatalf("no cursor:\n%s", w.screen())
					}
					above := strings.Join(strings.Split(w.screen(), "\n")[:at.Y+1], "\n")
					if want := string(label(f.focus)); !strings.Contains(above, ansi.Truncate(want, 3, "")) {
						t.Errorf("%q is not in view:\n%s", want, w.screen())
					}
					w.press("tab")
				}
				w.press("ctrl+g")
				look(t, w, 80, 24, "a form")
			})
		})
	}
}

// Names that are too long are cut where they can still be told apart, and one that
// is blank is seen.
func TestNamesOfFields(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *world) {
		w.form(`{"properties":{"maximum_number_of_tokens":{"type":"string"},"maximum_number_of_tokens_per_url":{"type":"string"},"":{"type":"string"}," ":{}}}`)
		w.sees("maximum_num…r_of_tokens ", "maximum_num…ens_per_url ", `│ "" `, `│ " " `)
	})
}
