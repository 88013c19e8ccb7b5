package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"belay/internal/shell"
)

// figures are those of a report in JSON that the table shows.
type figures struct {
	Transport, Revision, Grade string
	Exit                       int
	Counts                     struct{ Passed, FailedMust, FailedShould, FailedNone, Unseen, Skipped int }
	Checks                     []struct{ Name, Outcome, Level string }
}

// failures names the checks that failed at a level, each once.
func (f *figures) failures() string {
	var names []string
	for _, c := range f.Checks {
		if c.Outcome == "fail" && c.Level != "" {
			names = append(names, fmt.Sprintf("%s (%s)", c.Name, c.Level))
		}
	}
	if len(names) == 0 {
		return "–"
	}
	return strings.Join(names, "; ")
}

// page is what is written of one audit: what was audited, how, when; its row of the table;
// and the report as belay wrote it.
func page(s server, args []string, when time.Time, report, numbers []byte, exit int) ([]byte, error) {
	var f figures
	if err := json.Unmarshal(numbers, &f); err != nil {
		return nil, err
	}
	if f.Exit != exit {
		return nil, fmt.Errorf("belay ended with %d, and its report says %d", exit, f.Exit)
	}
	var words []string
	for _, w := range args {
		words = append(words, shell.Quote(loopback.ReplaceAllString(w, "127.0.0.1:8080")))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Audit: %s %s\n\n", s.what, s.version)
	fmt.Fprintf(&b, "%s. What was observed in one run, each check with the rule that it stands on; [all audits](README.md).\n\n", when.Format("2 January 2006"))
	if s.path != "" {
		fmt.Fprintf(&b, "```\nPORT=8080 %s\n", strings.Join(s.command, " "))
	} else {
		b.WriteString("```\n")
	}
	fmt.Fprintf(&b, "belay %s\n```\n\n%s%s\n", strings.Join(words, " "), header, row(s, &f, when))
	// The report has a heading of its own, one level up.
	b.Write(bytes.Replace(report, []byte("# How"), []byte("## How"), 1))
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n'), nil
}

var loopback = regexp.MustCompile(`127\.0\.0\.1:\d+`)

const header = "| audited | version | spoken | grade | exit | passed | failed | not seen or skipped | date |\n| --- | --- | --- | --- | ---: | ---: | --- | ---: | --- |\n"

// row is the row of an audit in the table.
func row(s server, f *figures, when time.Time) string {
	return fmt.Sprintf("| [%s](%s.md) | %s | %s · %s | %s | %d | %d | %s | %d | %s |\n", s.what, s.name, s.version,
		f.Transport, f.Revision, f.Grade, f.Exit, f.Counts.Passed, f.failures(), f.Counts.Unseen+f.Counts.Skipped, when.Format(time.DateOnly))
}

const intro = `# Audits of servers

What ` + "`belay audit`" + ` saw of servers that others have written, and of small ones on SDKs of others, each with one tool that takes two
seconds. A page says what was observed in one run, and which rule of the specification that concerns; it is no judgement of anything
else. *Failed* names the checks that failed, with the level of the duty. What could not be seen did not pass: see [audit.md](../audit.md).
A tool that ignores its cancel is audited on purpose: it shows what an SDK does by itself.

Made by ` + "`go run ./internal/repocheck/realaudits`" + `, which installs the servers, pinned.

`

// writeIndex writes the table of all pages, from the row that each of them has.
func writeIndex(dir string) error {
	var b bytes.Buffer
	b.WriteString(intro + header)
	for _, s := range servers {
		text, err := os.ReadFile(filepath.Join(dir, s.name+".md"))
		if err != nil {
			return err
		}
		line, err := rowOf(s, text)
		if err != nil {
			return err
		}
		b.WriteString(line)
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), b.Bytes(), 0o644)
}

// rowOf is the row of the table on a page.
func rowOf(s server, page []byte) (string, error) {
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, fmt.Sprintf("| [%s](%s.md) | %s |", s.what, s.name, s.version)) {
			return line, nil
		}
	}
	return "", errors.New(s.name + ".md has no row of this server and version: audit it again")
}
