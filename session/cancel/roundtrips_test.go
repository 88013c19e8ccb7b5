package cancel

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTheBoundOfRoundTrips(t *testing.T) {
	type trip struct {
		d    time.Duration
		from Source
	}
	for _, tt := range []struct {
		name  string
		trips []trip
		want  time.Duration
	}{
		{"none", nil, 2 * time.Second},
		{"one", []trip{{100 * ms, FromPing}}, 300 * ms},
		{"two that are the same", []trip{{100 * ms, FromPing}, {100 * ms, FromPing}}, 250 * ms},
		{"one that is longer", []trip{{100 * ms, FromPing}, {180 * ms, FromPing}}, 110*ms + 4*57500*time.Microsecond},
		{"very short ones", []trip{{time.Microsecond, FromPing}}, 20 * ms},
		{"a very long one", []trip{{time.Minute, FromList}}, 2 * time.Second},
		{"a list that takes its time, and a ping", []trip{{time.Second, FromList}, {10 * ms, FromPing}}, 30 * ms},
		{"a ping, and a list that takes its time", []trip{{10 * ms, FromPing}, {time.Second, FromList}}, 30 * ms},
		{"a slow start, and a list", []trip{{3 * time.Second, FromHandshake}, {10 * ms, FromList}}, 30 * ms},
		{"a clock that is wrong", []trip{{-time.Second, FromPing}}, 20 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r RoundTrips
			for _, s := range tt.trips {
				r.Add(s.d, s.from)
			}
			if got := r.Bound(); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// Whatever the way does, the bound stays within its limits, and where round trips
// vary within a range it is hardly ever below the next one.
func TestTheBoundIsAnEstimateFromAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Int64Range(1, int64(time.Second)).Draw(t, "least")
		spread := rapid.Int64Range(0, int64(time.Second)).Draw(t, "spread")
		trips := rapid.SliceOfN(rapid.Int64Range(least, least+spread), 1, 50).Draw(t, "trips")
		var r RoundTrips
		for _, d := range trips {
			r.Add(time.Duration(d), FromPing)
			if b := r.Bound(); b < 20*ms || b > 2*time.Second {
				t.Fatalf("a bound of %v", b)
			}
		}
		if b := r.Bound(); b < min(time.Duration(least), 2*time.Second) {
			t.Fatalf("%v is below the shortest round trip %v", b, time.Duration(least))
		}
	})
}
