# shellcheck shell=bash disable=SC2034,SC2154 # the renderer sets the variables
# Fetches a source and sets `commit`, with the functions of the other files. Variables: those of fetching.sh.

# Deployments of a project never overlap, so an existing lock was left behind by a power cut.
for lock in "$mirror"/*.lock "$mirror/$ref.lock"; do [[ ! -e $lock ]] || rm -f -- "$lock"; done
[[ -d $mirror/objects ]] || make_mirror
attempt
[[ -z $wanted ]] || keep_wanted
read -r commit 2>/dev/null < "$mirror/$ref" || commit=$(git --git-dir="$mirror" rev-parse "$ref^{commit}")
fetch_large_files
fetch_submodules "$commit" "" "$url" 0
