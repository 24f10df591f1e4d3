# shellcheck shell=bash
# uses: runner/put-file.sh, lock-nginx.sh
# Writes files of nginx.

# A file that nginx rejects is reverted at once, so that the running nginx can always be restarted. The former file is
# kept outside its directory, whose time of change `apply_changes` looks at.
put_nginx() { # PATH CONTENT
  local path=$1
  lock_nginx
  scratch=$(mktemp)
  if [ -e "$path" ]; then cp -p "$path" "$scratch"; else rm "$scratch"; fi
  put_file "$path" 0640 "$2"
  if nginx -t -q; then
    rm -f "$scratch"
    return
  fi
  if [ -e "$scratch" ]; then mv "$scratch" "$path"; else rm "$path"; fi
  fail "nginx rejects the new $path (the reason is above); the former state was put back."
}
