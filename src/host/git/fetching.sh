# shellcheck shell=bash
# given: mirror url branch tag ref wanted private_url public_key known_hosts password_origin
# Functions that fetch a commit into a ref of the mirror. `wanted`: a commit, also by the first characters of its id, or empty: the
# newest of the branch; `tag`: one of which it is, or empty; `private_url`: the same repository over SSH, or empty; `public_key` and `known_hosts`: files;
# `password_origin`: the server that gets the password in the secrets, or empty.

# git's messages are matched below: the server's locale must not change their language.
export GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=http:https:ssh:git GIT_CONFIG_GLOBAL=/dev/null LC_ALL=C
options=(-c http.lowSpeedLimit=1000 -c http.lowSpeedTime=30 -c fetch.unpackLimit=500 -c gc.auto=0)
all=refs/longshore/all whose=''
# git calls the helper for this one server only: a redirect to another host gets no password. The helper's text holds no secret.
if [[ $password_origin ]]; then
  # shellcheck disable=SC2016
  helper='!answer() { [ "$1" = get ] || return 0; printf "username=%s\npassword=%s\n" "$(cat "$LONGSHORE_SECRETS/git-username")" "$(cat "$LONGSHORE_SECRETS/git-password")"; }; answer'
  options+=(-c credential.helper= -c "credential.$password_origin.helper=$helper")
fi
# The server's own keys are not offered: they would open repositories that the project was never allowed to read.
ssh=(ssh -F /dev/null -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o StrictHostKeyChecking=accept-new)
ssh+=(-o UserKnownHostsFile="$known_hosts" -o IdentitiesOnly=yes -o IdentityAgent=none -i "$LONGSHORE_SECRETS/deploy-key")
export GIT_SSH_COMMAND="${ssh[*]@Q}"

make_mirror() { # [OBJECT FORMAT], of git: sha1 by default
  rm -rf -- "${mirror:?}"/*
  git init --quiet --bare --template= ${1:+--object-format="$1"} "$mirror"
}
stop() { printf '%s\n' "$whose$1" >&2; exit 1; }
fetch_once() { said=$(git "${options[@]}" --git-dir="$mirror" fetch --quiet --no-tags --no-write-fetch-head "$@" 2>&1); }
# Fetches into the release's ref; git's output is in $said. Only the server knows the repository's object format, which the mirror needs to
# have, too; submodules have that of their repository.
fetch() {
  fetch_once "$@" && return
  [[ ! $whose && $said =~ mismatched\ algorithms:\ client\ (sha1|sha256)\;\ server\ (sha1|sha256) ]] || return
  make_mirror "${BASH_REMATCH[2]}"
  # The new mirror is not shallow.
  fetch_once "${@/#--unshallow/--quiet}"
}
fetch_or_repair() {
  fetch "$@" && return
  case $said in
    *"dumb http"*) fetch "${@:2}" && return ;;
    *corrupt* | *" is empty"* | *"bad object"* | *"not a git repository"* | *"unable to read"*)
      echo "The copy of the repository on this server is damaged; fetching it again."
      make_mirror
      fetch "$@" && return ;;
  esac
  explain
}
# A repository that cannot be read this way may be readable over SSH, with the deploy key.
try_privately() {
  [[ -n $private_url ]] || return
  echo "The repository is not public: fetching it over SSH with the project's deploy key."
  url=$private_url private_url=
  attempt
}
key_advice() {
  [[ $url != http* && -r $public_key ]] || return 0
  printf ' If it is private, add this deploy key to it with read access, and deploy again: %s' "$(< "$public_key")"
}
# The first of git's reasons that a person can act upon.
explain() {
  printf '%s\n' "$said"
  case $said in
    *"could not read Username"* | *"Authentication failed"* | *"error: 403"* | *"error: 401"* | *"not found"* | *"error: 404"*)
      ! try_privately || return 0 ;;
  esac
  case $said in
    *"couldn't find remote ref"*) stop "The branch $branch does not exist in the repository $url." ;;
    *"Host key verification failed"* | *"HOST IDENTIFICATION HAS CHANGED"*)
      stop "The host key of the git server is not the one seen before; the repository $url was not fetched." ;;
    *"could not read Username"* | *"Authentication failed"* | *"Permission denied"* | *"error: 403"* | *"error: 401"*)
      stop "The git server refused access to $url: the repository does not exist, or the key or token may not read it.$(key_advice)" ;;
    *"not found"* | *"does not appear to be a git repository"* | *"does not exist"* | *"error: 404"* | *"error: 410"*)
      stop "The repository $url does not exist, or it is hidden.$(key_advice)" ;;
    *"Could not resolve host"* | *"resolve hostname"* | *"unable to look up"*)
      stop "The name of the git server of $url could not be resolved." ;;
    *"refused"* | *"timed out"* | *"Failed to connect"* | *"Couldn't connect"* | *"unreachable"* | *"too slow"*)
      stop "The git server of $url could not be reached." ;;
    *"transport"*"not allowed"*) stop "The address $url is of a protocol that is not allowed, or leads to one." ;;
    *"mismatched algorithms"*) stop "The repository $url has another object format (SHA-1 or SHA-256) than the one it belongs to." ;;
    *"No space left"*) stop "The server's disk is full." ;;
  esac
  stop "git could not fetch $url: ${said##*$'\n'}"
}
# Not every server sends a commit that no branch points to: then the whole branch is searched.
has_commit() { git --git-dir="$mirror" cat-file -e "$wanted^{commit}" 2>/dev/null; }
fetch_wanted() {
  if is_abbreviated; then
    fetch_branches
    complete_wanted
    return
  fi
  if has_commit || fetch --depth=1 -- "$url" "+$wanted:$ref"; then return; fi
  case $said in
    *"not our ref"* | *"unadvertised object"* | *"couldn't find remote ref"* | *"dumb http"* | *"not found"*"$wanted"*)
      fetch_tag || fetch_branches ;;
    *) explain ;;
  esac
}
# The tag may have moved since.
fetch_tag() {
  [[ $tag ]] || return
  local what=(-- "$url" "+refs/tags/$tag:$ref")
  fetch --depth=1 "${what[@]}" || fetch "${what[@]}" || return
  has_commit
}
fetch_branches() {
  local depth=()
  [[ ! -e $mirror/shallow ]] || depth=(--unshallow)
  fetch "${depth[@]}" -- "$url" "+refs/heads/*:$all/*" || explain
}
# No server is asked for a part of an id: it may be that of several commits.
is_abbreviated() { [[ ${#wanted} != 40 && ${#wanted} != 64 ]]; }
complete_wanted() {
  local found=()
  mapfile -t found < <(git --git-dir="$mirror" rev-list --glob="$all" | grep "^$wanted")
  [[ ${#found[@]} -le 1 ]] ||
    stop "${#found[@]} commits of the repository $url begin with $wanted. Deploy one with more characters of its id."
  wanted=${found[0]:-$wanted}
}
attempt() {
  if [[ -n $wanted ]]; then fetch_wanted; else fetch_or_repair --depth=1 -- "$url" "+refs/heads/$branch:$ref"; fi
}
keep_wanted() {
  if is_abbreviated || ! has_commit; then stop "The commit $wanted does not exist in the repository $url."; fi
  # An annotated tag is an object of its own.
  git --git-dir="$mirror" update-ref "$ref" "$(git --git-dir="$mirror" rev-parse "$wanted^{commit}")"
}
