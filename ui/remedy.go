package ui

import (
	"errors"
	"strings"

	"belay/internal/safe"
	"belay/session"
)

// remedy is how something is done here.
type remedy struct {
	words safe.Text // REVISION stands for the one that is meant
	here  bool      // it can be done only while belay runs
}

// remedies are the keys and commands of the screen, and the options that it is
// started with, for all that the session knows to help.
var remedies = [session.NumRemedies]remedy{
	session.RemedyRestart:   {":restart starts the server again", true},
	session.RemedyReconnect: {":restart connects again", true},
	session.RemedyRestartIn: {":restart REVISION uses one that it lists", true},
	session.RemedyWait:      {"wait, then :restart", true},
	session.RemedyLeave:     {":disconnect leaves", true},
	session.RemedyReload:    {":reload fetches the lists again", true},
	session.RemedyRepeat:    {"r makes the call again", true},
	session.RemedyDeclare:   {"r declares it and makes the call again", true},
	session.RemedyWire:      {"the wire pane shows what came", true},

	session.RemedyAuto:             {"--protocol auto finds out what it speaks", false},
	session.RemedyPin:              {"try --protocol REVISION", false},
	session.RemedyHandshake:        {"--protocol REVISION tries the handshake instead", false},
	session.RemedyHeader:           {"give what it wants with --header 'Authorization: …'", false},
	session.RemedyBasic:            {"give what it wants with --header 'Authorization: Basic …', which is base64 of NAME:PASSWORD", false},
	session.RemedyToken:            {"a token of your own goes with --header 'Authorization: Bearer …'", false},
	session.RemedyClient:           {"a client that you have registered goes with --client-id, a token of your own with --header 'Authorization: Bearer …'", false},
	session.RemedyLimit:            {"--max-message raises the limit", false},
	session.RemedyAllowSampling:    {"leave out --no-sampling, which keeps belay from declaring it", false},
	session.RemedyAllowElicitation: {"leave out --no-elicitation, which keeps belay from declaring it", false},
	session.RemedyAllowForms:       {"leave out --no-forms, which keeps belay from declaring it", false},
	session.RemedyAllowURLs:        {"leave out --no-urls, which keeps belay from declaring it", false},
}

// remedyWords say how to do what helps; empty: nothing is known.
func remedyWords(r session.Remedy) safe.Text {
	words := string(remedies[r.Kind].words)
	if words == "" {
		return ""
	}
	rev := safe.LineN(string(r.Revision), 20)
	if rev == "" {
		rev = "with a revision that both sides speak"
	}
	return safe.Text(strings.ReplaceAll(words, "REVISION", string(rev)))
}

// remedied is what is told of a trouble, with what can be done about it.
func remedied(text safe.Text, r session.Remedy) safe.Text {
	words := remedyWords(r)
	if text != "" && words != "" {
		text += "; "
	}
	return text + words
}

// noted is the note of a row, with what can be done about it.
func noted(r session.Row) safe.Text { return remedied(safe.Line(r.Note), r.Remedy) }

// errorWords say why something was refused or failed.
func errorWords(err error) safe.Text {
	var r *session.Refusal
	if errors.As(err, &r) {
		return remedied(safe.Line(r.Text), r.Remedy)
	}
	return safe.Line(err.Error())
}
