import { servedName } from "../../../host/nginx/names.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { managerFunctions } from "./packages.ts";
import { releaseOf, stopFunction, type Work, workingDirectoryOf } from "./work.ts";

/** A start command instead of the default `npm start`. All of its conditions have to be met. */
interface StartRule {
  /** The `start` script of package.json, as a regular expression; empty: there is none. */
  start: string;
  /** Another script that package.json must have. */
  script?: string;
  /** The only file that matches this pattern; `FILE` in the command. */
  file?: string;
  /** `MANAGER` is the package manager. */
  command: string;
  reason: string;
  /** Further preparation. */
  prepare?: Script;
}

const built = (file: string, tools: string): StartRule => ({
  start: "",
  file,
  command: "node FILE",
  reason: `package.json has no start script, and the build made a server as ${tools} do`,
});

/** The first matching rule wins. */
const rulesOf = (work: Work): readonly StartRule[] => [
  built(".output/server/index.mjs", "Nitro, TanStack Start and Nuxt"),
  built("build/index.js", "SvelteKit and its Node adapter"),
  built("dist/server/entry.mjs", "Astro and its Node adapter"),
  {
    start: "^ng serve( |$)",
    file: "dist/*/server/server.mjs",
    // nginx forwards only requests for the site's names. Older versions read only names.
    command: `NG_ALLOWED_HOSTS="\${NG_ALLOWED_HOSTS-*,${servedName(work.project.site)}}" node FILE`,
    reason: "the start script is Angular's development server, and the build made a server",
  },
  {
    start: "^nest start$",
    script: "start:prod",
    command: "MANAGER run start:prod",
    reason: "the start script compiles at every start, and NestJS has this one for production",
  },
  {
    start: "^next start( |$)",
    file: ".next/standalone/server.js",
    command: 'HOSTNAME="$HOST" node FILE',
    reason: "Next.js built a server of its own (output: standalone), with which next start does not work",
    prepare: sh`
      for part in public .next/static; do
        if [[ -d $part ]]; then
          mkdir -p ".next/standalone/$part"
          cp -a --reflink=auto -- "$part/." ".next/standalone/$part"
        fi
      done`,
  },
];

/**
 * Bash that replaces the default start command of the release with one that fits the build; false if the project has its own
 * command, or its framework's command is right.
 */
export function chooseStart(work: Work): Script | false {
  const { framework, commands } = work.project;
  if (framework.runtimeFamily !== "node" || commands.dev !== framework.defaults.dev) return false;
  if (commands.dev !== "npm start") return false;
  return lines(
    stopFunction,
    sh`cd -P -- ${workingDirectoryOf(work)}`,
    managerFunctions(work),
    sh`
      shopt -s nullglob
      start_with() { # COMMAND REASON
        printf '%s\\n' "$1" > ${releaseOf(work)}/.longshore/command
        echo "The start command is $1: $2."
        exit
      }
      start_is() { # PATTERN
        if [[ ! $1 ]]; then
          if has_script start; then return 1; fi
        else
          holds package.json 'new RegExp(word).test(String(it.scripts?.start ?? "").trim())' "$1"
        fi
      }
      [[ -e package.json ]] || exit 0
      pick_manager`,
    ...rulesOf(work).map(ruleScript),
    sh`
      if has_script start; then
        case $manager in
          bun) start_with "bun run start" "the packages are Bun's" ;;
          yarn) [[ ! -e $base/.pnp.cjs ]] || start_with "yarn start" "Yarn has put packages where only it finds them (Plug'n'Play)" ;;
        esac
      elif [[ $manager = yarn && -e $base/.pnp.cjs && -e server.js ]]; then
        start_with "yarn node server.js" "package.json has no start script, and Yarn has put packages where only it finds them (Plug'n'Play)"
      elif [[ $manager = bun ]]; then
        for file in server.ts index.ts src/index.ts index.js; do
          [[ ! -e $file || -e server.js ]] || start_with "bun $file" "package.json has no start script, and the packages are Bun's"
        done
      fi`,
  );
}

const ruleScript = (rule: StartRule): Script => sh`
  files=(${rule.file === undefined ? "package.json" : { script: rule.file }})
  if [[ \${#files[@]} = 1 && -e \${files[0]} ]] && start_is ${rule.start}${
    rule.script === undefined ? { script: "" } : sh` && has_script ${rule.script}`
  }; then
    ${rule.prepare ?? sh`:`}
    command=${rule.command}
    command=\${command/FILE/"\${files[0]}"}
    start_with "\${command/MANAGER/"$manager"}" ${rule.reason}
  fi`;
