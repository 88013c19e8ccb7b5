package audit

import (
	"encoding/xml"

	"belay/internal/safe"
)

// The report as JUnit's XML, in the part of it that every reader knows. How many were skipped
// stands with the suite alone: the schema of Jenkins knows no such number above it.
type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suite    suite    `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testcase `xml:"testcase"`
}

type property struct {
	Name  string    `xml:"name,attr"`
	Value safe.Text `xml:"value,attr"`
}

type testcase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Failure *failure  `xml:"failure,omitempty"`
	Error   *failure  `xml:"error,omitempty"`
	Skipped *skipping `xml:"skipped,omitempty"`
	Out     safe.Text `xml:"system-out,omitempty"`
}

type failure struct {
	Message safe.Text `xml:"message,attr"`
	Type    string    `xml:"type,attr"`
	Text    safe.Text `xml:",chardata"`
}

type skipping struct {
	Message safe.Text `xml:"message,attr"`
}

func (r *Report) junit(on FailOn) []byte {
	s := suite{Name: "belay audit " + string(reason(r.Observed.Tool)), Tests: len(r.Lines)}
	for _, p := range append(r.heading(), pair{"grade", safe.Text(r.Grade())}) {
		s.Properties = append(s.Properties, property{p.Name, p.Text})
	}
	for i := range r.Lines {
		l := &r.Lines[i]
		c := testcase{Class: "belay.audit." + situationNames[l.Check.Situation], Name: l.Check.Name()}
		why := l.Why
		if n := l.tries(); n != "" {
			why = safe.Text(n+": ") + why
		}
		switch {
		case l.fails(on):
			s.Failures++
			c.Failure = &failure{Message: why, Type: l.Duty.Level.String(), Text: safe.Text(l.Duty.Rule)}
		case l.Outcome == Pass:
			c.Out = why
		case l.Outcome == Noted:
			c.Out = safe.Text("noted, as no rule asks for it: ") + why
		default:
			s.Skipped++
			words := safe.Text(l.Outcome.String() + ": ")
			if l.Outcome == Fail {
				words = safe.Text("fails, and that is below --fail-on " + on.String() + ": ")
			}
			c.Skipped = &skipping{words + why}
		}
		s.Cases = append(s.Cases, c)
	}
	if early := r.Observed.Stopped; early != "" {
		s.Tests, s.Errors = s.Tests+1, 1
		s.Cases = append(s.Cases, testcase{Class: "belay.audit", Name: "the audit ended early", Error: &failure{Message: reason(early), Type: "early"}})
	}
	b, err := xml.MarshalIndent(suites{Name: "belay audit", Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Suite: s}, "", "  ")
	if err != nil {
		return []byte(xml.Header + "<testsuites/>\n")
	}
	return silenced(append([]byte(xml.Header), append(b, '\n')...), "&#91;")
}
