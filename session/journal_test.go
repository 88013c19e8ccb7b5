package session

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/secret"
)

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
	r.s.Tell(r.now, Stderr{Epoch: r.epoch, Line: []byte("\xff oops")})
	r.wait(time.Second)
	r.recv(progressNote, token(wire), 1)
	_, _ = r.s.Handle(r.now.Add(time.Minute), Cancel{Call: 99, Reason: "refused: it moves no clock"})
	r.s.Next(r.now.Add(time.Minute))
	r.now = r.now.Add(90 * time.Second)
	r.s.Tell(r.now, Tick{}) // a jump
	r.wait(10 * time.Second)
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "x"}}); err != nil {
		t.Fatal(err)
	}
	out, _ := r.s.Next(r.now)
	r.s.Tell(r.now, SendFailed{Seq: out.Seq}) // a failure without words is one all the same
	if _, err := r.s.Handle(r.now, SetPin{Revision: mcp.Rev20250618}); err != nil {
		t.Fatal(err)
	}
	r.s.Tell(r.now, Disconnect{Reason: "the user disconnected"})
	r.pull()
	r.closed()
	p := replayed(t, r, lines)
	if n := p.differs; n != 0 {
		t.Errorf("%d outputs differ", n)
	}
	got, _ := p.s.Detail(id)
	want, _ := r.s.Detail(id)
	if len(got.Timeline) != len(want.Timeline) || len(got.Evidence) != len(want.Evidence) || got.Reason != want.Reason {
		t.Errorf("the detail differs: %+v, want %+v", got, want)
	}
	if p.s.cfg.Pin != mcp.Rev20250618 || p.s.diags.list[0].Entry != r.s.diags.list[0].Entry {
		t.Error("the pin or a place in the history differs")
	}
	failed, _ := p.s.Row(r.s.rows.table.Last())
	if !failed.Sent.IsZero() {
		t.Error("what could not be written counts as written")
	}
}

func TestRedactionHidesSecretsAndKeepsTheStates(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	const one, two = "sk-aaaaaaaaaaaaaaaaaaaaaaaa", "sk-bbbbbbbbbbbbbbbbbbbbbbbb"
	r, lines := recorded(t, unkeyed)
	id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"login","arguments":{"password":"hunter2 \"quoted","key":"` + one + `"}}`)})
	r.recv(samplingAsk, quoted(one)) // an ID that looks like a secret
	r.recv(samplingAsk, quoted(two))
	r.recv(cancelledNote, quoted(one))
	if _, err := r.s.Handle(r.now, Answer{Question: 2, Result: []byte(`{"content":{"api_key":"hunter2"}}`), As: Answered}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.cancel(id, "because of "+one)
	r.s.Tell(r.now, Stderr{Epoch: r.epoch, Line: []byte("\xff" + one)})
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[],"access_token":"hunter2"}}`, wire)
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1", Stderr: "token " + one, Err: one}})
	for _, line := range lines.lines {
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
	p := replayed(t, r, lines)
	if ps := p.s.Questions(); ps[0].State != Withdrawn || ps[1].State != Answered {
		t.Errorf("%v, %v", ps[0].State, ps[1].State)
	}
	if p.differs != 0 {
		t.Errorf("%d outputs differ", p.differs)
	}
}

