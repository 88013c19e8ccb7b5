package cancel

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// aCall marks what is no round trip, but the time that a call took.
const aCall Source = 0

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
		{"a link of 1.5 s each way", []trip{{3 * time.Second, FromHandshake}, {3 * time.Second, FromList}}, 6 * time.Second},
		{"a link of 3 s each way, whose pings vary", []trip{{6 * time.Second, FromPing}, {7 * time.Second, FromPing}}, 12 * time.Second},
		{"such a link, and nothing but the handshake", []trip{{6 * time.Second, FromHandshake}}, 6 * time.Second},
		{"a start of 20 s, and nothing else", []trip{{20 * time.Second, FromHandshake}}, 6 * time.Second},
		{"a start of 20 s, and a quick list", []trip{{20 * time.Second, FromHandshake}, {time.Millisecond, FromList}}, 20 * ms},
		{"a start of 20 s, and a quick call", []trip{{20 * time.Second, FromHandshake}, {time.Millisecond, aCall}}, 2 * time.Second},
		{"a list that takes a minute, though the handshake was quick", []trip{{ms, FromHandshake}, {time.Minute, FromList}}, 2 * time.Second},
		{"a list that takes a minute, though a call was quick", []trip{{time.Minute, FromList}, {ms, aCall}}, 2 * time.Second},
		{"a server that was busy when it was pinged", []trip{{ms, FromHandshake}, {ms, FromList}, {time.Minute, FromPing}}, 2 * time.Second},
		{"calls that take longer than the way", []trip{{10 * ms, FromList}, {time.Minute, aCall}}, 30 * ms},
		{"a list that takes its time, and a ping", []trip{{time.Second, FromList}, {10 * ms, FromPing}}, 30 * ms},
		{"a ping, and a list that takes its time", []trip{{10 * ms, FromPing}, {time.Second, FromList}}, 30 * ms},
		{"a slow start, and a list", []trip{{3 * time.Second, FromHandshake}, {10 * ms, FromList}}, 30 * ms},
		{"a clock that is wrong", []trip{{-time.Second, FromPing}}, 20 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r RoundTrips
			for _, s := range tt.trips {
				if s.from == aCall {
					r.AddCall(s.d)
				} else {
					r.Add(s.d, s.from)
				}
			}
			if got := r.Bound(); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// An answer that a server gives at once may take two of the shortest round trips.
func TestTheLimitOfWhatIsAnsweredAtOnce(t *testing.T) {
	var r RoundTrips
	for _, tt := range []struct {
		when string
		add  func()
		want time.Duration
	}{
		{"nothing is known", func() {}, 2 * time.Second},
		{"the server has started for 20 s", func() { r.Add(20*time.Second, FromHandshake) }, 6 * time.Second},
		{"a list took 5 s", func() { r.Add(5*time.Second, FromList) }, 10 * time.Second},
		{"a ping took 3 s", func() { r.Add(3*time.Second, FromPing) }, 6 * time.Second},
		{"another took a minute", func() { r.Add(time.Minute, FromPing) }, 6 * time.Second},
		{"a call was answered after 1.2 s", func() { r.AddCall(1200 * ms) }, 2400 * ms},
		{"a call was answered at once", func() { r.AddCall(0) }, 2 * time.Second},
	} {
		if tt.add(); r.Limit() != tt.want {
			t.Errorf("%s: %v, want %v", tt.when, r.Limit(), tt.want)
		}
	}
}

// Whatever the way does, the bound stays within its limits, and where round trips
// vary within a range it is hardly ever below the next one.
func TestTheBoundIsAnEstimateFromAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Int64Range(1, int64(10*time.Second)).Draw(t, "least")
		spread := rapid.Int64Range(0, int64(10*time.Second)).Draw(t, "spread")
		trips := rapid.SliceOfN(rapid.Int64Range(least, least+spread), 1, 50).Draw(t, "trips")
		var r RoundTrips
		for _, d := range trips {
			r.Add(time.Duration(d), FromPing)
			if b := r.Bound(); b < 20*ms || b > max(2*time.Second, time.Duration(2*trips[0])) {
				t.Fatalf("a bound of %v", b)
			}
		}
		if b := r.Bound(); b < time.Duration(least) {
			t.Fatalf("%v is below the shortest round trip %v", b, time.Duration(least))
		}
	})
}
