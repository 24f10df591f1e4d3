import { releaseRef } from "../../../host/git/git.ts";
import { nodeDirectory } from "../../../host/node/node-runtime.ts";
import { phpVersions } from "../../../host/php/php-versions.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { notePackages, packageHolders } from "./kept-packages.ts";
import { fetchFunctions } from "./managers.ts";
import { releaseOf, type Work } from "./work.ts";

/** The default installation: packages by their lock files, from the cache if it has exactly these. */
export function defaultInstall(work: Work): Script {
  const needsFrontend = work.project.commands.build.trim() !== "";
  return lines(
    managerFunctions(work),
    packageHolders(work.layout),
    notePackages(work),
    packageFunctions(work),
    work.project.framework.runtimeFamily === "php" && installWithComposer,
    work.project.framework.runtimeFamily === "php"
      ? needsFrontend && sh`if has_script build; then install_packages; fi`
      : sh`install_packages`,
  );
}

/**
 * `pick_manager` finds the lock file to use, and with it the package manager (`manager`, its install command `run`): the nearest
 * one from the working directory upwards that has the working directory as a workspace. `base` is its directory, where packages
 * are installed. `has_script NAME` succeeds if package.json has the script. `need_manager` gets the manager itself.
 */
export const managerFunctions = (work: Work): Script => lines(fetchFunctions(work), pickFunctions(work));

const pickFunctions = (work: Work): Script => sh`
  export CI=true npm_config_fund=false npm_config_audit=false
  # The server's own Node, which can do what these functions need whatever the release asks for.
  own_node=${nodeDirectory}/current/bin/node
  if [[ ! -x $own_node ]]; then own_node=node; fi
  # About the content \`it\` of a JSON file, and \`word\`. Text that is looked for would also be found where it means something else.
  holds() { # FILE EXPRESSION [WORD]
    local code=0
    [[ -e $1 ]] || return 1
    command -v node > /dev/null || stop "Node is not installed on this server, and \${1##*/} needs it."
    "$own_node" -e '
      const [file, expression, word] = process.argv.slice(1);
      const it = JSON.parse(fs.readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
      process.exitCode = Function("it", "word", "return " + expression)(it ?? {}, word) ? 0 : 3;
    ' -- "$1" "$2" "\${3-}" || code=$?
    case $code in
      0) ;;
      3) return 1 ;;
      *) stop "\${1##*/} is not the JSON that it should be; the reason is above." ;;
    esac
  }
  has_script() { holds package.json 'String(it.scripts?.[word] ?? "").trim() !== ""' "$1"; }
  lock_in() { # DIRECTORY
    manager=npm run=(npm ci --include=dev)
    if [[ -e $1/pnpm-lock.yaml ]]; then manager=pnpm lock=pnpm-lock.yaml run=(pnpm install --frozen-lockfile --prod=false)
    elif [[ -e $1/yarn.lock ]]; then
      manager=yarn lock=yarn.lock
      if [[ -e $1/.yarnrc.yml ]] || grep -qs '^__metadata:' "$1/yarn.lock"; then run=(yarn install --immutable)
      else run=(yarn install --frozen-lockfile --production=false); fi
    elif [[ -e $1/package-lock.json ]]; then lock='package-lock.json'
    elif [[ -e $1/npm-shrinkwrap.json ]]; then lock=npm-shrinkwrap.json
    elif [[ -e $1/bun.lock ]]; then manager=bun lock=bun.lock run=(bun install --frozen-lockfile)
    elif [[ -e $1/bun.lockb ]]; then manager=bun lock=bun.lockb run=(bun install --frozen-lockfile)
    else return 1; fi
  }
  is_workspace() { # OF PATH
    case $manager in
      pnpm) grep -qxF -e "  $2:" -e "  '$2':" -- "$1/$lock" ;;
      npm) holds "$1/$lock" 'it.packages?.[word] !== undefined' "$2" ;;
      yarn | bun) holds "$1/package.json" '[it.workspaces?.packages ?? it.workspaces ?? []].flat().some((each) => path.matchesGlob(word, each.replace(/^[.][/]|[/]$/g, "")))' "$2" ;;
    esac
  }
  pick_manager() {
    local at=$PWD
    top=$(cd -P -- ${releaseOf(work)} && pwd)
    while :; do
      if lock_in "$at" && { [[ $at = "$PWD" ]] || is_workspace "$at" "\${PWD#"$at/"}"; }; then
        base=$at
        return
      fi
      [[ $at = "$top"/* ]] || break
      at=\${at%/*}
    done
    base=$PWD lock='' manager=''
    [[ ! -e package.json ]] || manager=npm run=(npm install --include=dev --no-package-lock)
  }
  need_manager() {
    command -v node > /dev/null || stop "Node is not installed on this server, and package.json needs it."
    fetch_manager
    command -v "$manager" > /dev/null ||
      stop "The project has a \${lock:-package.json}, but $manager is not installed on this server. Install it, or set an install command of your own."
  }`;

/**
 * `install_packages` installs by the chosen lock file. The installed packages are cached by a hash of all inputs, and copied
 * rather than linked: a build may write into them, which must not affect the live release. Patches are part of the hash; if the
 * project's own scripts run during the installation, so is the whole commit, since they may read any of it. Packages that are
 * directories of the repository are not cached.
 */
