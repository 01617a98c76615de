package web

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"demarc/store"
	"demarc/store/posture"
)

// desk is who makes a request, loaded once by the access middleware.
type desk struct {
	access posture.Access
	person posture.Person
	nav    store.Nav
}

// The keys of what middleware leaves in echo's context.
const (
	keyRequest = "demarc.request"
	keyDesk    = "demarc.desk"
	keyAsOf    = "demarc.as_of"
	keyFault   = "demarc.fault"
)

// requestID gives the id that is logged, audited and shown on a 500.
func requestID(c echo.Context) string {
	id, _ := c.Get(keyRequest).(string)
	return id
}

// deskOf gives who is signed in; found is false before sign-in.
func deskOf(c echo.Context) (d desk, found bool) {
	d, found = c.Get(keyDesk).(desk)
	return d, found
}

// access gives the Access that every store method takes. Behind the access
// middleware somebody is always signed in.
func access(c echo.Context) posture.Access {
	d, _ := deskOf(c)
	return d.access
}

// asOf gives the instant that the request reads at; the zero value is now.
func asOf(c echo.Context) posture.AsOf {
	a, _ := c.Get(keyAsOf).(posture.AsOf)
	return a
}

// pathID reads a numeric id of the address; anything else is a thing that does
// not exist.
func pathID(c echo.Context, what string) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, posture.NotFoundError(what)
	}
	return id, nil
}
