package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
)

// reads are the statuses of an operation that reads, writes those of one that
// changes something, beside its own.
var (
	reads  = []int{http.StatusUnauthorized, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusInternalServerError}
	writes = append([]int{http.StatusBadRequest, http.StatusForbidden, http.StatusConflict}, reads...)
)

// problem gives the answer to an error; internal says that it is ours and has
// to be logged, for the answer tells nothing of it.
func problem(err error, request string) (p *huma.ErrorModel, internal bool) {
	var ours *posture.Error
	var tooLarge *http.MaxBytesError
	var route *echo.HTTPError
	status, text := http.StatusInternalServerError, "Something failed on our side. What you asked for was not done. Give your operator the number of this request: "+request+"."
	switch {
	case errors.As(err, &ours) && ours.Kind != posture.Internal:
		status, text = statusOf(ours.Kind), ours.Text
	case errors.As(err, &tooLarge):
		status, text = http.StatusRequestEntityTooLarge, "This is more than a request may carry: 1 MiB, an upload 12 MiB."
	case errors.As(err, &route) && route.Code < http.StatusInternalServerError:
		status, text = route.Code, "There is no such address or method here. "+Prefix+"/openapi.json lists them."
	default:
		internal = true
	}
	p = &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: text}
	if request != "" {
		p.Instance = "urn:demarc:request:" + request
	}
	if ours != nil && !internal {
		for _, f := range ours.Fields {
			p.Errors = append(p.Errors, &huma.ErrorDetail{Message: f.Text, Location: "body." + f.Field})
		}
		if p.Detail == "" {
			p.Detail = "Nothing was changed: " + fieldsWords(ours.Fields)
		}
	}
	return p, internal
}

func statusOf(kind posture.ErrorKind) int {
	switch kind {
	case posture.NotFound:
		return http.StatusNotFound
	case posture.Forbidden:
		return http.StatusForbidden
	case posture.Conflicting:
		return http.StatusConflict
	case posture.Invalid:
		return http.StatusUnprocessableEntity
	case posture.SignInNeeded:
		return http.StatusUnauthorized
	case posture.Internal:
	}
	return http.StatusInternalServerError
}

func fieldsWords(fields []posture.FieldError) string {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.Field)
	}
	return "look at " + strings.Join(names, ", ") + "."
}

// fail gives the problem that answers an error of a handler and keeps what is
// ours for the log.
func (c *call) fail(err error) error {
	p, internal := problem(err, c.id)
	if internal {
		c.fault = err
	}
	return p
}

// Answer writes the problem that answers an error, unless an answer has begun.
// It gives the error back where it is ours, for the log.
func (a *API) Answer(c echo.Context, err error) error {
	p, internal := problem(err, a.request(c))
	if w := c.Response(); !w.Committed {
		body, wrong := json.Marshal(p)
		if wrong != nil {
			return errors.Join(err, wrong)
		}
		if p.Status == http.StatusUnauthorized {
			w.Header().Set(echo.HeaderWWWAuthenticate, `Bearer realm="demarc"`)
		}
		if wrong := c.Blob(p.Status, "application/problem+json", body); wrong != nil {
			return errors.Join(err, wrong)
		}
	}
	if internal {
		return err
	}
	return nil
}
