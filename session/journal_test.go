package session

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session/mcp"
	"belay/session/secret"
)

// unkeyed is a mask that knows no values.
var unkeyed = secret.NewMask("")

// recorded makes a ready rig with a journal, and a function that replays it.
func recorded(t *testing.T, mask *secret.Mask, change ...func(*Config)) (*rig, *[][]byte) {
	var cfg Config
	for _, f := range change {
		f(&cfg)
	}
	r := newRig(t, cfg)
	lines := new([][]byte)
	r.s.SetJournal(func(rec Record) { *lines = append(*lines, rec.Append(nil, mask)) })
	r.connect()
	r.agree(mcp.Rev20251125, logging)
	r.lines = nil
	return r, lines
}

// replayed plays a journal and fails unless it gives the states of r.
func replayed(t *testing.T, r *rig, lines [][]byte) *Replay {
	t.Helper()
	var p Replay
	for _, line := range lines {
		if bytes.ContainsAny(line, "\r\n") {
			t.Fatalf("a line end within %q", line)
		}
		if err := p.Apply(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Session().Check(); err != nil {
		t.Error(err)
	}
	first, last := r.s.Span()
	for id := first; id <= last; id++ {
		want, _ := r.s.Row(id)
		got, _ := p.Session().Row(id)
		if got.State != want.State || got.Verdict != want.Verdict || got.Ended != want.Ended || got.Wire != want.Wire {
			t.Errorf("row %d: %+v, want %+v", id, got, want)
		}
	}
	a, b := p.Session().Prompts(), r.s.Prompts()
	if len(a) != len(b) {
		t.Fatalf("%d prompts, want %d", len(a), len(b))
	}
	for i := range a {
		if a[i].State != b[i].State {
			t.Errorf("prompt %d: %v, want %v", i, a[i].State, b[i].State)
		}
	}
	return &p
}

func TestAReplayGivesTheSame(t *testing.T) {
	r, lines := recorded(t, nil, func(c *Config) { c.FirstID = 812 })
	id, wire := r.call("t")
	r.recv("not JSON \xff\xfe")
	r.recv(samplingAsk, `1.5`)
	if err := r.answer(1); err != nil {
		t.Fatal(err)
	}
	r.cancel(id, "why "+strings.Repeat("\xff", 600))
	r.pull()
	r.s.Stderr(r.now, ExchangeID{Epoch: r.epoch}, []byte("\xff oops"))
	r.wait(time.Second)
	r.recv(progressNote, token(wire), 1)
	_ = r.s.Cancel(r.now.Add(time.Minute), 99, "refused: it moves no clock")
	r.s.Next(r.now.Add(time.Minute))
	r.now = r.now.Add(90 * time.Second)
	r.s.Tick(r.now) // a jump
	r.wait(10 * time.Second)
	if _, err := r.s.Call(r.now, CallSpec{Method: "x"}); err != nil {
		t.Fatal(err)
	}
	out, _ := r.s.Next(r.now)
	r.s.SendFailed(r.now, out.Seq, "") // a failure without words is one all the same
	if err := r.s.SetPin(r.now, mcp.Rev20250618); err != nil {
		t.Fatal(err)
	}
	r.s.Disconnect(r.now, "the user disconnected")
	r.pull()
	r.closed()
	p := replayed(t, r, *lines)
	if n := p.Differs(); n != 0 {
		t.Errorf("%d outputs differ", n)
	}
	got, _ := p.Session().Detail(id)
	want, _ := r.s.Detail(id)
	if len(got.Timeline) != len(want.Timeline) || len(got.Evidence) != len(want.Evidence) || got.Reason != want.Reason {
		t.Errorf("the detail differs: %+v, want %+v", got, want)
	}
	if p.Session().cfg.Pin != mcp.Rev20250618 || p.Session().diags.list[0].Entry != r.s.diags.list[0].Entry {
		t.Error("the pin or a place in the history differs")
	}
	failed, _ := p.Session().Row(r.s.rows.list[len(r.s.rows.list)-1].id)
	if !failed.Sent.IsZero() {
		t.Error("what could not be written counts as written")
	}
}

func TestWhatAReplayRefuses(t *testing.T) {
	r, lines := recorded(t, nil)
	r.call("t")
	for name, bad := range map[string][][]byte{
		"no record":           {[]byte("hello")},
		"no beginning":        (*lines)[1:],
		"another format":      {bytes.Replace((*lines)[0], []byte(`"version":3`), []byte(`"version":99`), 1)},
		"an unknown input":    {(*lines)[0], []byte(`{"seq":2,"op":"dance"}`)},
		"a call out of place": {(*lines)[0], (*lines)[len(*lines)-3]},
	} {
		var p Replay
		var err error
		for _, line := range bad {
			if err = p.Apply(line); err != nil {
				break
			}
		}
		if err == nil {
			t.Errorf("%s was played", name)
		}
	}
	t.Run("another output is counted", func(t *testing.T) {
		var p Replay
		for _, line := range *lines {
			line = bytes.Replace(line, []byte(`"text":"{\"jsonrpc\":\"2.0\",\"id\":2,`), []byte(`"text":"{\"jsonrpc\":\"2.0\",\"id\":3,`), 1)
			if err := p.Apply(line); err != nil {
				t.Fatal(err)
			}
		}
		if p.Differs() != 1 {
			t.Errorf("%d outputs differ, want 1", p.Differs())
		}
	})
}

func TestRedactionHidesSecretsAndKeepsTheStates(t *testing.T) {
	covers.Rows(t, "LOG-13")
	const one, two = "sk-aaaaaaaaaaaaaaaaaaaaaaaa", "sk-bbbbbbbbbbbbbbbbbbbbbbbb"
	r, lines := recorded(t, unkeyed)
	id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"login","arguments":{"password":"hunter2 \"quoted","key":"` + one + `"}}`)})
	r.recv(samplingAsk, quoted(one)) // an ID that looks like a secret
	r.recv(samplingAsk, quoted(two))
	r.recv(cancelledNote, quoted(one))
	if err := r.s.Answer(r.now, 2, []byte(`{"content":{"api_key":"hunter2"}}`), Answered); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.cancel(id, "because of "+one)
	r.s.Stderr(r.now, ExchangeID{Epoch: r.epoch}, []byte("\xff"+one))
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[],"access_token":"hunter2"}}`, wire)
	r.s.Closed(r.now, r.epoch, Close{Status: "exit status 1", Stderr: "token " + one, Err: one})
	for _, line := range *lines {
		for _, secret := range []string{"hunter2", "quoted", one, two} {
			text := string(line)
			for _, m := range strings.Split(text, `"`) {
				if b, err := base64.StdEncoding.DecodeString(m); err == nil {
					text += string(b)
				}
			}
			if strings.Contains(text, secret) {
				t.Errorf("%s is in %s", secret, text)
			}
		}
	}
	p := replayed(t, r, *lines)
	if ps := p.Session().Prompts(); ps[0].State != Withdrawn || ps[1].State != Answered {
		t.Errorf("%v, %v", ps[0].State, ps[1].State)
	}
	if p.Differs() != 0 {
		t.Errorf("%d outputs differ", p.Differs())
	}
}

