# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# `link_former` links the kept releases, for open pages. Variables: former_links (the directory of the links), former_places (as many as nginx
# looks into), most_former, user.

link_former() {
  local name place=0
  # Made with the next preparation of a project that was installed before.
  [[ -d $former_links ]] || return 0
  while read -r name && ((place < most_former)); do
    ((place += 1))
    ln -sfnT -- ../releases/"$name/.longshore/public" "$former_links/new"
    chown -h "$user" "$former_links/new"
    mv -T -- "$former_links/new" "$former_links/$place"
  done < <(printf '%s\n' * | grep -xE '[0-9]+' | sort -rn)
  while ((place < former_places)); do
    ((place += 1))
    rm -f -- "$former_links/$place"
  done
}
