import { type Step, step } from "../../../engine/plan.ts";
import { releaseRef } from "../../../host/git.ts";
import { projectSandbox } from "../../../host/sandbox.ts";
import { lines, type Script, sh, userCommand } from "../../../host/sh.ts";
import { reuseFrontend } from "./frontend.ts";
import { environmentOf, releaseOf, stopFunction, type Work, workingDirectoryOf } from "./work.ts";

/** Dependencies: by the lock file that is there, from the cache when it holds exactly these; or by the user's command. */
export function install(work: Work): Step | undefined {
  const { install } = work.project.commands;
  if (install.trim() === "") return undefined;
  const isDefault = install === work.project.framework.defaults.install;
  return clientStep(
    work,
    "install",
    "Install dependencies",
    "install",
    isDefault ? defaultInstall(work) : asWritten(install),
  );
}

/** The user's build, or the `build` script of package.json when there is one. */
export function build(work: Work): Step | undefined {
  const { build } = work.project.commands;
  if (build.trim() === "") return undefined;
  const isDefault = build === work.project.framework.defaults.build;
  return clientStep(work, "build", "Build", "build", isDefault ? defaultBuild(work) : asWritten(build));
}

export const runCustomCommands = (work: Work): Step | undefined =>
  work.project.commands.custom.trim() === ""
    ? undefined
    : clientStep(
        work,
        "custom",
        "Run the deployment script",
        "deployment script",
        asWritten(work.project.commands.custom),
      );

// The user's script was not written for our stricter settings; it does stop at the first command that fails.
const asWritten = (text: string): Script => lines(sh`set +u +o pipefail`, userCommand(text));

/** As the project's user, in the working directory, with the project's environment; ends with a sentence if it fails. */
const clientStep = (work: Work, key: string, label: string, name: string, script: Script): Step =>
  step(
    key,
    label,
    lines(
      sh`
        command=${name}
        stop() { command=''; printf '%s\\n' "$1" >&2; exit 1; }
        at_exit() {
          local code=$?
          [[ $code = 0 || ! $command ]] || echo "The $command ended with exit code $code." >&2
        }
        trap at_exit EXIT
        cd -P -- ${workingDirectoryOf(work)}
        # What the server's owner set for everyone, such as a proxy or certificate authorities.
        set -a +u
        if [[ -r /etc/environment ]]; then source /etc/environment; fi
        set +a -u
        if [[ -r ${environmentOf(work)}/environment-exports ]]; then source ${environmentOf(work)}/environment-exports; fi
        export npm_config_update_notifier=false HOME=${work.layout.home} PATH=/usr/local/bin:/usr/bin:/bin`,
      key !== "install" && sh`export NODE_ENV="\${NODE_ENV:-production}"`,
      script,
    ),
    {
      phase: "build",
      sandbox: projectSandbox(work.layout),
      audience: "client",
      timeoutSeconds: work.settings.commandTimeoutSeconds,
    },
  );

function defaultInstall(work: Work): Script {
  const needsFrontend = work.project.commands.build.trim() !== "";
  return lines(
    cacheFunctions(work),
    work.project.framework.runtimeFamily === "php" && installWithComposer,
    work.project.framework.runtimeFamily === "php"
      ? needsFrontend && sh`if grep -qs '"build"[[:space:]]*:' package.json; then install_packages; fi`
      : sh`install_packages`,
  );
}

/**
 * `install_packages` picks the package manager by its lock file. What was installed is kept by a hash of everything
 * that decides it, and copied rather than linked: a build may write into it, and the live release must not feel that.
 * Patches are part of the hash; where the project's own scripts run during the installation, so is the whole commit,
 * since they may read any of it. Nothing is kept of packages that are themselves directories of the repository.
 */
