// Package rawjson finds the members and elements of JSON that stays raw.
//
// A message is walked over once by a [Walker], which checks it and finds the members
// that are asked for on its way. After that its parts are found by counting brackets,
// which costs a tenth of reading its tokens again. Both give parts of the message:
// nothing is copied. Other than a Walker, nothing may be used on bytes that nobody has
// checked, but for [Lookup] and [Strings], which read what they are given token by token.
package rawjson
