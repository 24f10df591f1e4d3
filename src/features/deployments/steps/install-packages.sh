# shellcheck shell=bash
# uses: pick-manager.sh, kept-packages.sh, note-packages.sh
# given: mirror tree package_cache
# Functions that install packages by the chosen lock file. `tree`: the commit's files, for git.

restore() { # KEY DIRECTORY
  local from=$package_cache/$1/$2
  if [[ ! -d $from ]]; then from=$(holder_of "$1") || return 1; fi
  # In place they are there already.
  [[ ! $from -ef ./$2 ]] || return 0
  rm -rf -- "./$2"
  # It may be cleared at this moment.
  cp -a --reflink=auto -- "$from" "./$2" || { rm -rf -- "./$2"; return 1; }
  [[ $from != "$package_cache"/* ]] || touch -- "$package_cache/$1"
}
keep() { # KEY DIRECTORY
  [[ -d $2 ]] || return 0
  rm -rf -- "$package_cache"/*.new
  mkdir -p -- "$package_cache/$1.new"
  cp -a --reflink=auto -- "./$2" "$package_cache/$1.new/$2" || { rm -rf -- "$package_cache/$1.new"; return 0; }
  rm -rf -- "${package_cache:?}/$1"
  mv -T -- "$package_cache/$1.new" "$package_cache/$1"
  # The three used last are enough for what is live, what comes next and what one returns to.
  { find "$package_cache" -mindepth 1 -maxdepth 1 -type d \( -name 'node-*' -o -name 'php-*' \) -printf '%T@ %p\0' | sort -zrn | tail -zn +4 | cut -zd ' ' -f 2- | xargs -0r rm -rf --; } || true
}
has_local_packages() {
  local named='/"link":true|"(file|link|portal):/.test(JSON.stringify({ ...it, scripts: 0 }))'
  if holds package.json "$named"; then return; fi
  if [[ $lock = *.json ]]; then holds "$lock" "$named"; else grep -qsE '(^|[^[:alnum:]_])(file|link|portal):' "$lock"; fi
}
has_workspaces() { [[ -e pnpm-workspace.yaml ]] || holds package.json '[it.workspaces?.packages ?? it.workspaces ?? []].flat().length > 0'; }
has_own_scripts() { holds package.json 'Object.keys(it.scripts ?? {}).some((each) => /^(pre|post)?(install|prepare)$/.test(each))'; }
patches() { # the content of each, in a fixed order
  find . \( -name node_modules -o -name vendor -o -path ./.longshore \) -prune -o \
    -type f \( -path '*/patches/*' -o -name '*.patch' -o -name '*.diff' \) -print0 | sort -z | xargs -0r sha256sum --
}
commit_tree() { GIT_CONFIG_GLOBAL=/dev/null git --git-dir="$mirror" rev-parse --verify "$tree"; }
# Scripts of the project itself that an installation runs also look at its source, so they run every time.
run_own_scripts() {
  local name
  for name in preinstall install postinstall prepare; do
    if has_script "$name"; then "$manager" run "$name"; fi
  done
}
install_packages() {
  local key='' tools
  pick_manager
  if [[ ! $manager ]]; then echo "There is no package.json: nothing to install."; return; fi
  need_manager
  tools=$(tool_versions) || tools=''
  version=${tools#* }
  echo "The package manager is $manager${version:+ $version}, $reason."
  # Workspaces spread over several directories; they are always installed.
  if [[ $base != "$PWD" ]]; then
    echo "${run[*]} (in ${base/#"$top/."}, of which this directory is a workspace)"
    (cd -- "$base" && "${run[@]}")
    return
  fi
  if ! has_workspaces && ! has_local_packages; then
    key=$(
      {
        printf '%s\n' "${run[@]}" "$MACHTYPE"
        cat -- ${lock:+"$lock"} package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml "$package_cache/cleared" 2> /dev/null || true
        # Newer versions that package.json admits are there within a week.
        [[ $lock ]] || date +%G-%V
        printf '%s\n' "$tools"
        patches
        ! has_own_scripts || commit_tree
      } | sha256sum
    )
    key=node-${key%% *}
  fi
  if [[ $key ]] && restore "$key" node_modules; then
    if [[ $lock ]]; then echo "$lock has not changed: the packages installed before are used."
    else echo "There is no lock file: the packages installed for the same package.json in this week are used. A lock file in the repository decides their versions."; fi
    run_own_scripts
    note_packages "$key"
    return
  fi
  echo "${run[*]}"
  "${run[@]}"
  if [[ $key ]]; then
    keep "$key" node_modules
    note_packages "$key"
  fi
}