const cacheFunctions = (work: Work): Script => sh`
  cache=${work.layout.cache}
  export CI=true npm_config_fund=false npm_config_audit=false
  restore() { # KEY DIRECTORY
    [[ -d $cache/$1/$2 ]] || return 1
    rm -rf -- "./$2"
    cp -a --reflink=auto -- "$cache/$1/$2" "./$2"
    touch -- "$cache/$1"
  }
  keep() { # KEY DIRECTORY
    [[ -d $2 ]] || return 0
    rm -rf -- "$cache"/*.new
    mkdir -p -- "$cache/$1.new"
    cp -a --reflink=auto -- "./$2" "$cache/$1.new/$2" || { rm -rf -- "$cache/$1.new"; return 0; }
    rm -rf -- "\${cache:?}/$1"
    mv -T -- "$cache/$1.new" "$cache/$1"
    # The three used last are enough for what is live, what comes next and what one returns to.
    { find "$cache" -mindepth 1 -maxdepth 1 -type d -printf '%T@ %p\\0' | sort -zrn | tail -zn +4 | cut -zd ' ' -f 2- | xargs -0r rm -rf --; } || true
  }
  pick_manager() {
    if [[ -e pnpm-lock.yaml ]]; then manager=pnpm lock=pnpm-lock.yaml run=(pnpm install --frozen-lockfile --prod=false)
    elif [[ -e yarn.lock ]]; then
      manager=yarn lock=yarn.lock
      if [[ -e .yarnrc.yml ]]; then run=(yarn install --immutable)
      else run=(yarn install --frozen-lockfile --production=false); fi
    elif [[ -e package-lock.json ]]; then manager=npm lock=package-lock.json run=(npm ci --include=dev)
    elif [[ -e npm-shrinkwrap.json ]]; then manager=npm lock=npm-shrinkwrap.json run=(npm ci --include=dev)
    elif [[ -e package.json ]]; then manager=npm lock='' run=(npm install --include=dev --no-package-lock)
    else manager=''; fi
  }
  need_manager() {
    command -v node > /dev/null || stop "Node is not installed on this server, and package.json needs it."
    command -v "$manager" > /dev/null ||
      stop "The project has a \${lock:-package.json}, but $manager is not installed on this server. Install it, or set an install command of your own."
  }
  has_local_packages() { grep -qsE '(^|[^[:alnum:]_])(file|link|portal):|"link"[[:space:]]*:[[:space:]]*true' "$lock" package.json; }
  has_own_scripts() { grep -qsE '"(pre|post)?(install|prepare)"[[:space:]]*:' package.json; }
  patches() { # the content of each, in a fixed order
    find . \\( -name node_modules -o -name vendor -o -path ./.longshore \\) -prune -o \\
      -type f \\( -path '*/patches/*' -o -name '*.patch' -o -name '*.diff' \\) -print0 | sort -z | xargs -0r sha256sum --
  }
  commit_tree() { GIT_CONFIG_GLOBAL=/dev/null git --git-dir=${work.layout.mirror} rev-parse --verify ${`${releaseRef(work.release)}^{tree}`}; }
  # Scripts of the project itself that an installation runs also look at its source, so they run every time.
  run_own_scripts() {
    local name
    for name in preinstall install postinstall prepare; do
      if grep -qs "\\"$name\\"[[:space:]]*:" package.json; then "$manager" run "$name"; fi
    done
  }
  install_packages() {
    local key=''
    pick_manager
    if [[ ! $manager ]]; then echo "There is no package.json: nothing to install."; return; fi
    need_manager
    # Workspaces spread over several directories; they are always installed.
    if [[ $lock && ! -e pnpm-workspace.yaml ]] && ! grep -qs '"workspaces"[[:space:]]*:' package.json && ! has_local_packages; then
      key=$(
        {
          printf '%s\\n' "\${run[@]}" "$MACHTYPE"
          node --version
          cat -- "$lock" package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs 2> /dev/null || true
          patches
          ! has_own_scripts || commit_tree
        } | sha256sum
      )
      key=node-\${key%% *}
    fi
    if [[ $key ]] && restore "$key" node_modules; then
      echo "$lock has not changed: the packages installed before are used."
      run_own_scripts
      return
    fi
    echo "\${run[*]}"
    "\${run[@]}"
    [[ ! $key ]] || keep "$key" node_modules
  }`;

// Composer itself runs every time: it makes the autoloader from the source. With everything there it downloads nothing. Its
// plugins may patch packages, by patches that composer.json names.
const installWithComposer = sh`
  if [[ -e composer.json ]]; then
    command -v composer > /dev/null || stop "The project has a composer.json, but Composer is not installed on this server."
    key=''
    if [[ -e composer.lock ]] && ! grep -qsE '"type"[[:space:]]*:[[:space:]]*"path"' composer.json composer.lock; then
      key=$({ php -r 'echo PHP_VERSION;'; cat -- composer.lock composer.json; patches; } | sha256sum)
      key=php-\${key%% *}
      if restore "$key" vendor; then echo "composer.lock has not changed: the packages installed before are used."; fi
    fi
    composer install --no-dev --no-interaction --prefer-dist --optimize-autoloader --no-progress --no-ansi
    [[ ! $key || -d $cache/$key ]] || keep "$key" vendor
  fi`;

