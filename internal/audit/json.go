package audit

import (
	"bytes"
	"encoding/json"

	"belay/internal/safe"
)

// version is that of the document. It grows when a field changes its meaning or is left out, and
// not with a new field.
const version = 1

// The report as JSON; docs/audit.md tells of it.
type document struct {
	Format   string      `json:"format"`
	Version  int         `json:"version"`
	Schema   int         `json:"schema"` // the version, by the name that it had at first
	Server   safe.Text   `json:"server"`
	Tool     safe.Text   `json:"tool"`
	Over     string      `json:"transport"`
	Revision string      `json:"revision"`
	TookMS   int64       `json:"tookMs,omitempty"`
	Stopped  safe.Text   `json:"stopped,omitempty"`
	Notes    []safe.Text `json:"notes,omitempty"`
	FailOn   string      `json:"failOn"`
	Exit     int         `json:"exit"`
	Grade    string      `json:"grade"`
	Counts   countsJSON  `json:"counts"`
	Checks   []checkJSON `json:"checks"`
}

type countsJSON struct {
	Passed       int `json:"passed"`
	FailedMust   int `json:"failedMust"`
	FailedShould int `json:"failedShould"`
	FailedNone   int `json:"failedNone"`
	Unseen       int `json:"unseen"`
	Skipped      int `json:"skipped"`
	Noted        int `json:"noted"`
}

type checkJSON struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Outcome string    `json:"outcome"` // pass, fail, unseen, skipped, noted
	Level   string    `json:"level,omitempty"`
	Page    string    `json:"page,omitempty"`
	Rule    string    `json:"rule,omitempty"`
	Tried   int       `json:"tried"`
	Decided int       `json:"decided"`
	Why     safe.Text `json:"why"`
}

var outcomeIDs = [...]string{Skipped: "skipped", Unseen: "unseen", Pass: "pass", Noted: "noted", Fail: "fail"}

func (r *Report) json(on FailOn) []byte {
	o, n := r.Observed, r.Counts()
	d := document{
		Format: "belay-audit", Version: version, Schema: version,
		Server: reason(o.Server), Over: o.Transport.String(), Revision: string(o.Revision),
		Tool: reason(o.Tool), TookMS: o.Took.Milliseconds(),
		Stopped: reason(o.Stopped), FailOn: on.String(), Exit: r.Exit(on), Grade: r.Grade(),
		Counts: countsJSON{n.Passed, n.FailedMust, n.FailedShould, n.FailedNone, n.Unseen, n.Skipped, n.Noted},
	}
	for _, note := range o.Notes {
		d.Notes = append(d.Notes, reason(note))
	}
	for _, l := range r.Lines {
		c := checkJSON{
			ID: l.Check.ID, Name: l.Check.Name(), Page: l.Duty.Page, Rule: l.Duty.Rule,
			Outcome: outcomeIDs[l.Outcome], Tried: l.Tried, Decided: l.Decided, Why: l.Why,
		}
		if l.Duty.Level > None {
			c.Level = l.Duty.Level.String()
		}
		d.Checks = append(d.Checks, c)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	_ = e.Encode(d)
	return silenced(b.Bytes(), `\u005b`)
}
