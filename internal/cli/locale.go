package cli

import "strings"

// spellsUTF8 reports whether the locale of an environment lets a program write UTF-8.
// The first variable that is set decides, as POSIX has it. Where none is, as in many
// containers and remote shells, the terminal most likely reads UTF-8 all the same; and
// a locale that names no charset is taken for one of UTF-8, unless it is C or POSIX.
func spellsUTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := getenv(name)
		if locale == "" {
			continue
		}
		locale, _, _ = strings.Cut(locale, "@")
		if locale == "C" || locale == "POSIX" {
			return false
		}
		_, charset, named := strings.Cut(locale, ".")
		return !named || strings.EqualFold(strings.ReplaceAll(charset, "-", ""), "utf8")
	}
	return true
}
