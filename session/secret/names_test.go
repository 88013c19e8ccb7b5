package secret

import (
	"strings"
	"testing"
)

// The names of secrets, and names that only look like them: one list for forms
// and recordings.
func TestNamed(t *testing.T) {
	for _, name := range []string{
		"cardNumber", "cvv", "ssn", "sshKey", "seedPhrase", "pin", "otp", "kennwort", "creditCard", "debit_card", "securityCode", "socialSecurity",
		"socialSecurityNumber", "accountNumber", "mnemonic", "passwort", "motDePasse", "mot_de_passe", "contraseña", "iban", "mfaCode", "cvc", "csc", "pinCode",
		"password", "passwd", "passphrase", "PassPhrase", "passcode", "pwd", "secret", "secrets", "token", "apiKey", "api_key", "API-Key", "APIKEY", "X-Api-Key",
		"accessKey", "AWS_SECRET_ACCESS_KEY", "secretKey", "privateKey", "signing_key", "encryptionKey", "masterKey", "accountKey", "subscriptionKey", "sharedKey",
		"authKey", "authorization", "Proxy-Authorization", "cookie", "Set-Cookie", "cookies", "credential", "credentials", "GOOGLE_CREDENTIALS", "bearer", "jwt",
		"connectionString", "card number", "CARD_NUMBER", "cardnumber", "access_token", "accessToken", "authtoken", "GITHUB_TOKEN", "refreshTokens",
		"clientSecret", "clientsecret", "DB_PASS", "pass", "userPin", "PIN2", "cvv2", "PINNumber", "smsOtp", "otp_code", "totp", "password2", "newPassword",
		"passwordConfirmation", "oldpassword", "passwordHash", "dbPwd", "secretValue", "accessKeyId", "recovery-phrase", "пароль", "密码", "card.number",
	} {
		if !Named(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range []string{
		"", "name", "email", "branch", "key", "keys", "keyboard", "keyword", "monkey", "hotkey", "primaryKey", "public_key", "pinned", "spinner", "opinion",
		"shipping", "pinMessage", "gpioPin", "mapping", "author", "authority", "auth", "tokenizer", "tokenize", "tokens", "max_tokens", "maxTokens", "token_count",
		"tokenLimit", "inputTokens", "max_token", "progressToken", "nextPageToken", "pagetoken", "page_token", "next_token", "syncToken", "eos_token",
		"passage", "passenger", "bypass", "compass", "passed", "password_policy", "passwordMinLength", "hasPassword", "forgot_password", "passwordless",
		"tokenType", "token_endpoint", "secretary", "cookieConsent", "cookiecutter", "session", "sid", "boardingPass", "option", "potion", "captcha",
		"assassin", "obscure", "account", "number", "security", "code", "phrase", "seed", "card", "ssh", "iBanish", "classname", "mfaEnabled",
	} {
		if Named(name) {
			t.Errorf("%s counts as a secret", name)
		}
	}
	if long := strings.Repeat("a", 1<<20) + "password"; Named(long) {
		t.Error("a name without end is read to its end")
	}
}

func TestNamedInAddress(t *testing.T) {
	for name, want := range map[string]bool{"key": true, "sig": true, "X-Amz-Signature": false, "signature": true, "sessionId": true, "token": true, "page": false, "keys": false} {
		if NamedInAddress(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
