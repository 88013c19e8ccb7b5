// Package rawjson finds its way in JSON that stays raw.
//
// A message is validated once, as a whole. After that its parts are found by
// counting brackets, which costs a tenth of reading its tokens again, and they
// are parts of the message: nothing is copied. None of it may be used on bytes
// that nobody has validated, but for [Lookup] and [Strings], which read what
// they are given token by token.
package rawjson