const packageFunctions = (work: Work): Script => sh`
  cache=${work.layout.cache}
  restore() { # KEY DIRECTORY
    local from=$cache/$1/$2
    if [[ ! -d $from ]]; then from=$(holder_of "$1") || return 1; fi
    # In place they are there already.
    [[ ! $from -ef ./$2 ]] || return 0
    rm -rf -- "./$2"
    # It may be cleared at this moment.
    cp -a --reflink=auto -- "$from" "./$2" || { rm -rf -- "./$2"; return 1; }
    [[ $from != "$cache"/* ]] || touch -- "$cache/$1"
  }
  keep() { # KEY DIRECTORY
    [[ -d $2 ]] || return 0
    rm -rf -- "$cache"/*.new
    mkdir -p -- "$cache/$1.new"
    cp -a --reflink=auto -- "./$2" "$cache/$1.new/$2" || { rm -rf -- "$cache/$1.new"; return 0; }
    rm -rf -- "\${cache:?}/$1"
    mv -T -- "$cache/$1.new" "$cache/$1"
    # The three used last are enough for what is live, what comes next and what one returns to.
    { find "$cache" -mindepth 1 -maxdepth 1 -type d \\( -name 'node-*' -o -name 'php-*' \\) -printf '%T@ %p\\0' | sort -zrn | tail -zn +4 | cut -zd ' ' -f 2- | xargs -0r rm -rf --; } || true
  }
  has_local_packages() {
    local named='/"link":true|"(file|link|portal):/.test(JSON.stringify({ ...it, scripts: 0 }))'
    if holds package.json "$named"; then return; fi
    if [[ $lock = *.json ]]; then holds "$lock" "$named"; else grep -qsE '(^|[^[:alnum:]_])(file|link|portal):' "$lock"; fi
  }
  has_workspaces() { [[ -e pnpm-workspace.yaml ]] || holds package.json '[it.workspaces?.packages ?? it.workspaces ?? []].flat().length > 0'; }
  has_own_scripts() { holds package.json 'Object.keys(it.scripts ?? {}).some((each) => /^(pre|post)?(install|prepare)$/.test(each))'; }
  patches() { # the content of each, in a fixed order
    find . \\( -name node_modules -o -name vendor -o -path ./.longshore \\) -prune -o \\
      -type f \\( -path '*/patches/*' -o -name '*.patch' -o -name '*.diff' \\) -print0 | sort -z | xargs -0r sha256sum --
  }
  commit_tree() { GIT_CONFIG_GLOBAL=/dev/null git --git-dir=${work.layout.mirror} rev-parse --verify ${`${releaseRef(work.release)}^{tree}`}; }
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
    version=\${tools#* }
    echo "The package manager is $manager\${version:+ $version}, $reason."
    # Workspaces spread over several directories; they are always installed.
    if [[ $base != "$PWD" ]]; then
      echo "\${run[*]} (in \${base/#"$top"/.}, of which this directory is a workspace)"
      (cd -- "$base" && "\${run[@]}")
      return
    fi
    if ! has_workspaces && ! has_local_packages; then
      key=$(
        {
          printf '%s\\n' "\${run[@]}" "$MACHTYPE"
          cat -- \${lock:+"$lock"} package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml "$cache/cleared" 2> /dev/null || true
          # Newer versions that package.json admits are there within a week.
          [[ $lock ]] || date +%G-%V
          printf '%s\\n' "$tools"
          patches
          ! has_own_scripts || commit_tree
        } | sha256sum
      )
      key=node-\${key%% *}
    fi
    if [[ $key ]] && restore "$key" node_modules; then
      if [[ $lock ]]; then echo "$lock has not changed: the packages installed before are used."
      else echo "There is no lock file: the packages installed for the same package.json in this week are used. A lock file in the repository decides their versions."; fi
      run_own_scripts
      note_packages "$key"
      return
    fi
    echo "\${run[*]}"
    "\${run[@]}"
    if [[ $key ]]; then
      keep "$key" node_modules
      note_packages "$key"
    fi
  }`;

// Composer itself runs every time: it makes the autoloader from the source. It downloads nothing if all packages are there. Its
// plugins may apply patches that composer.json names.
const installWithComposer = sh`
  if [[ -e composer.json ]]; then
    command -v composer > /dev/null || stop "The project has a composer.json, but Composer is not installed on this server."
    key=''
    if [[ -e composer.lock ]] && ! grep -qsE '"type"[[:space:]]*:[[:space:]]*"path"' composer.json composer.lock; then
      key=$({ php -r 'echo PHP_VERSION;'; cat -- composer.lock composer.json; patches; } | sha256sum)
      key=php-\${key%% *}
      if restore "$key" vendor; then echo "composer.lock has not changed: the packages installed before are used."; fi
    fi
    words=$(mktemp) code=0
    composer install --no-dev --no-interaction --prefer-dist --optimize-autoloader --no-progress --no-ansi 2>&1 | tee -- "$words" || code=$?
    if [[ $code != 0 ]] && grep -q 'your php version (' "$words"; then
      stop "The project needs another version of PHP than $(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'), as Composer says above. Set php_version to one that it can run with, of "${phpVersions.join(", ")}.
    fi
    rm -f -- "$words"
    if [[ $code != 0 ]]; then exit "$code"; fi
    [[ ! $key || -d $cache/$key ]] || keep "$key" vendor
  fi`;