const defaultBuild = (work: Work): Script =>
  lines(
    cacheFunctions(work),
    sh`
      pick_manager
      if [[ ! $manager ]] || ! grep -qs '"build"[[:space:]]*:' package.json; then
        echo "package.json has no build script: nothing to build."
        exit
      fi
      need_manager
      build_frontend() {
        echo "$manager run build"
        "$manager" run build
      }`,
    canReuse(work) ? reuseFrontend(work) : sh`build_frontend`,
  );

// In place the files of the release before are gone.
const canReuse = ({ project }: Work): boolean => project.framework.runtimeFamily === "php" && project.zeroDowntime;

/** The choice as a step of its own, after the user's commands have made what there is to choose from. */
export const choosePublicDirectory = (work: Work, choice: Script): Step =>
  step("choose-public-directory", "Choose the directory to serve", choice, {
    phase: "build",
    sandbox: projectSandbox(work.layout),
  });

/**
 * Links the directory to serve as `.longshore/public`; false for Node. Candidates may be patterns; one with an index file wins
 * over one that is merely there.
 */
export function linkPublicDirectory(work: Work): Script | false {
  const { framework, directory, outputDirectory } = work.project;
  if (framework.runtimeFamily === "node") return false;
  const candidates = outputDirectory === undefined ? framework.publicCandidates : [outputDirectory];
  // Those of the framework may be patterns.
  const words = candidates.map((each) =>
    outputDirectory === undefined && each.includes("*") ? each : sh`${each}`.script,
  );
  return lines(
    stopFunction,
    sh`
      cd -- ${workingDirectoryOf(work)}
      shopt -s nullglob
      chosen='' second=''
      for candidate in ${{ script: words.join(" ") }}; do
        [[ -d $candidate ]] || continue
        if ${hasIndex(work)}; then chosen=$candidate; break; fi
        second=\${second:-$candidate}
      done
      if [[ ! $chosen && $second ]]; then ${withoutIndex(work, candidates)}; fi
      if [[ ! $chosen ]]; then
        stop "There is nothing to serve: the release has none of the directories "${candidates.join(", ")}". "${advice}
      fi
      inside=$(realpath -- "$chosen") release=$(realpath -- ${releaseOf(work)})
      if [[ $inside/ != "$release"/* ]]; then stop "The directory to serve, $chosen, lies outside of the release."; fi
      ln -sfn -- ../${directory === "" ? "" : `${directory}/`}"$chosen" ${releaseOf(work)}/.longshore/public
      [[ $chosen = . ]] || echo "Serving the directory $chosen."`,
    framework.runtimeFamily === "static" && framework.spa && detectPages(work),
  );
}

const advice = "Set output_directory to the directory that the build makes.";

const named = (candidate: string): string => (candidate === "." ? "the project's directory" : candidate);

// What nginx serves as the page of a directory.
const hasIndex = ({ project }: Work): Script =>
  project.framework.runtimeFamily === "php"
    ? sh`[[ -e $candidate/index.html || -e $candidate/index.php ]]`
    : sh`[[ -e $candidate/index.html || -e $candidate/index.htm ]]`;

// Files alone answer 403 to everybody then, unless the project names what else answers.
const withoutIndex = ({ project, settings }: Work, candidates: readonly string[]): Script =>
  project.framework.runtimeFamily === "static" && settings.healthPath === "/" && settings.healthStatuses.length === 0
    ? sh`stop "There is no page to serve: no index.html is in "${candidates.map(named).join(", ")}". "${advice}`
    : sh`chosen=$second`;

/**
 * Leaves the file `.longshore/pages` in a release of several pages: unknown addresses get 404 there, and the index page elsewhere. An
 * application is known by an index page that is only the frame for it, by the name that its tools give to a page for unknown
 * addresses, or by having no other page.
 */
const detectPages = (work: Work): Script => sh`
  has_frame() {
    head -c 1M index.html | tr '\\0\\n' '  ' |
      grep -qE '<(div|main)( [^>]*)? id=["'"'"']?(root|app|react-root|svelte|q-app|__nuxt|__next)["'"'"']?[^>]*>( |<!--[^>]*-->)*</|<[a-z]+-root[^>]*>( |<!--[^>]*-->)*</'
  }
  is_application() (
    cd -P -- ${releaseOf(work)}/.longshore/public
    [[ ! -e 200.html && ! -e __spa-fallback.html ]] || exit 0
    if has_frame; then exit 0; fi
    [[ ! $(find . -name '*.html' ! -path ./index.html ! -path './.*' -print -quit) ]]
  )
  if is_application; then rm -f -- ${releaseOf(work)}/.longshore/pages
  else : > ${releaseOf(work)}/.longshore/pages; fi`;