// What a form warns of, a recording does not hold: neither as text nor as a number,
// in the answer and in what is written.
func TestAnswersToFormsAreMasked(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	for _, name := range []string{
		"cardNumber", "cvv", "ssn", "sshKey", "seedPhrase", "pin", "otp", "kennwort", "creditCard", "securityCode", "accountNumber", "mnemonic", "passwort",
		"contraseña", "iban", "mfaCode", "password", "apiKey", "api_key", "clientSecret", "access_token", "DB_PASS", "passphrase", "privateKey", "jwt", "cookie",
	} {
		r, lines := recorded(t, unkeyed)
		r.recv(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}`)
		if _, err := r.s.Handle(r.now, Answer{Question: 1, Result: []byte(`{"action":"accept","content":{"` + name + `":"hunter-22","x":{"` + name + `":4711471147114711},"name":"me","n":12}}`), As: Answered}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		text := string(bytes.Join(lines.lines[len(lines.lines)-3:], nil))
		if strings.Contains(text, "hunter") || strings.Contains(text, "4711") || strings.Count(strings.ReplaceAll(text, `\`, ""), `"name":"me","n":12`) != 2 {
			t.Errorf("%s: %s", name, text)
		}
		replayed(t, r, lines)
	}
}

// No text of an input gets past the mask, apart from what a replay needs and nobody
// else writes; and every input comes out of its JSON as it went in.
func TestEveryTextOfAnInputIsMasked(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	const hidden = "tell-nobody-7"
	mask := unkeyed.With(secret.Value{Text: hidden})
	texts := 0
	for name, kind := range inputNames {
		v := reflect.New(kind).Elem()
		fill(v, hidden)
		in := v.Interface().(Input)
		switch x := in.(type) { // words of the protocol, by which it is played again
		case StartCall:
			x.Spec.Declare, x.Spec.Params = nil, []byte(`{"a":"`+hidden+`"}`)
			in = x
		case Skipped:
			x.Rest.Pin, x.Rest.Known.Greeted, x.Rest.Refused = "", "", nil
			in = x
		case SetPin, SetLogLevel:
			in = reflect.Zero(kind).Interface().(Input)
		}
		got, before, err := EncodeInput(in)
		if got != name || err != nil {
			t.Fatalf("%s is encoded as %s: %v", name, got, err)
		}
		texts += bytes.Count(before, []byte(hidden))
		_, text, err := EncodeInput(Masked(in, mask))
		if err != nil || bytes.Contains(text, []byte(hidden)) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		if _, after, _ := EncodeInput(in); !bytes.Equal(before, after) {
			t.Errorf("%s itself was changed", name)
		}
		again, err := DecodeInput(name, before)
		if err != nil || !reflect.DeepEqual(again, in) {
			t.Errorf("%s: %+v came out as %+v, %v", name, in, again, err)
		}
	}
	if texts < 30 {
		t.Errorf("only %d texts were tried", texts)
	}
	cfg := Config{Endpoint: "https://x/?a=" + hidden, Reason: hidden, Roots: []Root{{URI: "file:///" + hidden, Name: hidden}}}
	if got := fmt.Sprint(MaskedConfig(cfg, mask)); strings.Contains(got, hidden) {
		t.Errorf("the configuration: %s", got)
	}
}

// A message that is written without the library is the same JSON, member by member; one that is not
// written so is left to it.
func TestAMessageIsWrittenAsTheLibraryWritesIt(t *testing.T) {
	read := func(text []byte) (members map[string]any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&members); err != nil || d.InputOffset() != int64(len(text)) {
			t.Errorf("%s: %v", text, err)
		}
		return members
	}
	for _, raw := range []string{"", "{}", `{"a":"\u00e9 <b>&\"\\"}`, "a\tb\r\x00\x7f\u2028\u2029é🙂", strings.Repeat("x<", 5000)} {
		for _, x := range []ExchangeID{{}, {Epoch: 3}, {Epoch: math.MaxUint32, N: math.MaxUint64}} {
			for _, ago := range []time.Duration{0, 1, -1, math.MaxInt64, math.MinInt64} {
				in := Received{ExchangeID: x, Ago: ago, Raw: Bytes(raw)}
				text := in.text()
				want, err := json.Marshal(in)
				if err != nil || !reflect.DeepEqual(read(text), read(want)) {
					t.Errorf("%.200s is not %.200s: %v", text, want, err)
				}
				if again, err := DecodeInput("received", text); err != nil || !reflect.DeepEqual(again, in) {
					t.Errorf("%+v came out as %+v, %v", in, again, err)
				}
			}
		}
	}
	for i := range reflect.TypeFor[Received]().NumField() { // whatever a message may have one day
		v := reflect.New(reflect.TypeFor[Received]()).Elem()
		v.FieldByName("Raw").SetBytes([]byte("{}"))
		switch f := v.Field(i); {
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		case f.CanInt():
			f.SetInt(7)
		case f.CanUint():
			f.SetUint(7)
		case f.Kind() == reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case f.Kind() == reflect.String:
			f.SetString("x")
		}
		in := v.Interface().(Received)
		want, err := json.Marshal(in)
		if text := in.text(); err != nil || text != nil && !reflect.DeepEqual(read(text), read(want)) {
			t.Errorf("%s is not %s: %v", text, want, err)
		}
	}
	for _, in := range []Received{{}, {Raw: Bytes("\xff")}, {Raw: Bytes{}, Over: &Oversize{}}, {Raw: Bytes{}, Hollow: &mcp.Hollow{}}, {Raw: Bytes{}, NoSession: true}} {
		if text := in.text(); text != nil {
			t.Errorf("%+v: %s", in, text)
		}
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
