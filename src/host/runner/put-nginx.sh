# shellcheck shell=bash
# Writes files of nginx.

# A file that nginx rejects is reverted at once, so that the running nginx can always be restarted.
put_nginx() { # PATH CONTENT
  local path=$1 former=
  lock_nginx
  if [ -e "$path" ]; then former=$(mktemp) && cp -p "$path" "$former"; fi
  put_file "$path" 0640 "$2"
  if nginx -t -q; then
    [ -z "$former" ] || rm "$former"
    return
  fi
  if [ -n "$former" ]; then mv "$former" "$path"; else rm "$path"; fi
  fail "nginx rejects the new $path (the reason is above); the former state was put back."
}
