// Package config reads the files in which MCP clients keep their servers, and
// makes something of an entry that can be run.
//
//	files    Places says where they are, Read reads one, Gather all of them
//	entries  Collection.Find takes one by its name, the nearest first
//	values   Server.Open reads an envFile, Opened.Resolve puts in what ${…} stands for
//	consent  Consents remembers which entries the user has allowed to run
//
// It touches nothing but the files that it is given. The environment, the
// user's answers and the kind of system are arguments.
//
// A file is not trusted: it may come with a repository that was just cloned.
// Nothing of it runs because it was read. What it says of variables, headers
// and inputs may be secret, so no error and no text of this package holds their
// values; an [Error] names file, line, column and key.
package config
