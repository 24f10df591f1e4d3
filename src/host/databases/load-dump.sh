# shellcheck shell=bash
# uses: loading.sh
# given: imports id
# Loads an uploaded dump. `scratch` is removed at the end, whether or not it was loaded.
scratch=$imports/$id
[[ -s $scratch/dump ]] || fail "The dump is not on the server any more. Upload it again."
load_dump < "$scratch/dump"
