package pg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user PostgreSQL runs as.
type account struct {
	name     string // "postgres"; "with uid 12345" when the system has no name for it
	uid, gid uint32
	switched bool // we are root and hand our children to this user
}

// credential is what a child is started with: nil when it runs as we do.
func (a account) credential() *syscall.Credential {
	if !a.switched {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid, Groups: []uint32{}}
}

// accountOf names a user id; its group is the one of the passwd entry, or the same number.
func accountOf(uid uint32) account {
	a := account{name: fmt.Sprintf("with uid %d", uid), uid: uid, gid: uid}
	if u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10)); err == nil {
		a.name = u.Username
		a.gid = parseID(u.Gid, uid)
	}
	return a
}

func parseID(s string, otherwise uint32) uint32 {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return otherwise
	}
	return uint32(n)
}

// runAs decides who PostgreSQL runs as. An ordinary user runs it himself. For root the owner of an existing cluster decides, so that a
// user postgres that appears later does not lock out a cluster that nobody made; else it is postgres, else nobody.
func runAs(euid int, data string) (account, error) {
	owner, exists, err := ownerOf(data)
	if err != nil {
		return account{}, err
	}
	if euid != 0 {
		me := accountOf(uint32(euid))
		if exists && owner.uid != me.uid {
			return account{}, refuse(nil, "%s belongs to user %s and PostgreSQL would run as user %s: run as %s, or choose another data directory with --data-dir",
				data, owner.name, me.name, owner.name)
		}
		return me, nil
	}
	if exists {
		if owner.uid == 0 {
			return account{}, refuse(nil, "%s belongs to root and PostgreSQL refuses to run as root: give the folder to another user (chown -R postgres %s)", data, data)
		}
		owner.switched = true
		return owner, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			a := account{name: name, uid: parseID(u.Uid, 0), switched: true}
			a.gid = parseID(u.Gid, a.uid)
			if a.uid != 0 {
				return a, nil
			}
		}
	}
	return account{}, refuse(nil, "PostgreSQL refuses to run as root and this system has neither a user postgres nor a user nobody: create one (useradd --system postgres), or run as an ordinary user")
}

// ownerOf reports whose the cluster in data is. An empty folder is no cluster yet.
func ownerOf(data string) (owner account, exists bool, err error) {
	info, err := os.Stat(data)
	if errors.Is(err, fs.ErrNotExist) {
		return account{}, false, nil
	}
	if err != nil {
		return account{}, false, refuse(err, "could not look at %s (%s): check the data directory", data, plain(err))
	}
	if entries, err := os.ReadDir(data); err == nil && len(entries) == 0 {
		return account{}, false, nil
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return account{}, false, refuse(nil, "this system does not say whom %s belongs to", data)
	}
	owner = accountOf(st.Uid)
	owner.gid = st.Gid
	return owner, true, nil
}
