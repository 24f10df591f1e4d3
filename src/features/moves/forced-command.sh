# shellcheck shell=bash
# uses: databases/named.sh
# given: user shared sessions release downloads known_hosts deploy_key certificates no_such_file
# The program that a move's key runs on the source. `no_such_file`: an exit code; `release` and `downloads`: of an application, else
# empty.

set -euo pipefail
export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
as_user=(setpriv "--reuid=$user" "--regid=$user" --init-groups --no-new-privs --)

refuse() { exit 65; }
hand_out() { # DIRECTORY
  # Only an application has all of them.
  [[ $1 ]] || refuse
  # The destination's input; -L would follow links out of the directory, -s take further options from there.
  [[ ${words[3]} =~ ^-[lHtpr]+e\.[a-zA-Z]*$ ]] || refuse
  # A directory that is not there is handed out as an empty one.
  "${as_user[@]}" mkdir -p -- "$1/"
  exec "${as_user[@]}" rsync --server --sender "${words[3]}" . "$1/"
}
hand_file() { # PATH
  [[ -f $1 ]] || exit "$no_such_file"
  exec cat -- "$1"
}
hand_certificate() {
  [[ ${words[1]} =~ ^[0-9]+$ && ${words[2]} =~ ^(fullchain|privkey)\.pem$ ]] || refuse
  hand_file "$certificates/${words[1]}/${words[2]}"
}

# The project's approximate size in kilobytes, for the check of the destination's disk space.
print_size() {
  local directories=("$shared" "$sessions") size total
  if [[ $release ]]; then directories+=("$release"); fi
  total=$({ "${as_user[@]}" du --summarize --block-size=1K --total -- "${directories[@]}" || true; } | cut -f 1 | last_number)
  while read -r size; do
    [[ ! $size =~ ^[0-9]{1,15}$ ]] || total=$((total + size))
  done < <(print_sizes)
  echo "$total"
}
last_number() { tail -n 1 | tr -dc 0-9; }
read -ra words <<< "${SSH_ORIGINAL_COMMAND-}"
case "${words[*]}" in
  ready) ;;
  size) print_size ;;
  known-hosts) hand_file "$known_hosts" ;;
  deploy-key) hand_file "$deploy_key" ;;
  deploy-key.pub) hand_file "$deploy_key.pub" ;;
  "certificate "*) hand_certificate ;;
  "dump "*) dump_named "${words[*]:1}" || refuse ;;
  "rsync --server --sender -"*" . shared/") hand_out "$shared" ;;
  "rsync --server --sender -"*" . sessions/") hand_out "$sessions" ;;
  "rsync --server --sender -"*" . release/") hand_out "$release" ;;
  "rsync --server --sender -"*" . downloads/") hand_out "$downloads" ;;
  *) refuse ;;
esac
