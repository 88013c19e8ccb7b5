package main

import (
	"context"
	"errors"
)

func serve(context.Context, string, server) (url string, end func(), err error) {
	return "", nil, errors.New("servers over HTTP are started on Unix only")
}
