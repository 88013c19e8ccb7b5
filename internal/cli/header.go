package cli

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// headers reads the --header flags: "Name: value", with variables of the
// environment in it, so that a token need not stand on the command line, where
// everybody can read it. Took are these variables, as NAME=value.
func headers(flags []string) (h http.Header, took []string, err error) {
	h = http.Header{}
	for _, f := range flags {
		name, value, ok := strings.Cut(f, ":")
		if !ok {
			return nil, nil, usage("--header: 'Name: value', such as 'Authorization: Bearer ${TOKEN}'")
		}
		name = strings.TrimSpace(name)
		value, taken, err := withVariables(strings.TrimSpace(value))
		if err != nil {
			return nil, nil, usage("--header %s: %s", name, err)
		}
		if err := checkField(name, value); err != nil {
			return nil, nil, usage("--header: %s", err)
		}
		h.Add(name, value)
		took = append(took, taken...)
	}
	return h, took, nil
}

// variable is a reference to a variable as config files have it, and what only
// looks like one.
var variable = whenNeeded(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}|\$\{`)

// withVariables puts in the variables that a value names: ${NAME}, or
// ${NAME:-default}, which stands for the default where the variable is missing or
// empty. Took are the variables that were put in, as NAME=value: each is a secret of its
// own, also where it is a part of the value. Errors do not repeat the value: it may be
// secret.
func withVariables(value string) (_ string, took []string, wrong error) {
	fail := func(format string, args ...any) {
		if wrong == nil {
			wrong = fmt.Errorf(format, args...)
		}
	}
	value = variable().ReplaceAllStringFunc(value, func(ref string) string {
		parts := variable().FindStringSubmatch(ref)
		name, fallback := parts[1], parts[2]
		v, ok := os.LookupEnv(name)
		switch {
		case name == "":
			fail("a ${ begins nothing that belay knows: ${NAME} or ${NAME:-default}")
		case v == "" && fallback != "":
			return fallback[len(":-"):]
		case !ok:
			fail("the variable %s is not set", name)
		}
		took = append(took, name+"="+v)
		return v
	})
	return value, took, wrong
}

// ours are the header fields that the protocol needs: belay sets them.
var ours = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Content-Type": true, "Content-Length": true, "Transfer-Encoding": true, "Connection": true, "Host": true,
	"Last-Event-Id": true, "Mcp-Session-Id": true, "Mcp-Protocol-Version": true, "Mcp-Method": true, "Mcp-Name": true,
}

// checkField says what is wrong with a header field. Values are never repeated:
// they may be secret.
func checkField(name, value string) error {
	token := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
	switch {
	case !token:
		return fmt.Errorf("%q is no name of a header field", name)
	case ours[http.CanonicalHeaderKey(name)]:
		return fmt.Errorf("%s is set by belay itself", name)
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return errors.New("the value of " + name + " holds control characters")
	}
	return nil
}
