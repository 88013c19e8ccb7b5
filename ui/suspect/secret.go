package suspect

import "strings"

// Secret says whether a name sounds like that of a secret: what a form must
// not ask for (ELI-20, ELI-21).
func Secret(name string) bool {
	plain := plainName(name)
	if exactSecrets[plain] {
		return true
	}
	for _, part := range secretParts {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return false
}

// exactSecrets are names that only by themselves mean a secret.
var exactSecrets = map[string]bool{
	"pin": true, "pincode": true, "otp": true, "cvv": true, "cvc": true, "csc": true, "ssn": true, "pwd": true, "iban": true, "mfacode": true,
}

var secretParts = []string{
	"password", "passwd", "passphrase", "passcode", "secret", "apikey", "accesskey", "privatekey", "sshkey", "token",
	"credential", "cardnumber", "creditcard", "debitcard", "securitycode", "socialsecurity", "accountnumber", "mnemonic", "seedphrase",
	"kennwort", "passwort", "motdepasse", "contraseña",
}

// plainName is a name without case and without what joins its words. Names of
// numbers of tokens are no secrets.
func plainName(name string) string {
	plain := strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToLower(name))
	for _, counted := range []string{"maxtokens", "tokencount", "numtokens", "tokenlimit", "tokens"} {
		if plain == counted {
			return ""
		}
	}
	return plain
}
