package demo

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// firstWithRounds is the first revision in which a server asks by the answer to
// a call, which the client then makes again, and not by requests of its own.
const firstWithRounds = "2026-07-28"

// handshakeOnly names the tools that only make sense where a server may ask by
// a request: what was asked by an answer cannot be taken back, and -32042 is
// gone.
var handshakeOnly = map[string]bool{
	"ask_then_withdraw":    true,
	"sample_then_withdraw": true,
	"needs_login":          true,
}

// An interim is the error by which a tool ends a round: its questions are
// answered in the next one.
type interim struct{ result *mcp.CallToolResult }

func (*interim) Error() string { return "the call goes on when its questions are answered" }

// revisionOf is the revision that a request is of.
func revisionOf(req interface {
	ProtocolVersion() string
	GetParams() mcp.Params
},
) string {
	r := req.ProtocolVersion()
	if _, named := req.GetParams().GetMeta()[mcp.MetaKeyProtocolVersion]; !named && r >= firstWithRounds {
		// A handshake that asked for more than there is: the SDK says what was
		// asked for, not what was agreed on.
		return "2025-11-25"
	}
	return r
}

// asksByRounds reports whether c asks by rounds.
func (c *call) asksByRounds() bool { return c.revision >= firstWithRounds }

// round returns the answers to all questions, or an [interim] that asks those
// which have none yet. Earlier answers travel in the state.
func (c *call) round(questions mcp.InputRequestMap) (mcp.InputResponseMap, error) {
	known := mcp.InputResponseMap{}
	switch s, err := c.openState(); {
	case err != nil:
		return nil, err
	case s != nil:
		known = s.Answers
	}
	for name, answer := range c.params.InputResponses {
		if _, asked := questions[name]; asked { // others are ignored, as the specification asks
			known[name] = answer
		}
	}
	open := mcp.InputRequestMap{}
	for name, q := range questions {
		if known[name] != nil {
			continue
		}
		if err := c.checkAsk(q); err != nil {
			return nil, err
		}
		open[name] = q
	}
	if len(open) == 0 {
		return known, nil
	}
	state, err := c.sealState(known)
	if err != nil {
		return nil, err
	}
	return nil, &interim{&mcp.CallToolResult{InputRequests: open, RequestState: state}}
}

// checkAsk returns the error for a client that has not declared that it can be
// asked this.
func (c *call) checkAsk(q mcp.InputRequest) error {
	caps := c.capabilities
	if caps == nil {
		caps = new(mcp.ClientCapabilities)
	}
	var missing mcp.ClientCapabilities
	switch q := q.(type) {
	case *mcp.CreateMessageParams:
		if caps.Sampling != nil {
			return nil
		}
		missing.Sampling = new(mcp.SamplingCapabilities)
	case *mcp.ElicitParams:
		e := caps.Elicitation
		// A client that names no mode means forms.
		if q.Mode == "form" && e != nil && (e.Form != nil || e.URL == nil) || q.Mode == "url" && e != nil && e.URL != nil {
			return nil
		}
		missing.Elicitation = new(mcp.ElicitationCapabilities)
		if q.Mode == "url" {
			missing.Elicitation.URL = new(mcp.URLElicitationCapabilities)
		} else {
			missing.Elicitation.Form = new(mcp.FormElicitationCapabilities)
		}
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &missing})
	if err != nil {
		return err
	}
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: c.params.Name + " asks the user, and the client has not declared that it can be asked",
		Data:    data,
	}
}

// A roundState is what travels between two rounds, through the client's hands.
type roundState struct {
	Tool      string               `json:"tool"`
	Arguments []byte               `json:"arguments"` // their hash
	Answers   mcp.InputResponseMap `json:"answers"`
	Until     time.Time            `json:"until"`
}

// stateLife is how long a client may take for a round.
const stateLife = 24 * time.Hour

// stateKey signs the states that this process gives away: to another one they
// mean nothing.
var stateKey = []byte(rand.Text())

func signature(body string) string {
	mac := hmac.New(sha256.New, stateKey)
	mac.Write([]byte(body))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func hashOf(arguments json.RawMessage) []byte {
	sum := sha256.Sum256(arguments)
	return sum[:]
}

// sealState signs a state that belongs to c alone.
func (c *call) sealState(known mcp.InputResponseMap) (string, error) {
	b, err := json.Marshal(roundState{
		Tool: c.params.Name, Arguments: hashOf(c.params.Arguments), Answers: known, Until: time.Now().Add(stateLife),
	})
	if err != nil {
		return "", err
	}
	body := base64.RawURLEncoding.EncodeToString(b)
	return body + "." + signature(body), nil
}

// errState is the answer to a retry whose state is not as it was given.
var errState = invalidParams("the requestState is not the one that this server gave for this call: a retry echoes it exactly")

// openState returns the state that came with c, or nil in the first round.
func (c *call) openState() (*roundState, error) {
	if c.params.RequestState == "" {
		if c.params.InputResponses != nil {
			return nil, invalidParams("inputResponses came without the requestState that was given with the questions")
		}
		return nil, nil
	}
	body, sum, _ := strings.Cut(c.params.RequestState, ".")
	if !hmac.Equal([]byte(sum), []byte(signature(body))) {
		return nil, errState
	}
	b, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return nil, errState
	}
	var s roundState
	switch err := json.Unmarshal(b, &s); {
	case err != nil, s.Tool != c.params.Name, !hmac.Equal(s.Arguments, hashOf(c.params.Arguments)):
		return nil, errState
	case time.Now().After(s.Until):
		return nil, invalidParams("the requestState is too old: make the call anew")
	}
	return &s, nil
}

// elicited returns the answer by this name as that of an elicitation.
func elicited(answers mcp.InputResponseMap, name string) (*mcp.ElicitResult, error) {
	got, ok := answers[name].(*mcp.ElicitResult)
	if !ok {
		return nil, invalidParams("inputResponses: %s is not the answer to an elicitation", name)
	}
	return got, nil
}

// sampled returns the answer by this name as that of a model.
func sampled(answers mcp.InputResponseMap, name string) (*mcp.CreateMessageResult, error) {
	got, ok := answers[name].(*mcp.CreateMessageWithToolsResult)
	if !ok || len(got.Content) == 0 {
		return nil, invalidParams("inputResponses: %s is not the answer of a model", name)
	}
	return &mcp.CreateMessageResult{Content: got.Content[0], Model: got.Model, Role: got.Role, StopReason: got.StopReason}, nil
}
