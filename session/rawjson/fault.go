package rawjson

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Fault says in plain words why JSON that belay wrote once cannot be taken, of the error of encoding/json: in
// that one stand the names of a program.
func Fault(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return "it is no JSON"
	case errors.As(err, &kind) && kind.Field == "":
		return "it is no object"
	case errors.As(err, &kind):
		return fmt.Sprintf("the value of its member %q is of another kind", kind.Field)
	}
	return "a value in it is none that belay writes"
}
