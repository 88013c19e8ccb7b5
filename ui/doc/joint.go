package doc

// joint is how a line of a document goes on with the line above: a search reads the lines
// of a wrapped text as the one text that they were.
type joint uint8

const (
	apart  joint = iota // it begins a text
	glued               // it goes on with the text above
	spaced              // it goes on with the text above, behind a space that is not shown
	aside               // it is a note of belay's about the document, which no search finds
)

// goesOn reports whether the line goes on with the line above.
func (l Line) goesOn() bool { return l.joint() == glued || l.joint() == spaced }

// joint is how the line goes on with the line above.
func (l Line) joint() joint {
	if len(l) == 0 {
		return apart
	}
	return l[0].joint
}

// words are the spans of the line that belong to its text: without the indent, or the mark,
// of a line that goes on with another.
func (l Line) words() Line {
	if !l.goesOn() {
		return l
	}
	return l[1:]
}

// begin is the line as the first one of a text.
func (l Line) begin() Line { return l.as(apart) }

// as is the line with another joint.
func (l Line) as(j joint) Line {
	if l.joint() == j || len(l) == 0 {
		return l
	}
	l = append(Line(nil), l...)
	l[0].joint = j
	return l
}
