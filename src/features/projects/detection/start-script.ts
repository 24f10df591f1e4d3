// What the scripts of a package.json run in the end: a server, files, or something that is for development.

/** What `npm start` does. */
export type Started =
  | { kind: "nothing" }
  /** Builds and serves for the person who writes the application. */
  | { kind: "development"; program: string }
  /** Serves the files of a directory. */
  | { kind: "files"; program: string; directory?: string }
  /** `command`: the one to start instead of the script, which `program` is about. */
  | { kind: "server"; command?: string; program?: string };

export interface Scripts {
  names: readonly string[];
  script(name: string): string;
  /** Whether a file was written to be started for development. */
  isForDevelopment(file: string): boolean;
}

interface Command {
  words: readonly string[];
  /** The program that starts it again after each change. */
  watcher?: string;
  /** Whether it runs where and as the script does. */
  isWhole: boolean;
}

/** What a script does, which may run others by their names. */
export function startedBy(script: string, scripts: Scripts): Started {
  const found = commandsOf(script, scripts, { isWhole: true, followed: new Set() })
    .map((command) => ({ command, started: kindOf(command, scripts) }))
    .filter(({ started }) => started.kind !== "nothing");
  const server = found.find(({ started }) => started.kind === "server");
  const others = found.flatMap(({ started }) => (started.kind === "server" ? [] : [started]));
  if (server === undefined) return others.find(({ kind }) => kind === "files") ?? others[0] ?? { kind: "nothing" };
  const [other] = others;
  const program = server.command.watcher ?? (other && "program" in other ? other.program : undefined);
  if (program === undefined) return { kind: "server" };
  const plain = server.command.isWhole ? commandLine(server.command.words) : undefined;
  return { kind: "server", program, ...(plain !== undefined && { command: plain }) };
}

// As a deployment can start it: programs of packages are found by npx.
function commandLine(words: readonly string[]): string | undefined {
  if (!words.every((word) => /^[\w@%+=:,./-]+$/.test(word))) return undefined;
  const line = words.join(" ");
  return /^(?:node|bun|deno|npm|npx|yarn|pnpm)$/.test(words[0] ?? "") ? line : `npx ${line}`;
}

// The words of a command -------------------------------------------------------------------------------------------------------------

const longestScript = 2_000;

