import { type Step, step } from "../../../engine/plan.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { buildCacheLimits, buildCachesOf } from "./build-cache.ts";
import { sharePackages } from "./kept-packages.ts";
import { isTrimmed, trimRelease } from "./trim.ts";
import type { Work } from "./work.ts";

/** Limit for the package managers' downloads of a project, and for the copies of installed packages, each. */
const keptBytes = 2 ** 29;

/**
 * Frees disk space that a project no longer needs, after its release is live: as the project's user, since the project may write
 * all of these files. A failure here is harmless.
 */
export function tidyUp(work: Work): Step | undefined {
  const { commands, zeroDowntime, framework } = work.project;
  if (commands.install.trim() === "" && commands.build.trim() === "" && commands.custom.trim() === "") return undefined;
  const sharing = framework.runtimeFamily === "node" && zeroDowntime;
  return step(
    "tidy-up",
    "Give back disk space",
    lines(
      isTrimmed(work) && trimRelease(work),
      sharing && sharePackages(work),
      dropBuildCaches(work),
      dropCopies(work),
      dropDownloads(work),
    ),
    { phase: "finish", onFailure: "continue", sandbox: projectSandbox(work.layout), timeoutSeconds: 600 },
  );
}

// The least recently stored first.
const dropBuildCaches = ({ layout }: Work): Script => sh`
  if [[ -d ${buildCachesOf(layout)} && ! -L ${buildCachesOf(layout)} ]]; then
    cd -P -- ${buildCachesOf(layout)}
    find . -mindepth 1 -maxdepth 1 -mtime +${buildCacheLimits.days} -exec rm -rf -- {} +
    left=${buildCacheLimits.bytes}
    while IFS=' ' read -r -d '' _ path; do
      left=$((left - $(du -sB1 -- "$path" | cut -f 1)))
      if ((left < 0)); then rm -rf -- "$path"; fi
    done < <(find . -mindepth 1 -maxdepth 1 -printf '%T@ %p\\0' | sort -zrn)
  fi`;

// Copies of installed packages; the last one always stays, since the next deployment needs it.
const dropCopies = ({ layout }: Work): Script => sh`
  cd -P -- ${layout.cache}
  left=${keptBytes} isLast=yes
  while IFS=' ' read -r -d '' _ path; do
    left=$((left - $(du -sB1 -- "$path" | cut -f 1)))
    if ((left < 0)) && [[ ! $isLast ]]; then rm -rf -- "$path"; fi
    isLast=''
  done < <(find . -mindepth 1 -maxdepth 1 -type d \\( -name 'node-*' -o -name 'php-*' \\) -printf '%T@ %p\\0' | sort -zrn)`;

/**
 * Each manager detects a missing download, and repeats it: single files of npm, Yarn 2 and later, Composer and pnpm, whole
 * packages of Yarn 1 and Bun. Files that pnpm has linked into a release take no additional space.
 */
const dropDownloads = ({ layout }: Work): Script => sh`
  cd -P -- ${layout.home}
  caches=(.npm/_cacache/content-v2 .cache/composer .composer/cache)
  # Releases with Yarn's Plug'n'Play run from its downloads.
  if [[ ! $(find ${layout.releases} -maxdepth 4 -name node_modules -prune -o -name '.pnp.*' -print -quit) ]]; then caches+=(.yarn/berry/cache); fi
  downloads() {
    local path
    find "\${caches[@]}" -type f -printf '%A@ %b %p\\0' 2> /dev/null || true
    find .local/share/pnpm/store -type f -links 1 -path '*/files/*' -printf '%A@ %b %p\\0' 2> /dev/null || true
    for path in .cache/yarn/v*/* .bun/install/cache/*; do
      [[ ! -d $path || -L $path ]] || printf '%s %s %s\\0' "$(stat -c %Y -- "$path")" "$(du -sB512 -- "$path" | cut -f 1)" "$path"
    done
  }
  left=${keptBytes} dropped=()
  while IFS=' ' read -r -d '' _ blocks path; do
    left=$((left - blocks * 512))
    if ((left < 0)); then dropped+=("$path"); fi
  done < <(downloads | sort -zrn)
  if ((\${#dropped[@]} > 0)); then
    printf '%s\\0' "\${dropped[@]}" | xargs -0r rm -rf --
    echo "Removed \${#dropped[@]} downloads of package managers that were not used for the longest time."
  fi`;
