package suspect

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// lookalikes are the letters that most fonts draw as one of ASCII, or nearly so: those of
// Cyrillic, Greek and Armenian, and some of Latin beyond ASCII. Unicode's list of
// confusables has ten thousand more, of which hosts may have few.
var lookalikes = func() map[rune]rune {
	all := map[rune]rune{}
	for _, pair := range strings.Fields(`аa сc ԁd еe һh іi јj ӏl оo рp ԛq ѕs ѵv ԝw хx уy гr пn кk ьb үy ґr ҽe
		αa γy ιi κk νv οo ρp τt υu χx ωw ϲc ϳj
		օo սu հh ոn ցg զq ղn յj
		ıi ɩi ɑa ɡg ʏy ʋu ƅb ƽs ǀl ɪi ꜱs ᴄc ᴏo ᴠv ᴡw ᴢz`) {
		r := []rune(pair)
		all[r[0]] = r[1]
	}
	return all
}()

// dotBelow is the one mark that is easily missed below a letter.
const dotBelow = '\u0323'

// inASCII is what a label looks like in ASCII, and whether all of it does.
func inASCII(label string) (looks string, ok bool) {
	var b strings.Builder
	for _, r := range norm.NFD.String(label) {
		if like, is := lookalikes[r]; is {
			r = like
		}
		switch {
		case r == dotBelow:
		case r > unicode.MaxASCII:
			return "", false
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), true
}
