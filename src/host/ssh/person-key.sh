# shellcheck shell=bash
# given: file settings
# Finds out whether a person could still sign in if sshd took no passwords. A wrong yes locks people out, so only what opens an
# account from every address and for good counts. A wrong no leaves passwords as they are.

# Prints the account of root, or of one that becomes root with sudo, that a person's key opens; fails when there is none.
person_key_opens() { # CONTROL_PLANE_KEY
  local name uid gid home shell
  while IFS=: read -r name _ uid gid _ home shell; do
    [[ -x $shell && $shell != */@(nologin|false|sync) ]] || continue
    opens_with_key "$name" "$uid" "$gid" "$home" "$1" || continue
    [[ $uid == 0 ]] || becomes_root "$name" || continue
    echo "$name"
    return 0
  done < <(getent passwd)
  return 1
}

opens_with_key() { # ACCOUNT UID GID HOME CONTROL_PLANE_KEY
  local settings line file files accepted
  # A documentation address (RFC 5737): settings for particular addresses, which may not be the person's, do not match.
  settings=$(sshd -T -C "user=$1,host=client.invalid,addr=192.0.2.1") || return 1
  for line in 'pubkeyauthentication yes' 'forcecommand none' 'chrootdirectory none' 'revokedkeys none'; do
    grep -qx "$line" <<<"$settings" || return 1
  done
  grep -qxE 'authenticationmethods (any|publickey)' <<<"$settings" || return 1
  # Patterns are not evaluated here: they can name groups and addresses. What is left can only keep out others than root, as
  # which the control plane signed in.
  if grep -q '^allowusers ' <<<"$settings" && ! grep -qxF "allowusers $1" <<<"$settings"; then return 1; fi
  if [[ $1 != root ]] && grep -qE '^(allowgroups|denyusers|denygroups) ' <<<"$settings"; then return 1; fi
  [[ -z $(getent shadow "$1" | cut -d : -f 8) ]] || return 1 # the account expires
  accepted=$(sed -n 's/^pubkeyacceptedalgorithms //p' <<<"$settings")
  read -ra files <<<"$(sed -n 's/^authorizedkeysfile //p' <<<"$settings")"
  for file in "${files[@]}"; do
    file=${file//%h/$4} file=${file//%u/$1} file=${file//%U/$2}
    [[ $file == /* ]] || file=$4/$file
    is_read_by_sshd "$file" "$1" "$4" || continue
    # As the account, as sshd reads it.
    holds_persons_key "$5" "$accepted" <<<"$(setpriv --reuid="$2" --regid="$3" --init-groups cat -- "$file")" && return 0
  done
  return 1
}

# What StrictModes requires: up to the home, or the root directory, only root and the account can write.
is_read_by_sshd() { # FILE ACCOUNT HOME
  local path home
  [[ -f $1 ]] && path=$(realpath -e -- "$1") && home=$(realpath -e -- "$3") || return 1
  while [[ -z $(find "$path" -maxdepth 0 \( -perm /022 -o ! -user root ! -user "$2" \)) ]]; do
    if [[ $path == "$home" || $path == / ]]; then return 0; fi
    path=$(dirname -- "$path")
  done
  return 1
}

# Options other than these can bind a key to a command, an address or a time. A control plane's keys have these comments.
holds_persons_key() { # CONTROL_PLANE_KEY ACCEPTED_ALGORITHMS; keys on standard input
  local option='((no-)?(agent-forwarding|port-forwarding|X11-forwarding|user-rc)|pty)'
  local type='(ssh-(ed25519|rsa)|ecdsa-sha2-nistp[0-9]+|sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)'
  local kind blob comment own
  read -r _ own _ <<<"$1"
  while read -r kind blob comment; do
    [[ $blob != "$own" && ! $comment =~ ^longshore(-move-[0-9]+)?$ ]] || continue
    [[ ,$2, == *",${kind/#ssh-rsa/rsa-sha2-512},"* ]] || continue
    ssh-keygen -l -f - <<<"$kind $blob" >/dev/null 2>&1 && return 0
  done < <(sed -nE "s/\r$//; s/^[ \t]*($option(,$option)*[ \t]+)?(${type}[ \t].*)$/\9/p")
  return 1
}

# Whether sudo runs any command as root: without a password, or with the one that the account has.
becomes_root() { # ACCOUNT
  local rights all='^ *\((root|ALL)( ?: ?ALL)?\)'
  rights=$(LC_ALL=C sudo -n -l -U "$1" 2>/dev/null) || return 1
  if grep -qE "$all NOPASSWD: ALL$" <<<"$rights"; then return 0; fi
  grep -qE "$all (PASSWD: )?ALL$" <<<"$rights" && [[ $(LC_ALL=C passwd -S "$1" | cut -d ' ' -f 2) == P ]]
}
