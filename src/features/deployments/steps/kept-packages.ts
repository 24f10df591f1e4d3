import { type Step, step } from "../../../engine/plan.ts";
import type { ProjectLayout } from "../../../host/layout.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { releaseOf, stopFunction, type Work } from "./work.ts";

/*
 * The packages of Node releases are on the disk once for each lock file, not once for each release. A release notes its installed
 * packages, and their directory. The live one always has its packages; another release deletes its own if they are unchanged
 * since the installation and a release before it in the order of retention has the same: the live one, the one before it, then
 * the newest. A rollback restores them by copying. Nothing is linked, so a process that writes into its packages changes no other
 * release.
 */

/**
 * The note of a release: the key of its packages, and their directory inside of the release. Its time: when they were complete.
 */
const noteName = ".longshore/packages";

/**
 * `note_packages KEY` in the working directory of a release whose packages are installed: notes them if they are in node_modules.
 */
export const notePackages = (work: Work): Script => sh`
  note_packages() { # KEY
    local here
    # Yarn's Plug'n'Play has no such directory, nor has a project without dependencies.
    [[ -d ${`${releaseOf(work)}/.longshore`} && -d node_modules ]] || return 0
    here=$(pwd -P)
    printf '%s %s\\n' "$1" "\${here#"$(cd -P -- ${releaseOf(work)} && pwd)"}/node_modules" > ${releaseOf(work)}/${noteName}
    # Files get the time of the clock's last tick: with another one, what is written from here on is newer.
    sleep 0.02
  }`;

/**
 * `packages_of RELEASE` sets `key` and `packages`, and fails without a note. `are_as_installed RELEASE` succeeds if nothing but
 * caches was written into its packages since. `holder_of KEY` prints unchanged packages of releases and of the cache.
 */
export const packageHolders = (layout: ProjectLayout): Script => sh`
  packages_of() { # RELEASE
    key='' packages=''
    [[ -f $1/${noteName} && ! -L $1/${noteName} ]] || return 1
    read -r key packages < "$1"/${noteName} || return 1
    [[ $key =~ ^node-[0-9a-f]{64}$ && $packages =~ ^/ && ! $packages =~ (^|/)\\.\\.(/|$) ]] || return 1
    packages=$1$packages
  }
  are_as_installed() { # RELEASE
    packages_of "$1" && [[ -d $packages && ! -L $packages ]] || return 1
    [[ ! $(find "$packages" -mindepth 1 \\( -path "$packages/.cache" -o -path "$packages/.vite" -o -path "$packages/.astro" \\) -prune -o \\
      -cnewer "$1"/${noteName} -print -quit) ]]
  }
  holder_of() { # KEY
    local key packages release
    if [[ -d ${layout.cache}/$1/node_modules ]]; then echo ${layout.cache}/"$1"/node_modules; return; fi
    for release in ${layout.releases}/*/; do
      release=\${release%/}
      if packages_of "$release" && [[ $key = "$1" ]] && are_as_installed "$release"; then echo "$packages"; return; fi
    done
    return 1
  }`;

/** Restores the deleted packages of a release before its process is started again. */
export const restorePackages = (work: Work): Step =>
  step(
    "restore-packages",
    "Bring back the release's packages",
    lines(
      stopFunction,
      packageHolders(work.layout),
      sh`
        [[ -d ${releaseOf(work)} ]] || exit 0
        packages_of ${releaseOf(work)} || exit 0
        [[ ! -e $packages ]] || exit 0
        own=$packages wanted=$key isExact=yes
        if ! from=$(holder_of "$wanted"); then
          # A process wrote into them; it also ran with them.
          from='' isExact=''
          for release in ${work.layout.releases}/*/; do
            if packages_of "\${release%/}" && [[ $key = "$wanted" && -d $packages ]]; then from=$packages; fi
          done
        fi
        [[ $from ]] || stop "The packages of the release are no longer on the server. Deploy its commit again."
        rm -rf -- "$own.new"
        cp -a --reflink=auto -- "$from" "$own.new" || { rm -rf -- "$own.new"; stop "The packages of the release could not be copied."; }
        mv -T -- "$own.new" "$own"
        [[ ! $isExact ]] || touch -- ${releaseOf(work)}/${noteName}
        echo "Copied the packages that were installed for the same lock file."`,
    ),
    { phase: "start", sandbox: projectSandbox(work.layout), timeoutSeconds: 600 },
  );

/** Deletes packages of releases that are not live if another release has the same, see above. */
export const sharePackages = (work: Work): Script => {
  const { layout, formerRelease } = work;
  return lines(
    packageHolders(layout),
    sh`
      cd -- ${layout.releases}
      live=$(readlink -- ${layout.current}) || live=''
      live=\${live##*/}
      # Of jobs and commands that began in a release before, too.
      running=$(readlink -- /proc/[0-9]*/cwd ${layout.slots}/* 2> /dev/null | sed 's|^\\.\\./releases/|'"$PWD"'/|; s|$|/|') || true
      runs() { [[ "$running" = *"$PWD/$1/"* ]]; }
      mapfile -t names < <(printf '%s\\n' "$live" ${formerRelease ?? ""}; printf '%s\\n' * | sort -rn)
      declare -A holders=() seen=()
      rm -rf -- ${layout.cache}/given-up
      given=0
      for name in "\${names[@]}"; do
        if [[ ! $name =~ ^[0-9]+$ || \${seen[$name]-} ]] || ! packages_of "$PWD/$name"; then continue; fi
        seen[$name]=yes
        own=$packages wanted=$key
        if [[ ! -e $own ]]; then
          # The one that had them is behind it now.
          if [[ ! \${holders[$wanted]-} ]] && from=$(holder_of "$wanted"); then
            if [[ $from = "$PWD"/* ]] && { part=\${from#"$PWD/"}; ! runs "\${part%%/*}"; }; then mv -T -- "$from" "$own"
            else cp -a --reflink=auto -- "$from" "$own.new" && mv -T -- "$own.new" "$own"; fi
            touch -- "$name"/${noteName}
            holders[$wanted]=$name
          fi
          continue
        fi
        are_as_installed "$PWD/$name" || continue
        if [[ ! \${holders[$wanted]-} ]]; then
          holders[$wanted]=$name
        elif [[ $name != "$live" ]] && ! runs "$name"; then
          # At once: a part of them would pass for all.
          mkdir -p -- ${layout.cache}/given-up
          mv -T -- "$own" ${layout.cache}/given-up/"$name"
          given=$((given + 1))
        fi
      done
      # What a release has need not be in the cache as well.
      for wanted in "\${!holders[@]}"; do
        if [[ -e ${layout.cache}/$wanted ]]; then mv -T -- ${layout.cache}/"$wanted" ${layout.cache}/given-up-"$wanted"; rm -rf -- ${layout.cache}/given-up-"$wanted"; fi
      done
      rm -rf -- ${layout.cache}/given-up
      ((given == 0)) || echo "The packages of earlier releases are kept once: $given of them gave up their copy."`,
  );
};
