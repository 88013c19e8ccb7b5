package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/form"
)

// The form of every schema that was taken from a server is drawn at the least size
// that must look right, with a cursor wherever the focus goes, also in what is
// opened on the way.
func TestTheFormsOfTheCorpus(t *testing.T) {
	most := 60 // of the rows that are walked through
	if raceDetector {
		most = 15
	}
	files, err := filepath.Glob("../internal/form/testdata/schemas/*/*/*.json")
	made, _ := filepath.Glob("../internal/form/testdata/schemas/made/*.json")
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
			connected(t, 80, 24, Options{}, func(w *harness) {
				f := w.form(string(raw))
				look(t, w, 80, 24, "a form")
				for i := 0; i < most && i < len(f.Fields.Form().Rows()); i++ {
					n := f.Fields.Focus().Node
					if f.Fields.Focus().Part == form.Value && n.Holds() && !n.IsSet() && n.Up() != nil && depth(n) < 6 {
						w.press("space")
					}
					look(t, w, 80, 24, "a form")
					if w.m.seen.Cursor == nil {
						t.Fatalf("no cursor:\n%s", w.screen())
					}
					w.press("tab")
				}
				w.press("ctrl+g")
				look(t, w, 80, 24, "a form")
			})
		})
	}
}

func depth(n *form.Node) (d int) {
	for ; n.Up() != nil; n = n.Up() {
		d++
	}
	return d
}
