package mcpclient_test

import (
	"context"
	"testing"

	"belay/mcpclient"
	"belay/session"
)

// The clients of one server that comes back do not all come at once: each draws
// its own pauses, and the first ID of its requests.
func TestClientsOverHTTPDiffer(t *testing.T) {
	drawn := map[int64]bool{}
	for range 3 {
		c := mcpclient.New(mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: "http://127.0.0.1:1/mcp"}})
		t.Cleanup(func() { c.Close(context.Background()) })
		c.View(func(s *session.Session) {
			cfg := s.Config()
			if cfg.Jitter <= 0 || cfg.FirstID < 10_000 {
				t.Errorf("jitter %d, first ID %d", cfg.Jitter, cfg.FirstID)
			}
			drawn[cfg.Jitter] = true
		})
	}
	if len(drawn) != 3 {
		t.Errorf("three clients drew %v", drawn)
	}
}
