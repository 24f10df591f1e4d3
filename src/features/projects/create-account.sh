# shellcheck shell=bash
# given: user uid home git_user mirror last_uid
# Creates the users of a project. `uid`: of the first; the other has the next one; `last_uid`: of all projects.

add_user() { # NAME ID HOME
  if getent passwd "$1" > /dev/null; then return; fi
  useradd --system --key "SYS_UID_MAX=$last_uid" --uid "$2" --gid "$user" --no-create-home --home-dir "$3" --shell /usr/sbin/nologin "$1"
  echo "Created the user $1."
}
getent group "$user" > /dev/null || groupadd --system --key "SYS_GID_MAX=$last_uid" --gid "$uid" "$user"
add_user "$user" "$uid" "$home"
add_user "$git_user" "$((uid + 1))" "$mirror"
# nginx reads what it serves as a member of the project's group.
if [[ " $(id -nG www-data) " != *" $user "* ]]; then usermod --append --groups "$user" www-data; fi
