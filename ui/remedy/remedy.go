// Package remedy says how what helps is done here. The session knows what can be
// done about a trouble, but not the keys and commands of the screen that shows it,
// nor the options that it is started with.
package remedy

import (
	"strings"

	"belay/internal/safe"
	"belay/session"
)

// all are the keys and commands of the screen, and the options that it is started
// with, for all that the session knows to help.
var all = [session.NumRemedies]struct {
	words safe.Text // REVISION stands for the one that is meant
	here  bool      // it can be done only while belay runs
}{
	session.RemedyRestart:     {"R or :restart starts the server again", true},
	session.RemedyReconnect:   {"R or :restart connects again", true},
	session.RemedyRestartIn:   {":restart REVISION uses one that it lists", true},
	session.RemedyWait:        {"wait, then R or :restart", true},
	session.RemedyLeave:       {":disconnect leaves", true},
	session.RemedyReload:      {":reload fetches the lists again", true},
	session.RemedyRepeat:      {"r makes the call again", true},
	session.RemedyDeclare:     {"r declares it and makes the call again", true},
	session.RemedyCancelAgain: {"x posts it once more", true},
	session.RemedyWire:        {"the wire pane shows what came", true},
	session.RemedyStopWaiting: {"d stops waiting for it", true},
	session.RemedyAsTask:      {"r makes it again as a task", true},
	session.RemedyPickUp:      {":poll asks for it over the next connection", true},
	session.RemedyListTasks:   {":tasks lists those that the server has", true},

	session.RemedyAuto:             {"--protocol auto finds out what it speaks", false},
	session.RemedyPin:              {"try --protocol REVISION", false},
	session.RemedyHandshake:        {"--protocol REVISION tries the handshake instead", false},
	session.RemedyHeader:           {"give what it wants with --header 'Authorization: …'", false},
	session.RemedyBasic:            {"give what it wants with --header 'Authorization: Basic …', which is base64 of NAME:PASSWORD", false},
	session.RemedyToken:            {"a token of your own goes with --header 'Authorization: Bearer …'", false},
	session.RemedyClient:           {"a client that you have registered goes with --client-id, a token of your own with --header 'Authorization: Bearer …'", false},
	session.RemedyOwnClient:        {"check --client-id, and --client-secret, which is left out where that client has none", false},
	session.RemedyLimit:            {"--max-message raises the limit", false},
	session.RemedyAllowSampling:    {"leave out --no-sampling, which keeps belay from declaring it", false},
	session.RemedyAllowElicitation: {"leave out --no-elicitation, which keeps belay from declaring it", false},
	session.RemedyAllowForms:       {"leave out --no-forms, which keeps belay from declaring it", false},
	session.RemedyAllowURLs:        {"leave out --no-urls, which keeps belay from declaring it", false},
	session.RemedyOwnServer:        {"--i-own-this-server says that it is yours", false},
}

// Left is what of a remedy is left on a screen: in a recording what came can be read, and all else is over.
func Left(r session.Remedy, recorded bool) session.Remedy {
	if recorded && r.Kind != session.RemedyWire {
		return session.Remedy{}
	}
	return r
}

// Words say how to do what helps; empty: nothing is known.
func Words(r session.Remedy) safe.Text {
	words := string(all[r.Kind].words)
	if words == "" {
		return ""
	}
	rev := safe.LineN(string(r.Revision), 20)
	if rev == "" {
		rev = "with a revision that both sides speak"
	}
	return safe.Text(strings.ReplaceAll(words, "REVISION", string(rev)))
}

// With is what is told of a trouble, with what can be done about it.
func With(text safe.Text, r session.Remedy) safe.Text {
	words := Words(r)
	if text != "" && words != "" {
		text += "; "
	}
	return text + words
}

// IsHere reports whether it can be done only while belay runs.
func IsHere(r session.Remedy) bool { return all[r.Kind].here }