// What a form warns of, a recording does not hold: neither as text nor as a number,
// in the answer and in what is written.
func TestAnswersToFormsAreMasked(t *testing.T) {
	covers.Rows(t, "LOG-13")
	for _, name := range []string{
		"cardNumber", "cvv", "ssn", "sshKey", "seedPhrase", "pin", "otp", "kennwort", "creditCard", "securityCode", "accountNumber", "mnemonic", "passwort",
		"contraseña", "iban", "mfaCode", "password", "apiKey", "api_key", "clientSecret", "access_token", "DB_PASS", "passphrase", "privateKey", "jwt", "cookie",
	} {
		r, lines := recorded(t, unkeyed)
		r.recv(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}`)
		if err := r.s.Answer(r.now, 1, []byte(`{"action":"accept","content":{"`+name+`":"hunter-22","x":{"`+name+`":4711471147114711},"name":"me","n":12}}`), Answered); err != nil {
			t.Fatal(err)
		}
		r.pull()
		text := string(bytes.Join((*lines)[len(*lines)-3:], nil))
		if strings.Contains(text, "hunter") || strings.Contains(text, "4711") || strings.Count(text, `"name\":\"me\",\"n\":12`) != 2 {
			t.Errorf("%s: %s", name, text)
		}
		replayed(t, r, *lines)
	}
}

// The first line says how many values are masked, and how; or that none is.
func TestTheFirstLineSaysWhatIsMasked(t *testing.T) {
	_, lines := recorded(t, unkeyed.With(secret.Value{Name: "A", Text: "hunter-22"}, secret.Value{Name: "B", Text: "1"}, secret.Value{Name: "C", Text: "true"}))
	_, kept := recorded(t, nil)
	for first, want := range map[string]string{string((*lines)[0]): `"masked":{"anywhere":1,"besideTheirName":2}`, string((*kept)[0]): `"unmasked":true`} {
		if !strings.Contains(first, want) {
			t.Errorf("%s does not say %s", first, want)
		}
	}
	if bytes.Contains((*lines)[1], []byte("masked")) {
		t.Errorf("the second line says it, too: %s", (*lines)[1])
	}
}

// No text of a record gets past the mask, apart from what a replay needs and
// nobody else writes.
func TestEveryTextOfARecordIsMasked(t *testing.T) {
	covers.Rows(t, "LOG-13")
	const hidden = "tell-nobody-7"
	var r Record
	fill(reflect.ValueOf(&r).Elem(), hidden)
	r.Bytes, r.Spec.Params = []byte(`{"a":"`+hidden+`"}`), []byte(`{"a":"`+hidden+`"}`)
	kept := func(r *Record) {
		r.Op, r.Spec.Declare, r.Config.Pin = "", nil, ""
		r.Config.ClientName, r.Config.ClientTitle, r.Config.ClientVersion = "", "", ""
	}
	kept(&r)
	before, err := json.Marshal(r)
	if err != nil || bytes.Count(before, []byte(hidden)) < 20 {
		t.Fatalf("%s, %v", before, err)
	}
	line := r.Append(nil, unkeyed.With(secret.Value{Text: hidden}))
	if bytes.Contains(line, []byte(hidden)) || bytes.Contains(line, []byte(base64.StdEncoding.EncodeToString(r.Spec.Params))) {
		t.Errorf("%s", line)
	}
	if after, _ := json.Marshal(r); !bytes.Equal(before, after) {
		t.Error("the record itself was changed")
	}
	pin := Record{Op: opPin, Reason: "2025-11-25"}
	if line := pin.Append(nil, unkeyed.With(secret.Value{Text: "2025-11-25"})); !bytes.Contains(line, []byte("2025-11-25")) {
		t.Errorf("the record cannot be played again: %s", line)
	}
}

// fill puts a text wherever one can be.
func fill(v reflect.Value, text string) {
	switch k := v.Kind(); {
	case k == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case k == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	case k == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case k == reflect.String:
		v.SetString(text)
	}
}
