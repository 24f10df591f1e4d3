// Finds the line of a command's output that states why it failed. All patterns are for grep -E and bash as well as for JavaScript:
// servers look for the reason of a process that does not start in the same way.

/** Lines that do not state it: text that package managers and Node print around the reason, and stack frames. */
export const noise: string = [
  "^ *$",
  "^npm notice",
  "^npm (error|ERR!)( (code|errno|path|signal|command|workspace|location) .*| 404| )?$",
  '^npm (error|ERR!) (A complete log|Run "npm help|To see a list of|  npm run|Usage:|npm |Options:|\\[-|aliases:|Clean install)',
  "^npm (error|ERR!) (404 Note that|404 tarball|(notarget )?(In most cases you|a package version that)|Lifecycle script)",
  "^npm (error|ERR!) (Found: |node_modules/|  |While resolving: |Fix the upstream|this command with|to accept an)",
  "^npm (error|ERR!) (engine|notsup) Unsupported engine$",
  "(^|^npm error )gyp (info|verb|ERR! (build error|configure error|not ok|cwd|command|System|node|node-gyp|stack +at) )",
  "(^|^npm error )gyp ERR! (not ok|build error|configure error)? *$",
  "^(error Command failed|info Visit |➤ YN0000: )",
  '^error: script "[^"]*" (exited|was terminated)',
  "ELIFECYCLE",
  "^Run with the --force parameter|^This can indicate a tampered download|^To check your pnpm version",
  "^> Build failed because of webpack errors|^Build failed with error code: [0-9]+$|^Failed to compile\\.?$",
  "^ *(ERROR +)?Failed to compile with [0-9]+ errors?",
  // The usage of Composer's and Symfony's commands.
  "^[a-z:-]+ \\[--?[a-zA-Z]",
  "^Node\\.js v[0-9]",
  "^(Require stack:|- /)",
  "^ +at ",
  "^(Stack trace:|#[0-9]+ |  thrown in )",
  '^Traceback |^  File "',
  "^Error: Prisma schema validation|^Error code: P[0-9]+$",
  // The rest of an error that Node prints with its properties.
  "^  +[a-z][A-Za-z]*: ",
  "^  +'[^']*',?$",
  "^( |\\{|\\}|\\[|\\]|\\(|\\)|;|,|\\^|~|\\||-)*$",
  // The sentence about the step already has it.
  "^The [a-z ]+ ended with exit code [0-9]+\\.$",
  "^The build began with the cache of earlier builds,",
].join("|");

/** The causes of failures that programs report in many words of their own. */
const causes = [
  "Treating warnings as errors because",
  "JavaScript heap out of memory|Allowed memory size of [0-9]+ bytes exhausted|[Cc]annot allocate memory|^ *MemoryError",
  "ENOSPC|[Nn]o space left on device|Disk quota exceeded",
  "EADDRINUSE",
  "Failed to fetch .* from Google Fonts",
  "gyp ERR! stack Error",
  "^npm (error|ERR!) (Missing|Invalid): ",
  "The lockfile would have been modified",
  "is missing from your system|your php version \\(",
  "Rollup failed to resolve import|Module not found: ",
  "SQLSTATE\\[",
];

/** Lines that begin as errors do. */
const errors = [
  "(^|[^A-Za-z])ERR_PNPM_[A-Z_]+",
  "^ *(✘ |⨯ |× )?(\\[ERROR\\]|\\[error\\]|ERROR) ",
  "^error ",
  "^ *([A-Za-z]+ )*([A-Za-z_]+\\.)*[A-Za-z]*([Ee]rror|ERROR|Exception|Interrupt)( ?\\[[A-Za-z0-9_]+\\])?:",
  "^[a-z_]+(\\.[a-z_]+)+\\.[A-Z][A-Za-z]+: ",
  "^ +([A-Z][A-Za-z]*\\\\)+[A-Za-z]+ *$",
  "error TS[0-9]+: ",
  "^ *[0-9]+:[0-9]+ +[Ee]rror",
  "^npm (error|ERR!) ",
  "^In .+ line [0-9]+:$",
  "^error during build:$|^.+ error:$|failed with [0-9]+ errors?:$",
  "^(PHP )?(Fatal|Parse|Catchable fatal) error:|^ *fatal: |^panic: ",
  ": (ERROR|error|fatal error): ",
  "^[a-z/]*sh(: line [0-9]+|: [0-9]+)?: .+: (command )?not found$",
  "Something went wrong installing",
  "^➤ YN[0-9]+: .*([A-Za-z]*Error:|[Cc]an't|[Cc]ouldn't|doesn't|failed)",
];

/** What the line of the reason looks like, the strongest first: the first line that matches it states the reason. */
export const marks: readonly string[] = [causes.join("|"), errors.join("|")];

