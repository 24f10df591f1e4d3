import { servedName } from "../../../host/nginx/names.ts";
import { scriptsBeside, setBefore } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { picking } from "./packages.ts";
import { type Work, workingDirectoryOf } from "./work.ts";

const script = scriptsBeside(import.meta.url);

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
    sh`cd -P -- ${workingDirectoryOf(work)}`,
    // It fetches nothing, and runs nothing with the project's variables.
    script("choose-start.sh", { ...picking(work), environment_exports: "", with_environment: [], settings: [] }),
    ...rulesOf(work).map(ruleScript),
    script("start-by-manager.sh", { base: setBefore, manager: setBefore }),
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
