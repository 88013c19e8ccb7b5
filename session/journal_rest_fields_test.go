package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/witness"
)

// A Rest has a field for all of a session that counts on or was measured; of the rest of it
// there is a reason why a session that goes on needs none of it. The name of a field with a
// dot behind it stands for all fields of that machine which are not named themselves; "= X" says which
// field of a Rest carries it.
var restCarries = map[string]string{
	"log.":       "what is shown of messages and calls that were passed over is passed over with them",
	"log.now":    "the time of the input that passes over",
	"log.kept.":  "no recording is to have the tasks of another run",
	"cfg.":       "the first line of a journal has it",
	"cfg.Roots":  "= Roots",
	"cfg.Pin":    "= Pin",
	"journal.":   "the ways to the others",
	"lint.log":   "a way to another",
	"after.log":  "a way to another",
	"followers":  "the ways to those machines that follow calls",
	"quitting":   "nothing is passed over once belay ends",
	"unsent":     "there is none while something is at rest: it is sent when a connection is ready",
	"part.":      "nothing has come of a message at rest",
	"received":   "= Messages",
	"timers":     "at rest nothing is due but a ping (= Ping)",
	"wrongs.":    "ways to others",
	"conn.epoch": "= Epoch",
	"conn.phase": "= Over",
	"conn.trips": "= Trips",
	"conn.used":  "about a late answer to server/discover; what follows otherwise is shown as a difference",

	"wrongs.unknown": "= Unknown",

	"conn.rev": "of the handshake", "conn.server": "of the handshake", "conn.started": "of the handshake", "conn.readyAt": "of the handshake",
	"conn.era": "of the handshake", "conn.nonJSONOutput": "of the handshake",
	"conn.failure": "of an end that came before", "conn.closeSent": "of an end that came before", "conn.reconnect": "there is no rest before another connection is begun",
	"conn.talked": "about a probe that is out", "conn.questionRate.until": "about a question that was answered a moment ago",

	"link.log": "a way to another", "link.cfg": "a way to another", "link.timers": "a way to another",
	"link.known": "= Known", "link.refused": "= Refused",
	"link.spoke": "of the handshake", "link.starts": "of the handshake", "link.replaces": "of a session that has begun, or of an end that came before",

	"subs.log": "a way to another", "subs.cfg": "a way to another",
	"subs.jitterState": "= Jitter",
	"subs.carried":     "of a connection that is being begun again",
	"subs.ended":       "is shown only", "subs.last": "is shown only",
	"subs.ownOver":   "then what stands is not what stood, and nothing is passed over (= Standing)",
	"subs.residuals": "there is none at rest",

	"writer.log": "a way to another", "writer.cfg": "a way to another", "writer.out": "a way to another", "writer.outgoing": "a way to another",
	"writer.introduction.logLevel":  "= LogLevel",
	"writer.introduction.declared.": "is made of the configuration, and of the roots (= Roots)",
	"writer.introduction.envelope":  "is made of the configuration, and of the roots (= Roots)",

	"pings.writer": "a way to another", "pings.timers": "a way to another",
	"pings.probe": "there is none out at rest", "pings.health.out": "there is none out at rest",
	"pings.health.missed":   "= Missed",
	"pings.health.answered": "= Answered",

	"tasks.":                "no task lives at rest; what is remembered of those that have ended is shown, or told once more",
	"taskListens.":          "no task lives at rest that a subscription could tell of",
	"taskListens.pollsOnly": "= PollsOnly",
	"handles.":              "which tools have made tasks is shown only: at rest no call waits for a handle",

	"rows.":         "nothing is in flight at rest, and rows that were passed over are not there",
	"rows.table":    "= Calls",
	"rows.subs":     "= Standing",
	"rows.standing": "= Standing",

	"outgoing.":       "no request is out at rest, and no answer is still to come to one that was passed over",
	"outgoing.nextID": "= Request",
	"outgoing.gone":   "= Request",

	"incoming.":       "the server asks nothing at rest; that it uses an ID again of what was passed over is not seen",
	"incoming.nextID": "= Questions",

	"out.":    "nothing waits to be written at rest",
	"out.seq": "= Outputs",

	"unconfirmed.": "no cancel is unconfirmed at rest; what was written later has a later place",
	"results.":     "of results that were passed over none is kept",

	"catalog.":          "what the server offers is not part of a Rest",
	"catalog.lists":     "= Lists",
	"catalog.refreshed": "= Refreshed",

	"http.":                                "nothing is under way at rest; what was counted is shown only",
	"http.last":                            "= Exchanges",
	"http.httpConnection.":                 "of the handshake, or of exchanges that are under way",
	"http.httpConnection.open":             "what stands is the same (= Streams), and what has come on it is told (= Marks)",
	"http.httpConnection.serverStream.off": "= NoStream", "http.httpConnection.serverStream.taken": "= GetTaken",
	"http.httpConnection.serverStream.": "what stands is the same, or nothing is passed over (= Streams)",
	"http.httpConnection.ids.":          "that an ID of an event comes again of what was passed over is not seen",
	"http.httpConnection.noLogin":       "has been told",
	"http.httpConnection.reach.":        "what cannot be reached does not rest",
	"processes.Machine.":                "no call is followed at rest, and a sample says anew what there is",
	"processes.Machine.latest":          "= Processes",
	"processes.Machine.lost":            "= Processes",
	"processes.Machine.idle.":           "= Processes",
	"processes.Machine.idleFrom":        "= Processes",
	"processes.Machine.awaits":          "= Processes",
	"processes.Machine.ready":           "= Processes",
}

