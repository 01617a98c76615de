//go:build unix && !linux

package pg

import "context"

func moreHelpers() map[string]func(context.Context) error { return nil }
