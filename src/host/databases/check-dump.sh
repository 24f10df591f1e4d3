# shellcheck shell=bash
# uses: loading.sh
# given: imports id
# Refuses an uploaded dump that cannot be loaded, before anything is changed. `scratch` is removed at the end if it was refused.
scratch=$imports/$id
[[ -s $scratch/dump ]] || fail "The dump is not on the server any more. Upload it again."
load_dump < "$scratch/dump"
scratch=
