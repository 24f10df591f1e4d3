# shellcheck shell=bash disable=SC2034
# uses: as-project.sh
# given: checksum_lines yarn_version bun_version pnpm_versions managers release_programs
# Functions that download a package manager; they use those of pick-manager.sh. `managers`: the directory that keeps them;
# `release_programs`: the directory of the release's; `yarn_version` and `bun_version`: the defaults; `pnpm_versions`: those to choose
# from.

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
fetch_package() { # PACKAGE FILE [all]: `fetched` is the file of this package, in the chosen version; with its other files
  local scratch archive name expected='' parts=("package/$2")
  fetched=$managers/${1//[@\/]/_}-$version
  # A checksum of all is one of the archive, which is compared when it is fetched.
  if [[ ${3-} ]]; then parts=(package) fetched+=${sum:+-${sum:0:40}}; fi
  fetched+=/$2
  if [[ ! -e $fetched ]]; then
    mkdir -p -- "$managers"
    scratch=$(mktemp -d "$managers/.new.XXXXXX")
    # Apart from the project's package.json, whose settings are about its own packages.
    (cd -- "$scratch" && with_registry npm pack --silent --no-progress --no-update-notifier -- "$1@$version" > /dev/null) || {
      rm -rf -- "$scratch"
      stop "$manager $version could not be fetched from the registry that npm uses: its own words are above."
    }
    archive=$(find "$scratch" -name '*.tgz' -print -quit)
    while read -r name expected; do [[ $name != "$1@$version" ]] || break; done <<< "$checksum_lines"
    if [[ $name = "$1@$version" ]] && ! sha512sum --check --status <<< "$expected  $archive"; then
      rm -rf -- "$scratch"
      stop "$1 $version of the registry that npm uses is not what its checksum says, and was not used."
    fi
    if [[ ${3-} && $sum ]] && ! "${sum%%.*}sum" --check --status <<< "${sum#*.}  $archive"; then
      rm -rf -- "$scratch"
      stop "$manager $version of the registry that npm uses is not what packageManager of package.json says (${sum%%.*}), and was not used."
    fi
    mkdir "$scratch/unpacked"
    if ! tar -xzf "$archive" -C "$scratch/unpacked" --strip-components=1 --no-same-owner "${parts[@]}" || ! chmod 755 "$scratch/unpacked/$2"; then
      rm -rf -- "$scratch"
      stop "$1 $version does not contain $2, as $manager has to."
    fi
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
    version=$(sha256sum -- "$base/$committed" | cut -c 1-12)
    if [[ $committed =~ yarn-([0-9][0-9A-Za-z.-]*)[.]c?js$ ]]; then version=${BASH_REMATCH[1]}; fi
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
# The version of the manager that is installed on the server: where its command leads to, which costs no start of it.
own_version() {
  "$own_node" -e '
    const [name, command] = process.argv.slice(1);
    for (let at = path.dirname(fs.realpathSync(command)); ; at = path.dirname(at)) {
      try {
        const it = JSON.parse(fs.readFileSync(path.join(at, "package.json"), "utf8"));
        if (it.name === name) { console.log(it.version); break; }
      } catch {}
      if (at === path.dirname(at)) break;
    }
  ' -- "$manager" "$(command -v "$manager")"
}
# Sets `range` to what package.json asks for, and `by` to where.
read_range() {
  local file found
  range='' by=''
  for file in package.json "$base/package.json"; do
    [[ -e $file ]] || continue
    found=$("$own_node" -e '
      const [file, manager] = process.argv.slice(1);
      const it = JSON.parse(fs.readFileSync(file, "utf8").replace(/^\uFEFF/, "")) ?? {};
      const named = [it.devEngines?.packageManager].flat().find((each) => each?.name === manager)?.version;
      const [by, range] = [["devEngines", named], ["engines", it.engines?.[manager]]].find(([, each]) => typeof each === "string" && each.trim()) ?? [];
      if (by) console.log(by + " " + range.trim().replace(/\s+/g, " ").slice(0, 200));
    ' -- "$file" "$manager") || stop "package.json is not the JSON that it should be; the reason is above."
    if [[ $found ]]; then
      by=${found%% *} range=${found#* }
      return
    fi
  done
}
# Prints the first of the versions that fits all ranges; without versions, the newest of the oldest major version on the registry that does.
fitting() { # RANGES (one a line) [VERSION...]
  local versions=("${@:2}") semver
  if ((${#versions[@]} == 0)); then
    mapfile -t versions < <(with_registry npm view --json --no-update-notifier -- "$manager" versions | grep -oE '[0-9]+[.][0-9]+[.][0-9]+"' | tr -d '"')
    ((${#versions[@]} > 0)) || return 5
  fi
  # npm's own.
  semver=$(realpath -- "$(command -v npm)") semver=${semver%/*}/../node_modules/semver
  printf '%s\n' "${versions[@]}" | "$own_node" -e '
    const [at, ranges, isSorted] = process.argv.slice(1);
    const semver = require(require("path").resolve(at));
    const wanted = ranges.split("\n");
    if (wanted.some((range) => semver.validRange(range) === null)) process.exit(4);
    const fits = fs.readFileSync(0, "utf8").split("\n").filter((each) => semver.valid(each) && wanted.every((range) => semver.satisfies(each, range)));
    if (!isSorted) fits.sort((one, other) => semver.major(one) - semver.major(other) || semver.rcompare(one, other));
    console.log(fits[0] ?? "");
  ' -- "$semver" "$1" "${2:+yes}"
}
# pnpm installs from lock files of its own time only.
choose_pnpm() {
  local format majors range by code=0
  version='' reason="because of $lock"
  read_named
  if [[ $named ]]; then
    version=$named reason="as packageManager of package.json names it"
    return
  fi
  format=$(sed -nE "s/^lockfileVersion:[[:space:]]*['\"]?([0-9]+([.][0-9]+)?)['\"]?[[:space:]]*\$/\1/p" "$base/$lock" | head -n 1)
  # What is wrong with such a file, pnpm says itself.
  [[ $format ]] || return 0
  case $format in
    5 | 5.*) majors=7 ;;
    6 | 6.*) majors=8 ;;
    9 | 9.*) majors='>=9' ;;
    *) stop "$lock has the lockfileVersion $format, which belongs to no known pnpm. Name the pnpm that wrote it in packageManager of package.json, such as pnpm@12.0.0." ;;
  esac
  read_range
  version=$(fitting "$majors${range:+$'\n'$range}" "$own" "${pnpm_versions[@]}") || code=$?
  [[ $code != 4 ]] || stop "$by of package.json asks for pnpm $range, which is no range of versions. Correct it, or name a version in packageManager, such as pnpm@10.0.0."
  if [[ $code = 0 && ! $version ]]; then version=$(fitting "$majors"$'\n'"$range") || code=$?; fi
  [[ $code != 5 ]] || stop "The versions of pnpm could not be listed from the registry that npm uses: its own words are above."
  [[ $code = 0 ]] || stop "The version of pnpm could not be chosen; the reason is above."
  [[ $version ]] || stop "No pnpm fits: $lock has lockfileVersion $format, which is of pnpm ${majors/>=9/9 and later}, and $by of package.json asks for $range. Renew the lock file with the pnpm that you use, or change $by."
  if [[ $version != "$own" ]]; then reason="because of $lock (lockfileVersion $format)"; fi
  if [[ $by ]]; then reason="as $by of package.json asks for $range"; fi
}
fetch_pnpm() {
  local own='' program
  if command -v pnpm > /dev/null; then own=$(own_version); fi
  choose_pnpm
  [[ $version && $version != "$own" ]] || return 0
  fetch_package pnpm package.json all
  program=$("$own_node" -p 'const { bin } = JSON.parse(fs.readFileSync(process.argv[1], "utf8")); bin.pnpm ?? bin' -- "$fetched")
  rm -rf -- "$release_programs/pnpm-files"
  mkdir -p -- "$release_programs"
  cp -al -- "${fetched%/*}" "$release_programs/pnpm-files"
  chmod 755 "$release_programs/pnpm-files/$program"
  ln -sfn -- "pnpm-files/$program" "$release_programs/pnpm"
}
fetch_manager() {
  version='' reason="because of ${lock:-package.json}"
  case $manager in
    yarn) ! is_own_yarn || fetch_yarn ;;
    bun) fetch_bun ;;
    pnpm) fetch_pnpm ;;
  esac
  hash -r
}
# The versions of Node and of the manager.
tool_versions() { printf '%s %s\n' "$(node --version)" "${version:-$(own_version)}"; }
