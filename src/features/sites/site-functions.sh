# shellcheck shell=bash
# uses: runner/fact.sh
# given: available enabled served written
# Functions about the files of a site. `available` and `enabled`: files for nginx; `served` and `written`: files beside them.

put_back() {
  if [ "$available.former" -ef "$available" ]; then
    # Not replaced yet. Of two names of one file, `mv` may leave both.
    rm -f -- "$available.former"
  elif [ -e "$available.former" ]; then
    mv -T -- "$available.former" "$available"
  else
    # What never served was not written either, as far as the next run is concerned.
    rm -f -- "$enabled" "$available" "$written"
  fi
}

# The checksums of the files that Longshore wrote are beside the site; before the first one manual changes cannot be detected. A
# kept file is named by its checksum, so the same content is not kept twice.
# Whole or not at all: half of a copy, of a full disk, would be taken for the original.
copy_whole() { # FROM TO
  scratch=$2.part
  cp -p -- "$1" "$scratch"
  mv -T -- "$scratch" "$2"
}
is_ours() { # CHECKSUM
  local ours=()
  [ ! -e "$written" ] || mapfile -t ours < "$written"
  [[ " ${ours[*]} " == *" $1 "* ]]
}
keep_hand_made() { # PATH CHECKSUM
  local kept=$available.by-hand-${2:0:12}
  if is_ours "$2"; then return; fi
  [ -e "$kept" ] || copy_whole "$1" "$kept"
  echo "$1 was changed by hand; that is overwritten now. The changed file is kept as $kept."
  fact web_server_drift "$kept"
  find "$(dirname "$available")" -name "$(basename "$available").by-hand-*" -printf '%T@ %p\n' |
    sort -rn | tail -n +6 | cut -d ' ' -f 2- | xargs -r -d '\n' rm --
}

refuse() { # OUTPUT
  printf '%s\n' "$1"
  reason=$(sed -nE 's/.*\[emerg\] ([0-9#]+: )?//p' <<< "$1" | head -n 1)
  fail "nginx rejects the new settings: ${reason:-see above}. The former ones stay."
}
is_served() { [ -z "$wrote" ] && [ "$served" -nt "$available" ]; }
