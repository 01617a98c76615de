package store

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"demarc/store/posture"
)

// identityArray selects the facets of a row in posture's order.
const identityArray = `array[vendor, product, variant, version, image, policy, config, region, tools, model, environment]`

// identityColumns lists the same columns for an insert.
const identityColumns = `vendor, product, variant, version, image, policy, config, region, tools, model, environment`

func identityFrom(facets []string) posture.Identity {
	var id posture.Identity
	copy(id[:], facets)
	return id
}

// identityValues gives the values of identityColumns.
func identityValues(id *posture.Identity) []any {
	values := make([]any, len(id))
	for i, v := range id {
		values[i] = v
	}
	return values
}

// The readable ids of records: a letter for the kind and the row's number.
func evidenceID(row int64) string   { return readableID('E', row) }
func closureID(row int64) string    { return readableID('K', row) }
func acceptanceID(row int64) string { return readableID('A', row) }
func rulingID(row int64) string     { return readableID('N', row) }

func readableID(prefix byte, row int64) string {
	return fmt.Sprintf("%c-%04d", prefix, row)
}

// parseID reads a readable id of one kind; anything else is not found.
func parseID(prefix byte, id string) (int64, error) {
	if len(id) > 2 && id[0] == prefix && id[1] == '-' {
		if row, err := strconv.ParseInt(id[2:], 10, 64); err == nil && row > 0 {
			return row, nil
		}
	}
	return 0, posture.NotFoundError("record " + strings.ToValidUTF8(id, "?"))
}

// evidenceRows reads the ids of records.
func evidenceRows(ids []string) ([]int64, error) {
	rows := make([]int64, len(ids))
	for i, id := range ids {
		row, err := parseID('E', id)
		if err != nil {
			return nil, err
		}
		rows[i] = row
	}
	return rows, nil
}

// evidenceIDs gives the ids of records; nil for none.
func evidenceIDs(rows []int64) []string {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = evidenceID(row)
	}
	return ids
}

// instant reads a nullable or infinite timestamp; both are the zero time.
func instant(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}
