# shellcheck shell=bash
# uses: fetching.sh, fetch-large-files.sh, fetch-submodules.sh
# given: mirror url ref wanted
# Fetches a source and sets `commit`.

# Deployments of a project never overlap, so an existing lock was left behind by a power cut.
for lock in "$mirror"/*.lock "$mirror/$ref.lock"; do [[ ! -e $lock ]] || rm -f -- "$lock"; done
[[ -d $mirror/objects ]] || make_mirror
attempt
[[ -z $wanted ]] || keep_wanted
read -r commit 2>/dev/null < "$mirror/$ref" || commit=$(git --git-dir="$mirror" rev-parse "$ref^{commit}")
fetch_large_files
fetch_submodules "$commit" "" "$url" 0
