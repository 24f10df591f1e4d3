import { fromTheStart, type Plan, plan, step } from "../../../engine/plan.ts";
import type { GitSource } from "../../../host/git/git.ts";
import { type Script, sh } from "../../../host/sh.ts";
import { visitorSandbox } from "../../../host/systemd/sandbox.ts";
import { detectionKind } from "../schema.ts";
import { type RepositoryFiles, readNames, readPaths } from "./files.ts";

const mostPaths = 3_000;
const mostFiles = 40;
const largestFileBytes = 200_000;
const largestPackMb = 300;
const seconds = 60;

/**
 * Reads a few files of a branch's newest commit, and prints them. Runs as an unprivileged user without access to projects, in a
 * directory that is deleted with the step. Fetches no history and, if the git server supports it, no other files.
 */
export const detectionPlan = (source: Pick<GitSource, "url" | "branch">): Plan =>
  plan(
    detectionKind,
    [
      step("read-repository", "Read the repository", readRepository(source), {
        sandbox: visitorSandbox,
        timeoutSeconds: seconds,
      }),
    ],
    { pointOfNoReturn: fromTheStart, limits: { cpuWeight: 20, ioWeight: 20, memoryMax: "1G", tasksMax: 100 } },
  );

const readRepository = ({ url, branch }: Pick<GitSource, "url" | "branch">): Script => sh`
  stop() { printf '%s\\n' "$1" >&2; exit 1; }
  url=${url} branch=${branch}
  # No file that git writes gets larger: a pack is one.
  ulimit -f ${largestPackMb * 1024}
  export GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=http:https:git GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
  cd "$(mktemp -d)"
  git init --quiet --bare --template= .
  git config remote.origin.url "$url"
  git config remote.origin.promisor true
  git config remote.origin.partialclonefilter blob:none
  fetch() {
    git -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=20 -c gc.auto=0 -c protocol.version=2 \\
      fetch --quiet --no-tags --no-write-fetch-head --recurse-submodules=no --filter=blob:none "$@"
  }
  if ! said=$(fetch --depth=1 origin "+refs/heads/$branch:refs/heads/tip" 2>&1); then
    case $said in
      *"couldn't find remote ref"*) stop "The branch $branch does not exist in the repository $url." ;;
      *"could not read Username"* | *"Authentication failed"* | *"error: 403"* | *"error: 401"* | *"not found"* | *"error: 404"*)
        stop "The repository $url does not exist, or not everybody may read it: choose its framework yourself." ;;
      *"Could not resolve host"*) stop "The name of the git server of $url could not be resolved." ;;
      *) stop "The repository $url could not be read: \${said##*$'\\n'}" ;;
    esac
  fi
  git rev-parse refs/heads/tip | sed 's/^/commit /'
  # Regular files of the upper directories, with names that a line can hold; what lies higher comes first.
  git ls-tree -r -z refs/heads/tip | head -zn 100000 | tr '\\n\\0' '\\0\\n' |
    { grep -aE $'^100[0-9]+ blob [0-9a-f]+\\t([A-Za-z0-9@._+ -]+/){0,3}[A-Za-z0-9@._+ -]+$' || true; } |
    { grep -avE $'[\\t/](node_modules|vendor|\\.git)/' || true; } |
    awk -F '\\t' -v OFS='\\t' '{ print gsub("/", "/", $2) "\\t" $0 }' | sort -s -n -k 1,1 | cut -f 2- | head -n ${mostPaths} > tree || true
  declare -A ids=()
  wanted=()
  while IFS=$'\\t' read -r entry path; do
    printf 'path %s\\n' "$path"
    ((\${#wanted[@]} < ${mostFiles})) || continue
    case "\${path##*/}" in
      ${{ script: readNames.join(" | ") }}) ;;
      *) case $path in ${{ script: readPaths.join(" | ") }}) ;; *) continue ;; esac ;;
    esac
    wanted+=("$path")
    ids[$path]=\${entry##* }
  done < tree
  ((\${#wanted[@]})) || exit 0
  # All at once: git would ask for each in a request of its own. A server that cannot leave files out has sent them.
  missing=$(git rev-list --objects --missing=print --no-object-names refs/heads/tip | sed -n 's/^?//p')
  fetches=()
  for path in "\${wanted[@]}"; do
    [[ $missing != *"\${ids[$path]}"* ]] || fetches+=("\${ids[$path]}")
  done
  if ((\${#fetches[@]})) && ! said=$(fetch origin "\${fetches[@]}" 2>&1); then
    stop "The files of the repository $url could not be read: \${said##*$'\\n'}"
  fi
  for path in "\${wanted[@]}"; do
    size=$(git cat-file -s "\${ids[$path]}")
    ((size <= ${largestFileBytes})) || continue
    printf 'file %s\\n' "$path"
    git cat-file blob "\${ids[$path]}" | base64 --wrap=3000 | sed 's/^/data /'
  done`;

/** The files that such a run printed, and the commit. Ignores lines that are not its own. */
export function filesIn(output: readonly string[]): RepositoryFiles & { commit: string } {
  const pieces = new Map<string, string[]>();
  const paths: string[] = [];
  let commit = "";
  let open: string[] | undefined;
  for (const line of output) {
    const [, kind, value = ""] = /^(commit|path|file|data) (.+)$/.exec(line) ?? [];
    if (kind === "commit") commit ||= value;
    if (kind === "path") paths.push(value);
    if (kind === "file") {
      open = [];
      pieces.set(value, open);
    }
    if (kind === "data") open?.push(value);
  }
  const decoded = [...pieces].map(([path, parts]) => [path, Buffer.from(parts.join(""), "base64").toString("utf8")]);
  return { commit, paths, contents: Object.fromEntries(decoded) };
}
