# shellcheck shell=bash
# uses: swap-shared.sh
# given: release_directory live_link shared deployment_id
# The undo of share-paths.sh.
if [[ ! -d $release_directory/.longshore ]]; then exit 0; fi
cd -- "$release_directory/.longshore" || exit
live=$(readlink -e -- "$live_link") || live=/nonexistent
if [[ -e added-$deployment_id ]]; then
  # A directory comes after what is in it.
  while IFS= read -r -d '' path; do
    if [[ -d $shared/$path && ! -L $shared/$path ]]; then rmdir --ignore-fail-on-non-empty -- "$shared/$path"; else rm -f -- "$shared/$path"; fi
  done < <(LC_ALL=C sort -zr -- "added-$deployment_id")
  rm -f -- "added-$deployment_id"
fi
if [[ -e taken-$deployment_id ]]; then
  while IFS= read -r -d '' path; do
    if [[ $(readlink -- "$live/$path") = "$shared/$path" && -e $shared/$path ]]; then swap_shared "$live/$path" "$shared/$path"; fi
    if [[ -L $shared/$path ]]; then rm -f -- "$shared/$path"; fi
  done < "taken-$deployment_id"
  rm -f -- "taken-$deployment_id"
fi
if [[ -e shared-$deployment_id ]]; then
  while IFS= read -r -d '' path; do rm -rf -- "${shared:?}/$path"; done < "shared-$deployment_id"
  rm -f -- "shared-$deployment_id"
fi