// Each machine of a session, and each field of one of which a Rest has a part, is carried by a
// Rest or has a reason why not; and each field of a Rest carries something.
func TestEachMachineIsInARest(t *testing.T) {
	used, carries := map[string]bool{}, map[string]bool{}
	explain := func(at string) {
		for key := at; ; {
			if reason := restCarries[key]; reason != "" {
				used[key] = true
				found := false
				for field := range reflect.TypeFor[Rest]().NumField() {
					name := reflect.TypeFor[Rest]().Field(field).Name
					if reason == "= "+name || strings.Contains(reason, "(= "+name+")") {
						carries[name], found = true, true
					}
				}
				if strings.HasPrefix(reason, "= ") && !found {
					t.Errorf("%s: there is no such field of a Rest as in %q", at, reason)
				}
				return
			}
			key = strings.TrimSuffix(key, ".")
			dot := strings.LastIndexByte(key, '.')
			if dot < 0 {
				t.Errorf("%s is new: let a Rest carry it, or say in restCarries why a session that goes on can do without it", at)
				return
			}
			key = key[:dot+1]
		}
	}
	var walk func(at string, of reflect.Type)
	walk = func(at string, of reflect.Type) {
		for i := range of.NumField() {
			f := of.Field(i)
			is := f.Type.Kind() == reflect.Struct && (f.Type.PkgPath() == of.PkgPath() || f.Type == reflect.TypeFor[witness.Machine]())
			if is {
				walk(at+f.Name+".", f.Type)
			} else {
				explain(at + f.Name)
			}
		}
	}
	walk("", reflect.TypeFor[Session]())
	for key := range restCarries {
		if !used[key] {
			t.Errorf("%s is explained, and there is no such field", key)
		}
	}
	for i := range reflect.TypeFor[Rest]().NumField() {
		if name := reflect.TypeFor[Rest]().Field(i).Name; !carries[name] {
			t.Errorf("nothing says what %s of a Rest carries", name)
		}
	}
}

// A session that goes on from a Rest comes to that Rest: each field is taken over.
func TestARestIsTakenOver(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(cfg *Config) { cfg.PingEvery = time.Minute })
	here, ok := r.s.Journal().Rest()
	if !ok {
		t.Fatal("it is not at rest")
	}
	stands := map[string]bool{"Epoch": true, "Over": true, "Standing": true, "Streams": true, "NoStream": true, "Marks": true} // which both have
	totals := &witness.Totals{At: r.now, Until: r.now, CPU: time.Second, Processes: 2}
	to := Rest{
		Epoch: here.Epoch, Calls: here.Calls + 70, Request: here.Request + 80, Outputs: here.Outputs + 90, Exchanges: 7, Questions: 8, Messages: here.Messages + 100,
		LogLevel: "debug", Roots: []Root{{URI: "file:///a", Name: "a"}}, Pin: mcp.Rev20251125, Known: negotiate.Memory{Patience: time.Second}, Refused: []mcp.Revision{mcp.Rev20250618},
		PollsOnly: true, Jitter: 9, Missed: 2, Answered: 3 * time.Second, Ping: 4 * time.Second,
		Trips:     cancel.Measured{Mean: time.Second, Deviation: 1, Best: time.Second, Least: time.Second, From: cancel.FromPing},
		Processes: witness.Resting{At: r.now, Share: 0.5, Known: true, Awaits: true, Lost: time.Second, From: totals, Ready: r.now, Latest: totals, Stopped: 3, GoesOn: 0.5, Strayed: r.now, Itself: true, Young: []witness.Number{{PID: 7, Start: 70}}, Left: []witness.Number{{PID: 6, Start: 60}}},
		Refreshed: time.Minute, Unknown: 3, GetTaken: true,
	}
	for range mcp.NumLists {
		to.Lists = append(to.Lists, ListAge{Ago: time.Minute, Looked: time.Hour, Ages: true, Gone: true, TTL: time.Hour})
	}
	for at, v := 0, reflect.ValueOf(to); at < v.NumField(); at++ {
		name := v.Type().Field(at).Name
		was := reflect.ValueOf(here).Field(at).Interface()
		if !stands[name] && (v.Field(at).IsZero() || name != "Pin" && reflect.DeepEqual(was, v.Field(at).Interface())) {
			t.Errorf("%s is as before: that it is taken over is not tried", name)
		}
	}
	line, err := json.Marshal(to)
	if err != nil {
		t.Fatal(err)
	}
	var read Rest
	if err := json.Unmarshal(line, &read); err != nil {
		t.Fatal(err)
	}
	if _, err := r.s.Handle(r.now, Skipped{Rest: &read}); err != nil {
		t.Fatal(err)
	}
	got, ok := r.s.Journal().Rest()
	if !ok {
		t.Fatal("it does not rest")
	}
	for at, v := 0, reflect.ValueOf(to); at < v.NumField(); at++ {
		if is := reflect.ValueOf(got).Field(at).Interface(); !reflect.DeepEqual(is, v.Field(at).Interface()) && !stands[v.Type().Field(at).Name] {
			t.Errorf("%s is %v, want %v", v.Type().Field(at).Name, is, v.Field(at).Interface())
		}
	}
}
