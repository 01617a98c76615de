package store

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The argon2id parameters of new hashes: OWASP's first choice of 2026 for
// servers, 19 MiB, two passes, one lane.
const (
	argonMemory = 19 * 1024
	argonPasses = 2
	argonLanes  = 1
	argonBytes  = 32
)

// hashPassword gives the PHC string of a password.
func hashPassword(password string) string {
	salt := make([]byte, 16)
	rand.Read(salt)
	sum := argon2.IDKey([]byte(password), salt, argonPasses, argonMemory, argonLanes, argonBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonPasses, argonLanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

// passwordMatches compares in constant time. A string that is no hash matches
// nothing and takes as long.
func passwordMatches(phc, password string) bool {
	var version, memory, passes, lanes int
	parts := strings.Split(phc, "$")
	ok := len(parts) == 6 && parts[1] == "argon2id"
	if ok {
		_, errV := fmt.Sscanf(parts[2], "v=%d", &version)
		_, errP := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &lanes)
		ok = errV == nil && errP == nil && version == argon2.Version && memory > 0 && passes > 0 && lanes > 0
	}
	if !ok {
		argon2.IDKey([]byte(password), make([]byte, 16), argonPasses, argonMemory, argonLanes, argonBytes)
		return false
	}
	salt, errS := base64.RawStdEncoding.DecodeString(parts[4])
	want, errW := base64.RawStdEncoding.DecodeString(parts[5])
	if errS != nil || errW != nil || len(want) == 0 {
		return false
	}
	got := argon2.IDKey([]byte(password), salt, uint32(passes), uint32(memory), uint8(lanes), uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}
