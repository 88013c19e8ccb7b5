// Package hint reads what the conformance suite tells a client about a scenario.
package hint

import (
	"encoding/json"
	"fmt"
	"os"
)

// Hints are what the suite tells.
type Hints struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

// variable holds the hints, as JSON.
const variable = "MCP_CONFORMANCE_CONTEXT"

// Read returns the hints of the scenario that runs; there may be none.
func Read() (Hints, error) {
	var h Hints
	if raw := os.Getenv(variable); raw != "" {
		if err := json.Unmarshal([]byte(raw), &h); err != nil {
			return Hints{}, fmt.Errorf("%s: %w", variable, err)
		}
	}
	return h, nil
}
