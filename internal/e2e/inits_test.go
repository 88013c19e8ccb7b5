package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// mostInitBytes and mostInitAllocs bound what the init of one package may allocate.
// A start allocates 3 MB in 12,000 pieces until the first frame; a tenth of that
// would be too much. What takes more is made when it is first used.
const (
	mostInitBytes  = 128 << 10
	mostInitAllocs = 600
)

// What packages allocate in their inits is the same in each run, unlike the time
// that they take.
func TestNoPackageHoldsUpTheStart(t *testing.T) {
	cmd := exec.Command(belay, "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	inits := initLine.FindAllStringSubmatch(string(out), -1)
	if len(inits) < 50 {
		t.Fatalf("only %d packages in %s", len(inits), out)
	}
	for _, in := range inits {
		size, _ := strconv.Atoi(in[2])
		allocs, _ := strconv.Atoi(in[3])
		if size > mostInitBytes || allocs > mostInitAllocs {
			t.Errorf("the init of %s allocates %d bytes in %d pieces, at each start", in[1], size, allocs)
		}
	}
}

// initLine is a line of GODEBUG=inittrace=1.
var initLine = regexp.MustCompile(`(?m)^init (\S+) @.* ms, .* ms clock, (\d+) bytes, (\d+) allocs$`)
