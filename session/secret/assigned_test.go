package secret

import (
	"testing"

	"belay/internal/requirements"
)

// What is assigned to a name is one word of whatever it is made of, up to another assignment; in an
// address up to the next part.
func TestAnAssignedValue(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksMarked(
		t,
		"DB_USER=joe\nDB_PASSWORD=«p&ss,w0rd9»\nX=y", "--password=«p;w0rd9» -v", "DB_PASSWORD=«p[1]w0rd9»", "password=«(w0rd9)»", "password=«<abcd9>»", "API_KEY=«k<w0rd9» x",
		`password=«a"w0rd9»`, `password=«a\w0rd9»`, "x-api-key=«ab,w0rd9»", "export A=1 DB_PASSWORD=«ab,w0rd9» B=2", `["DB_PASSWORD=«p[1]w0rd9»","X=y"]`, `["x","--password=«p;w0rd9»"]`,
		"Server=h;Password=«a,b»;User=me", "password=«x», user=joe", "password=«a»&user=joe", "a password=«x1», it said", "(password=«x1»)", "map[password:x1 api_key=«ab»]", "`token=«ab»`", "password=«a=b»",
		"https://h/cb?password=«a(w0rd9)»&x=y", "https://h/cb?password=«ab»;x", "https://h/cb?password=«ab»#x", `<a href="https://h/?password=«a,b»">`, "password=", "password==", "the password=.",
	)
}

// Programs and languages write other signs than a colon and an equals sign between a name and its
// value, and marks around the name.
func TestTheSignBehindAName(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	masksMarked(
		t,
		`password := "«w0rd9x»"`, "password := «w0rd9x»", `password == "«w0rd9x»"`, `"password" => "«w0rd9x»"`, `{:password=>"«w0rd9x»"}`, "[password] => «w0rd9x»", "password -> «w0rd9x»", `if (password === "«w0rd9x»")`,
		"パスワード：«w0rd9x»", "password：«w0rd9x»", "**Password:** «w0rd9x»", "**Password**: «w0rd9x»", "- **token:** «w0rd9x»\n",
		"\x1b[36mpassword=«\x1b[0mw0rd9»", "password=«\x1b[31mw0rd9\x1b[0m» x", "\x1b[36mpassword\x1b[0m=«w0rd9» x", "\x1b[1;36mpassword\x1b[0m: «w0rd9»",
		"password -> of the account", "password：it is needed", "x[password] of", "**password** is needed", "\x1b[36mpassword\x1b[0m is needed",
	)
}
