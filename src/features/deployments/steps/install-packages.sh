# shellcheck shell=bash
# uses: as-project.sh, pick-manager.sh, kept-packages.sh, note-packages.sh
# given: mirror tree package_cache environment_exports
# Functions that install packages by the chosen lock file. `tree`: the commit's files, for git.

restore() { # KEY DIRECTORY, sets `from`
  from=$package_cache/$1/$2
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
# Whether the installation runs scripts, of the project or of a package.
has_scripts() {
  if has_own_scripts; then return; fi
  # npm's list of what it has installed.
  if [[ -e node_modules/.package-lock.json ]]; then grep -q '"hasInstallScript": true' node_modules/.package-lock.json; return; fi
  grep -rqsE --include=package.json '"(pre|post)?install"[[:space:]]*:' node_modules || [[ $(find node_modules -name binding.gyp -print -quit) ]]
}
patches() { # the content of each, in a fixed order
  find . \( -name node_modules -o -name vendor -o -path ./.longshore \) -prune -o \
    -type f \( -path '*/patches/*' -o -name '*.patch' -o -name '*.diff' -o -path './.yarn/plugins/*' -o -path './.yarn/releases/*' \) -print0 | sort -z | xargs -0r sha256sum --
}
# What a script may read besides: any file of the commit, and each variable.
script_inputs() {
  {
    GIT_CONFIG_GLOBAL=/dev/null git --git-dir="$mirror" rev-parse --verify "$tree"
    cat -- "$environment_exports" 2> /dev/null || true
  } | sha256sum | cut -c 1-64
}
# Settings of package managers, each with its name, and the variables that they read: those of the pattern, and those that settings name.
manager_inputs() { # PATTERN FILE...
  local pattern=$1 names home settings_file
  shift
  # The project may have a file or a directory of its own for its settings.
  settings_file=$(as_project printenv npm_config_userconfig) || settings_file=''
  home=$(as_project printenv HOME) || home=$HOME
  set -- "$@" ${settings_file:+"$settings_file"} "$HOME/.npmrc" "$home/.npmrc" "$home/.yarnrc.yml" "$home/.config/composer/auth.json" "$home/.config/composer/config.json"
  sha256sum -- "$@" 2> /dev/null || true
  names=$(variables_in "$@")
  env -i "${with_environment[@]}" "$environment_exports" "~^($pattern${names:+|$names})\$" -- env -0 | sort -z
}
run_own_scripts() { # NAME...
  local name
  for name; do
    if has_script "$name"; then as_project "$manager" run "$name" || return; fi
  done
}
# Whether what was written since FILE is what the packages at FROM have. pnpm writes the release's path into `.bin` and its own state.
is_same_as() { # FROM FILE
  local path
  # In place, they are the same packages.
  [[ ! $1 -ef node_modules ]] || return 1
  while IFS= read -r -d '' path; do
    path=${path#node_modules}
    if [[ -L $1$path || -L node_modules$path ]]; then [[ $(readlink -- "$1$path") = "$(readlink -- "node_modules$path")" ]] || return 1
    elif [[ -d node_modules$path ]]; then [[ $(ls -A -- "$1$path" 2> /dev/null) = "$(ls -A -- "node_modules$path")" ]] || return 1
    else cmp -s -- "$1$path" "node_modules$path" || return 1; fi
  done < <(find node_modules -mindepth 1 \( -path node_modules/.cache -o -path node_modules/.vite -o -path node_modules/.astro \
    -o -name .bin -o -path node_modules/.modules.yaml -o -path 'node_modules/.pnpm-workspace-state*' \) -prune -o -cnewer "$2" -print0)
}
# Install scripts of packages may read everything, so they run again. `key` becomes that of what they leave.
restore_and_rebuild() { # BASE INPUTS
  local mark code=0
  if [[ $manager != npm && $manager != pnpm ]] || ! similar_to "$1" || ! restore "$key" node_modules; then return 1; fi
  mark=$(mktemp)
  sleep 0.02
  echo "$manager rebuild (since install scripts of packages may read the project's files and variables)"
  # Scripts of the project itself are part of it, but for one.
  if ! as_project "$manager" rebuild || { [[ $manager = npm ]] && ! run_own_scripts prepare; }; then code=1
  elif ! is_same_as "$from" "$mark"; then
    key=$1-$2
    keep "$key" node_modules
  fi
  rm -f -- "$mark"
  return "$code"
}
restore_installed() { # BASE INPUTS, sets `key`
  for key in "$1" "$1-$2"; do
    # Without scripts, or with Yarn and Bun, which have no command that only runs them.
    if [[ $key = "$1" || ($manager != npm && $manager != pnpm) ]] && restore "$key" node_modules; then
      run_own_scripts preinstall install postinstall prepare
      return
    fi
  done
  restore_and_rebuild "$1" "$2"
}
install_packages() {
  local key='' base_key='' inputs='' from tools
  pick_manager
  if [[ ! $manager ]]; then echo "There is no package.json: nothing to install."; return; fi
  need_manager
  tools=$(tool_versions) || tools=''
  version=${tools#* }
  echo "The package manager is $manager${version:+ $version}, $reason."
  # Workspaces spread over several directories; they are always installed.
  if [[ $base != "$PWD" ]]; then
    echo "${run[*]} (in ${base/#"$top/."}, of which this directory is a workspace)"
    (cd -- "$base" && as_project "${run[@]}")
    return
  fi
  if ! has_workspaces && ! has_local_packages; then
    base_key=$(
      {
        printf '%s\n' 3 "${run[@]}" "$MACHTYPE"
        sha256sum -- "$package_cache/cleared" 2> /dev/null || true
        # Newer versions that package.json admits are there within a week.
        [[ $lock ]] || date +%G-%V
        printf '%s\n' "$tools"
        manager_inputs '(npm|pnpm|yarn|bun|node|corepack)_.*|ci|home' \
          ${lock:+"$lock"} package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs bunfig.toml
        patches
      } | sha256sum
    )
    base_key=node-${base_key%% *} inputs=$(script_inputs)
  fi
  if [[ $base_key ]] && restore_installed "$base_key" "$inputs"; then
    if [[ $lock ]]; then echo "$lock has not changed: the packages installed before are used."
    else echo "There is no lock file: the packages installed for the same package.json in this week are used. A lock file in the repository decides their versions."; fi
    note_packages "$key"
    return
  fi
  echo "${run[*]}"
  as_project "${run[@]}"
  if [[ $base_key ]]; then
    key=$base_key
    if has_scripts; then key+=-$inputs; fi
    keep "$key" node_modules
    note_packages "$key"
  fi
}
