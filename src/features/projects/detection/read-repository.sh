# shellcheck shell=bash
# given: most_paths url branch largest_pack most_files largest_file names paths
# Reads a few files of the newest commit of a branch, and prints them. `largest_pack`: in blocks of 1 KiB; `largest_file`: in bytes;
# `names` and `paths`: arrays of patterns of files to read.

stop() { printf '%s\n' "$1" >&2; exit 1; }
# No file that git writes gets larger: a pack is one.
ulimit -f "$largest_pack"
export GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=http:https:git GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
cd "$(mktemp -d)" || exit
git init --quiet --bare --template= .
git config remote.origin.url "$url"
git config remote.origin.promisor true
git config remote.origin.partialclonefilter blob:none
fetch() {
  git -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=20 -c gc.auto=0 -c protocol.version=2 \
    fetch --quiet --no-tags --no-write-fetch-head --recurse-submodules=no --filter=blob:none "$@"
}
if ! said=$(fetch --depth=1 origin "+refs/heads/$branch:refs/heads/tip" 2>&1); then
  case $said in
    *"couldn't find remote ref"*) stop "The branch $branch does not exist in the repository $url." ;;
    *"could not read Username"* | *"Authentication failed"* | *"error: 403"* | *"error: 401"* | *"not found"* | *"error: 404"*)
      stop "The repository $url does not exist, or not everybody may read it: choose its framework yourself." ;;
    *"Could not resolve host"*) stop "The name of the git server of $url could not be resolved." ;;
    *) stop "The repository $url could not be read: ${said##*$'\n'}" ;;
  esac
fi
git rev-parse refs/heads/tip | sed 's/^/commit /'
# Regular files of the upper directories, with names that a line can hold; what lies higher comes first.
git ls-tree -r -z refs/heads/tip | head -zn 100000 | tr '\n\0' '\0\n' |
  { grep -aE $'^100[0-9]+ blob [0-9a-f]+\t([A-Za-z0-9@._+ -]+/){0,3}[A-Za-z0-9@._+ -]+$' || true; } |
  { grep -avE $'[\t/](node_modules|vendor|\.git)/' || true; } |
  awk -F '\t' -v OFS='\t' '{ print gsub("/", "/", $2) "\t" $0 }' | sort -s -n -k 1,1 | cut -f 2- | head -n "$most_paths" > tree || true
matches() { # TEXT PATTERN...
  local text=$1 pattern
  shift
  for pattern; do
    # shellcheck disable=SC2053 # a pattern
    if [[ $text == $pattern ]]; then return; fi
  done
  return 1
}
declare -A ids=()
wanted=()
while IFS=$'\t' read -r entry path; do
  printf 'path %s\n' "$path"
  ((${#wanted[@]} < most_files)) || continue
  matches "${path##*/}" "${names[@]}" || matches "$path" "${paths[@]}" || continue
  wanted+=("$path")
  ids[$path]=${entry##* }
done < tree
((${#wanted[@]})) || exit 0
# All at once: git would ask for each in a request of its own. A server that cannot leave files out has sent them.
missing=$(git rev-list --objects --missing=print --no-object-names refs/heads/tip | sed -n 's/^?//p')
fetches=()
for path in "${wanted[@]}"; do
  [[ $missing != *"${ids[$path]}"* ]] || fetches+=("${ids[$path]}")
done
if ((${#fetches[@]})) && ! said=$(fetch origin "${fetches[@]}" 2>&1); then
  stop "The files of the repository $url could not be read: ${said##*$'\n'}"
fi
for path in "${wanted[@]}"; do
  size=$(git cat-file -s "${ids[$path]}")
  if [[ ! $size =~ ^[0-9]{1,15}$ ]] || ((size > largest_file)); then continue; fi
  printf 'file %s\n' "$path"
  git cat-file blob "${ids[$path]}" | base64 --wrap=3000 | sed 's/^/data /'
done