/** The words of the simple commands between operators. */
function splitCommands(script: string): { words: string[]; after: string }[] {
  const pieces =
    script.slice(0, longestScript).match(/(?:[^\s"';&|\\]|\\.|"(?:\\.|[^"\\])*"|'[^']*')+|&&|\|\||[;&|]/g) ?? [];
  const commands: { words: string[]; after: string }[] = [{ words: [], after: "" }];
  for (const piece of pieces) {
    if (/^[;&|]/.test(piece)) commands.push({ words: [], after: piece });
    else
      commands.at(-1)?.words.push(
        piece
          .replace(/\\(?=["'])/g, "")
          .replace(/^(["'])(.*)\1$/s, "$2")
          .replace(/=(["'])(.*)\1$/s, "=$2"),
      );
  }
  return commands.filter(({ words }) => words.length > 0);
}

interface Around {
  isWhole: boolean;
  watcher?: string;
  /** The scripts that were followed: each once. */
  followed: Set<string>;
}

/** The commands that a script starts last, and which keep running: what comes before `&&` has ended by then. */
function commandsOf(script: string, scripts: Scripts, around: Around): Command[] {
  const all = splitCommands(script);
  const last = Math.max(
    all.findLastIndex(({ after }) => after === "&&" || after === "||" || after === ";"),
    0,
  );
  // What a former one has changed, such as the directory, is not known.
  const isWhole =
    around.isWhole && !all.slice(0, last).some(({ words: [first = ""] }) => /^(?:cd|export)$/.test(first));
  return all.slice(last).flatMap(({ words }) => leavesOf(words, scripts, { ...around, isWhole }));
}

function leavesOf(words: readonly string[], scripts: Scripts, around: Around): Command[] {
  if (words.length === 0) return [];
  const inner = unwrapped(words);
  if (inner !== undefined) return leavesOf(inner.words, scripts, { ...around, ...inner.around });
  const texts = scriptsRunBy(words, scripts, around.followed);
  if (texts !== undefined) return texts.flatMap((text) => commandsOf(text, scripts, around));
  const [first = "", ...rest] = words;
  if (/^(?:nodemon|node-dev|ts-node-dev|tsnd|supervisor|onchange)$/.test(first)) {
    return watchedBy(rest, scripts, { ...around, watcher: first });
  }
  const { isWhole, watcher } = around;
  return [{ words, isWhole, ...(watcher !== undefined && { watcher }) }];
}

const wrapper = /^(?:env|cross-env|cross-env-shell|exec|time|nice|npx|pnpx|bunx|env-cmd|dotenv|varlock)$/;
const wrapperWithVerb = /^(?:(?:dotenvx|doppler|infisical) run|(?:npm|pnpm|yarn) (?:exec|dlx)|bun x)$/;

/** The command in what sets its environment, finds its program, or starts it again; undefined: it is the command itself. */
function unwrapped(
  words: readonly string[],
): { words: readonly string[]; around?: Partial<Pick<Around, "isWhole" | "watcher">> } | undefined {
  const [first = "", second = ""] = words;
  if (/^\w+=/.test(first)) return { words: words.slice(1), around: { isWhole: false } };
  if (wrapper.test(first)) return { words: afterOptions(words.slice(1)) };
  if (wrapperWithVerb.test(`${first} ${second}`)) return { words: afterOptions(words.slice(2)) };
  if (/^(?:tsx|bun) (?:watch|--watch|--hot)$/.test(`${first} ${second}`)) {
    return { words: [first, ...words.slice(2)], around: { watcher: `${first} ${second}` } };
  }
  const others = words.filter((word) => !word.startsWith("--watch"));
  return first === "node" && others.length < words.length
    ? { words: others, around: { watcher: "node --watch" } }
    : undefined;
}

function afterOptions(words: readonly string[]): readonly string[] {
  const [first = ""] = words;
  if (first === "--") return words.slice(1);
  const hasValue = /^(?:-p|-e|-f|--package|--env|--file)$/.test(first);
  return first.startsWith("-") ? afterOptions(words.slice(hasValue ? 2 : 1)) : words;
}

/** What a program runs and starts again after each change: the command that it is given, else the file. */
function watchedBy(words: readonly string[], scripts: Scripts, around: Around): Command[] {
  const given = words.flatMap((word) =>
    word.startsWith("--exec=") ? ["--exec", word.slice("--exec=".length)] : [word],
  );
  const [command, ...rest] = given.slice(given.findIndex((word) => /^(?:-x|--exec|--)$/.test(word)) + 1);
  if (command !== undefined && rest.length < given.length - 1) {
    return command.includes(" ") ? commandsOf(command, scripts, around) : leavesOf([command, ...rest], scripts, around);
  }
  const isOfOption = (at: number) => /^(?:-w|--watch|-i|--ignore)$/.test(words[at - 1] ?? "");
  const file = words.find((word, at) => /\.[cm]?[jt]sx?$/.test(word) && !isOfOption(at)) ?? ".";
  return leavesOf([/\.[cm]?tsx?$/.test(file) ? "ts-node" : "node", file], scripts, around);
}

/** The texts of the scripts that a command runs by their names; undefined: it runs none. */
function scriptsRunBy(words: readonly string[], scripts: Scripts, followed: Set<string>): string[] | undefined {
  const [first = "", second = "", third = ""] = words;
  const named = (name: string): string[] | undefined => {
    const names = matching(name, scripts);
    // A build ends.
    const isNew = (each: string) => !followed.has(each) && !/^(?:pre|post)?build(?:$|[:-])/.test(each);
    const texts = names.filter(isNew).map((each) => scripts.script(each));
    for (const each of names) followed.add(each);
    return names.length === 0 ? undefined : texts;
  };
  if (/^(?:npm|pnpm|yarn|bun) (?:run|run-script)$/.test(`${first} ${second}`)) return named(third);
  if (/^(?:npm|pnpm|yarn)$/.test(first)) return named(second);
  const names = words.slice(1).filter((word) => !word.startsWith("-"));
  if (/^(?:run-s|run-p|npm-run-all2?)$/.test(first)) {
    const isTogether = first === "run-p" || words.some((word) => /^(?:-p|--parallel)$/.test(word));
    return anyOf((isTogether ? names : names.slice(-1)).map(named));
  }
  if (!/^conc(?:urrently)?$/.test(first)) return undefined;
  return anyOf(names.map((name) => named(name.replace(/^(?:npm|yarn|pnpm):/, "")) ?? [name]));
}

const mostNames = 200;

/** The scripts of a name, or of a pattern such as `watch:*`. */
function matching(name: string, { names, script }: Scripts): string[] {
  const [before = "", after] = name.split("*", 2);
  if (after === undefined) return script(name) === "" ? [] : [name];
  return names.slice(0, mostNames).filter((each) => each.startsWith(before) && each.endsWith(after));
}

function anyOf(lists: readonly (string[] | undefined)[]): string[] | undefined {
  return lists.every((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);
}

// What a command is ------------------------------------------------------------------------------------------------------------------

/** Servers for development, and programs that watch files, by the beginning of the command. */
const forDevelopment = new RegExp(
  `^(?:${[
    "(?:browser-sync|live-server|lite-server|five-server|light-server|alive-server|budo|beefy|reload|wds|[\\w@/-]+-dev-server)(?: |$)",
    "webpack(?:-cli)? (?:s|serve|server|w|watch)(?: |$)",
    "(?:vite|parcel|snowpack|rsbuild|rspack|farm)(?: (?!build|preview|optimize)|$)",
    "(?:gulp|grunt)(?: |$)",
    "(?:brunch|bit|preact|microbundle|tsdx|elm-app|wmr) (?:watch|w|start|serve)(?: |$)",
    "(?:ng|ember) (?:s|serve|server)(?: |$)",
    "(?:vue-cli-service|vue-cli|poi|nx|quasar|hugo|mkdocs|firebase|ionic) (?:serve|server|dev)(?: |$)",
    "(?:react-scripts|craco|react-app-rewired|docusaurus|expo|react-native|meteor|elm-spa) start(?: |$)",
    "expo(?: --web)?$",
    "start-storybook(?: |$)",
    "gatsby develop(?: |$)",
    "hexo (?:s|server)(?: |$)",
    "(?:bundle exec )?(?:jekyll|middleman) (?:s|serve|server)(?: |$)",
    "[\\w-]+ (?:dev|develop|development)(?: |$)",
    "(?:wrangler pages|netlify|vercel|serverless|sls) (?:dev|offline)(?: |$)",
    "electron(?:-forge)?(?: |$)",
    "php -S ",
    ".* (?:-w|-cw|--watch|--serve|--livereload)(?: |=|$)",
  ].join("|")})`,
);

const servesFiles =
  /^(?:http-server|serve|sirv|sirv-cli|ws|local-web-server|static-server|superstatic|angular-http-server|http-server-spa|spa-http-server|servor|(?:vite|astro|vitepress|rspress|rsbuild) (?:preview|serve)|docusaurus serve|gatsby serve|python3? -m (?:http\.server|SimpleHTTPServer))(?: |$)/;

function kindOf({ words }: Command, scripts: Scripts): Started {
  const [first = "", ...rest] = words;
  // Of a path, as in node_modules/.bin/vite, the name.
  const name = first.replace(/^.*\/(?=[^/]+$)/, "");
  const line = [name, ...rest].join(" ");
  if (servesFiles.test(line)) {
    const directory = directoryIn(line.replace(servesFiles, "").trim().split(/\s+/));
    return { kind: "files", program: programIn(line), ...(directory !== undefined && { directory }) };
  }
  if (forDevelopment.test(line)) return { kind: "development", program: programIn(line) };
  if (ends.test(line)) return { kind: "nothing" };
  const file = rest.find((word) => !word.startsWith("-"));
  return /^(?:node|bun|tsx|ts-node)$/.test(name) && file !== undefined && scripts.isForDevelopment(file)
    ? { kind: "development", program: `${name} ${file}` }
    : { kind: "server" };
}

/** Commands that end: nothing of theirs answers visitors. */
const ends =
  /^(?:echo|printf|exit|true|false|test|rimraf|rm|mkdir|cp|mv|open|tsc|webpack(?:-cli)?|rollup|esbuild|eleventy|sass|postcss|tailwindcss|eslint|prettier|jest|vitest|mocha|[\w-]+ (?:build|generate|test|lint))(?: |$)/;

/** The program, with its verb. */
const programIn = (line: string): string => /^\S+(?: [a-z]{1,10}(?= |$))?/.exec(line)?.[0].slice(0, 60) ?? "";

/** The directory among the words after the program: options of such programs that have values begin with these letters. */
const directoryIn = (words: readonly string[]): string | undefined =>
  words
    .find(
      (word, at) =>
        /^[\w.][\w./-]*$/.test(word) &&
        !/^\d+$/.test(word) &&
        !/^-[placPL]$|^--(?:port|listen|cors|config|host|address)$/.test(words[at - 1] ?? ""),
    )
    ?.replace(/^\.\/(?=.)|\/$/g, "");
