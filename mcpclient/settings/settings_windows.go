package settings

// nonblock is nothing: no pipe lies in a directory.
const nonblock = 0

func check(string) error { return nil }
