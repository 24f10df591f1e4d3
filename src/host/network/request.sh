# shellcheck shell=bash disable=SC2034
# Functions that send HTTP requests to the server itself. They start no process: a check that is repeated every few
# milliseconds must not slow the server down.

# An answer that ends early must not end this script.
trap '' PIPE
http_get() {
  local line='' header='' end=$((SECONDS + 10))
  status='' body='' location=''
  [[ ! ${candidate-} ]] || printf -v header 'X-Longshore-Candidate: %s\r\n' "$candidate"
  { exec 3<>"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null || return 0
  # A process is asked with the headers that nginx sends: some fail without them, as SvelteKit does without X-Real-IP.
  printf 'GET %s HTTP/1.0\r\nHost: %s\r\nUser-Agent: longshore\r\n' "$3" "$2" >&3 2>/dev/null || true
  printf 'X-Real-IP: 127.0.0.1\r\nX-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: %s\r\n%s\r\n' "$2" "$header" >&3 2>/dev/null || true
  IFS= read -r -t 10 -n 8192 -u 3 line || true
  if [[ $line =~ ^HTTP/[0-9.]+\ ([0-9]{3}) ]]; then status=${BASH_REMATCH[1]}; fi
  # Headers may have no end.
  while ((SECONDS < end)) && IFS= read -r -t 10 -n 8192 -u 3 line && [[ $line != $'\r' ]]; do
    if [[ $line =~ ^[Ll]ocation:\ *(.*) ]]; then location=${BASH_REMATCH[1]%$'\r'}; fi
  done
  IFS= read -r -t 10 -u 3 -n 4096 body 2>/dev/null || true
  if [[ ${whole-} ]]; then
    IFS= read -r -d '' -t 3 -u 3 -n 65536 page 2>/dev/null || true
    page=$body$'\n'$page
  fi
  exec 3>&-
}
https_get() {
  local answer
  # A page may have no end: its beginning is kept, and the end, where curl's own line is.
  # What is the server's own is not asked for through the proxy that /etc/environment may name.
  answer=$(curl -sk --noproxy '*' --max-time 10 --resolve "$1:443:127.0.0.1" -H @- -w '\n%{http_code} %{redirect_url}' -- "https://$1$2" \
    <<< "${candidate:+X-Longshore-Candidate: $candidate}" | { head -c "${whole:+6}4096"; tail -c 8192; } | tr -d '\0') || true
  body=${answer%%$'\n'*} body=${body:0:4096}
  if [[ ${whole-} ]]; then page=${answer%$'\n'*}; fi
  read -r status location <<< "${answer##*$'\n'}" || true
  [[ $status =~ ^[1-9][0-9]{2}$ ]] || status=''
}
