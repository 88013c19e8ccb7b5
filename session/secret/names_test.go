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
		"card_no", "cardNo", "CARD-NO", "cardnum", "card_nr", "cc_num", "ccNumber", "CC_NO", "ccnum", "pan", "PAN", "card_pan", "panNumber", "pan_no", "privkey", "priv_key", "privKeyPem",
		"パスワード", "ﾊﾟｽﾜｰﾄﾞ", "新しいパスワード", "暗証番号", "口令", "비밀번호", "Пароль", "ПАРОЛЬ", "новый_пароль", "Passwort", "mot de passe", "Mot_De_Passe", "CONTRASEÑA",
		"contrasen\u0303a", "ｐａｓｓｗｏｒｄ", "hasło", "HASŁO", "heslo", "salasana", "lösenord", "Passord", "Şifre", "ŞİFRE", "Mật khẩu", "MẬT_KHẨU", "kata_sandi", "סיסמה", "كلمة المرور", "รหัสผ่าน",
		"पासवर्ड", "κωδικός πρόσβασης", "Κωδικός_πρόσβασης", "лозинка", "palavra-passe", "jelszó", "JELSZÓ",
		"api%5Fkey", "API%5fKEY", "api%255Fkey", "%70%69%6e", "pass%77ord", "%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C", "mot+de+passe", "api%20key",
	} {
		if !IsName(name) {
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
		"company", "panel", "span", "pane", "panic", "expand", "japan", "camera_pan", "panX", "pan_x", "stereoPan", "cardNote", "cardNotes", "discard_no_reply", "account", "success", "cc", "bcc",
		"accNum", "hasLocation", "the_slow", "passOrder", "cipher", "parole", "暗号", "密度", "口", "ключ", "hash_loader", "cardinality", "private", "privilege",
		"%", "100%", "%5", "p%69e", "page%5Fsize", "%6B%65%79", "max%5Ftokens",
	} {
		if IsName(name) {
			t.Errorf("%s counts as a secret", name)
		}
	}
	for _, letter := range []string{"a", "%61"} {
		if long := strings.Repeat(letter, 1<<20) + "password"; IsName(long) {
			t.Error("a name without end is read to its end")
		}
	}
}

// A mask looks closer at a text only where a hint stands: every name must have one.
func TestEverySecretNameHasAHint(t *testing.T) {
	mask := NewMask("k")
	for _, terms := range [][]string{anyTerms, endTerms, wordTerms, {"cc_num", "CC-NUMBER", "cc number", "ccNo", "ﾊﾟｽﾜｰﾄﾞ", "mật_khẩu", "kata_sandi", "κωδικός_πρόσβασης"}} {
		for _, name := range terms {
			for _, spelt := range []string{name, strings.ToUpper(name)} {
				line := `{"` + spelt + `":"S3CRET-1"}`
				if got := mask.RedactText(line); IsName(spelt) && strings.Contains(got, "S3CRET") {
					t.Errorf("%s is not masked", line)
				}
			}
			if !IsName(name) {
				t.Errorf("%s is no secret", name)
			}
		}
	}
}

func TestNamedInAddress(t *testing.T) {
	for name, want := range map[string]bool{"key": true, "sig": true, "X-Amz-Signature": false, "signature": true, "sessionId": true, "token": true, "page": false, "keys": false} {
		if IsNameInAddress(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestNamedInField(t *testing.T) {
	for name, want := range map[string]bool{
		"X-My-Session": true, "Session": true, "X-Session-Id": true, "X-SessionID": true, "X-Auth": true, "X-Sid": true, "X-Hub-Signature": true, "X-Amz-Signature": true,
		"X-Api-Key": true, "Cookie": true, "X-Key": true, "Proxy-Authorization": true, "X-Auth-Token": true, "X-Vault-Token": true, "PRIVATE-TOKEN": true,
		"X-Functions-Key": true, "X-Service-Key": true, "X-Host-Key": true, "Linear-Key": true, "Ocp-Apim-Subscription-Key": true,
		"Sec-WebSocket-Key": false, "X-Idempotency-Key": false, "Surrogate-Key": false, "X-Partition-Key": false, "X-Public-Key": false, "X-Monkey": false,
		"X": false, "": false, "X-Trace": false, "Session-Timeout": false, "X-Sessions": false, "Idempotency-Key": false, "X-Author": false, "User-Agent": false,
		"X-Request-Id": false, "Accept-Language": false,
	} {
		if IsNameOfHeader(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
