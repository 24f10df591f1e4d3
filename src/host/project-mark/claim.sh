# shellcheck shell=bash
# uses: runner/put-file.sh
# given: id mark_file mark may_adopt project_directory user
# Claims a project's number on this server, or fails when it is another project's. `may_adopt`: empty: no.
holder=
if [ -e "$mark_file" ]; then
  read -r holder < "$mark_file" || true
elif [ -z "$may_adopt" ] && { [ -e "$project_directory" ] || getent passwd "$user" > /dev/null; }; then
  holder=unknown
fi
if [ -n "$holder" ] && [ "$holder" != "$mark" ]; then
  fail "This server has another project with the number $id, in $project_directory, which is not in Longshore's records: another installation's, or one from before a backup was restored. It stays as it is. Delete this project and create it again: the new one gets another number."
fi
if [ -z "$holder" ]; then
  marks=${mark_file%/*}
  if [ ! -d "$marks" ]; then
    mkdir -p -- "$marks"
    chmod 700 -- "$marks"
  fi
  put_file "$mark_file" 0600 "$mark"$'\n' > /dev/null
fi