/** What to do about some reasons; the first that matches. */
export const remedies: readonly (readonly [mark: string, remedy: string])[] = [
  [
    "Treating warnings as errors because",
    "Correct the warnings below it, or set CI=false among the environment variables.",
  ],
  [
    "JavaScript heap out of memory",
    "The variable NODE_OPTIONS=--max-old-space-size=4096 raises the limit, in MB, where the server has the memory.",
  ],
  [
    "Allowed memory size of [0-9]+ bytes exhausted .*composer",
    "The variable COMPOSER_MEMORY_LIMIT=-1 removes Composer's limit.",
  ],
  ["file watchers", "The command watches files, as for development: set one that does not."],
  ["ENOSPC|[Nn]o space left on device", "The server's disk is full: delete what is not needed, or make it larger."],
  ["EADDRINUSE", "Have the process listen on the port in its environment variable PORT."],
  [
    "from Google Fonts",
    "The server has to reach fonts.googleapis.com: deploy again when it does, or keep the fonts in the repository (next/font/local).",
  ],
  [
    "gyp ERR! stack Error|node-gyp: not found",
    "A package is compiled while it is installed: use a version of it that has ready programs for this version of Node, or install python3, make and g++ on the server.",
  ],
  [
    "^npm (error|ERR!) (Missing|Invalid): |can only install packages when",
    "Run npm install, and commit package-lock.json.",
  ],
  ["lockfile needs to be updated|The lockfile would have been modified", "Run yarn install, and commit yarn.lock."],
  ["ERR_PNPM_OUTDATED_LOCKFILE", "Run pnpm install, and commit pnpm-lock.yaml."],
  [
    "ERR_PNPM_LOCKFILE_BREAKING_CHANGE",
    "Set packageManager in package.json to the version of pnpm that made the lock file, or make it again with a newer one.",
  ],
  ["lockfile is frozen", "Run bun install, and commit the lock file."],
  ["ERESOLVE", "Choose versions that fit each other, or put legacy-peer-deps=true into .npmrc."],
  [
    "Missing script|Script not found|ERR_PNPM_NO_SCRIPT",
    "Add it to the scripts of package.json, or set another command.",
  ],
  [
    "is missing from your system",
    "Install the extension on the server, or remove what requires it from composer.json.",
  ],
  ["your php version \\(", "Set the project's PHP version (php_version) to a version that fits."],
  [
    '"sharp" module',
    "Run npm install --os=linux --cpu=x64 sharp, so that the lock file has its program for the server.",
  ],
  [
    "SQLSTATE\\[HY000\\] \\[2002\\]|P1001|ECONNREFUSED",
    "What it connects to does not answer there: check its address among the environment variables.",
  ],
  [
    "SQLSTATE\\[HY000\\] \\[1045\\]|P1000",
    "Check the name and the password of the database among the environment variables.",
  ],
  ["Environment variable not found", "Set it among the environment variables."],
  ["Cannot find (module|package) '[^./]", "Add it to the dependencies of package.json."],
  [
    "Cannot find module '[./]",
    "The file is not in the release: commit it, and write its name in the same upper and lower case.",
  ],
  ["(Can't resolve|failed to resolve import) ['\"][^./]", "Add it to the dependencies of package.json."],
  [": (command )?not found$", "Add the package that has this command to package.json, or install it on the server."],
];

const isNoise = new RegExp(noise);
const isMarked = marks.map((mark) => new RegExp(mark));
const isRemedied = remedies.map(([mark, remedy]) => [new RegExp(mark), remedy] as const);

// No reason is longer; programs print lines without end.
const longestLine = 2_000;
const colour = /[^\P{Cc}\s]\[[0-9;?]*[A-Za-z]/gu;

/** The line as a terminal shows it: without colours, and without what was overwritten. */
function shown(line: string): string {
  const text = line
    .slice(0, 10 * longestLine)
    .replace(colour, "")
    .trimEnd();
  return text.slice(text.lastIndexOf("\r") + 1).slice(0, longestLine);
}

const longest = 500;

/**
 * The line of a failed command's output that states the reason: the first that looks like an error, else the last that is no noise;
 * undefined when there is none.
 */
export function reasonIn(output: string): string | undefined {
  const lines = output
    .split("\n")
    .map(shown)
    .filter((line) => !isNoise.test(line));
  const found = isMarked.map((mark) => lines.findIndex((line) => mark.test(line))).find((at) => at !== -1);
  const reason = found === undefined ? lines.at(-1) : completed(lines.slice(found, found + mostHeadings));
  return reason?.trim().slice(0, longest);
}

const mostHeadings = 4;

// Lines that only announce the error.
const heading =
  /^(?:In .+ line \d+|error during build|Error|\S+ error|.*failed with \d+ errors?):$|^ +(?:[A-Z]\w*\\)+\w+ *$/;

/** The first line, or what it announces. */
function completed([line = "", ...rest]: readonly string[]): string {
  const [next] = rest;
  if (line.includes("ERESOLVE")) return `${line.trim()}${peersIn(rest)}`;
  if (next === undefined || !(heading.test(line) || /:\s*$|^ERROR in /.test(line))) return line;
  return heading.test(line) ? completed(rest) : `${line.trim()} ${next.trim()}`;
}

function peersIn(lines: readonly string[]): string {
  const [, peers] = lines.map((line) => /^npm (?:error|ERR!) (peer .+)$/.exec(line)).find((each) => each) ?? [];
  return peers === undefined ? "" : `: ${peers}`;
}

/** The reason as a sentence, with what to do about it where that is known; `exitCode` is that of the command. */
export function explain(output: string, exitCode?: number): string | undefined {
  const reason = reasonIn(output);
  const known = reason && isRemedied.find(([mark]) => mark.test(reason))?.[1];
  const remedy = known || (exitCode === 137 || killed.test(output.slice(-2_000)) ? outOfMemory : "");
  if (!reason || !remedy) return reason ?? (remedy || undefined);
  return `${reason}${/[.!?]$/.test(reason) ? "" : "."} ${remedy}`;
}

const killed = /^npm (?:error|ERR!) signal SIGKILL|\bexit code 137\b|^Killed$/m;
const outOfMemory =
  "A program was killed, most probably for lack of memory: have the command use less, or deploy to a server with more.";
