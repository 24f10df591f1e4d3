# shellcheck shell=bash
# given: former_links user most_former former_places
# `link_former` links the kept releases, for open pages. `former_links`: the directory of the links; `former_places`: as many as
# nginx looks into.

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
