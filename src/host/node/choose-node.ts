import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// Chooses the version of Node for a release. Runs on managed servers, as a user without rights, with the server's Node: this file
// is copied there unchanged (release-node.ts). Its input was written by a project. Root accepts nothing from its output but
// a version of the form x.y.z.

/** The part of npm's own `semver`, which every Node includes, that is needed here. */
export interface Semver {
  validRange(range: string): string | null;
  satisfies(version: string, range: string): boolean;
  maxSatisfying(versions: readonly string[], range: string): string | null;
  rcompare(a: string, b: string): number;
}

export interface NodeQuestion {
  /** The project's setting; empty: not set. */
  setting: string;
  /** The files of the commit that may name a version, in order of precedence. */
  files: readonly VersionFile[];
  /** The server's default. */
  own: string;
  installed: readonly string[];
  /** The mirror's versions; undefined: not requested yet, or the mirror does not answer. */
  index: readonly { version: string; lts: string | false }[] | undefined;
  /** Whether a newer index cannot be fetched. */
  isLast: boolean;
  /** Whether that is because the mirror did not answer: the index is an earlier one. */
  isOld?: boolean;
}

/** `index`: the answer needs the mirror's list of versions, or a newer one. */
export type NodeAnswer = { use: string; why: string } | { refuse: string } | "index";

/** The requested version or range, as the project wrote it, and what requests it, worded for a sentence. */
export interface VersionRequest {
  text: string;
  by: string;
}

/** A file of a repository: its path, and its content. */
export interface VersionFile {
  name: string;
  text: string;
}

/**
 * The names of the files that may ask for a version, by precedence. The second half may ask for none: they are about other things,
 * too.
 */
export const versionFileNames = [
  ".nvmrc",
  ".node-version",
  ".tool-versions",
  "mise.toml",
  ".mise.toml",
  "package.json",
] as const;

/** The paths of those files, by precedence: the nearest of each kind, from a project's directory upwards. */
export function versionFiles(directory: string): string[] {
  const parts = directory === "" ? [] : directory.split("/");
  const directories = [...parts.keys(), parts.length].reverse().map((count) => parts.slice(0, count).join("/"));
  return versionFileNames.flatMap((name) => directories.map((each) => (each === "" ? name : `${each}/${name}`)));
}

/**
 * The version of Node that a repository asks for, by its files in the order of `versionFiles`; missing ones are left out. A text is
 * a sentence about a file that cannot be read; undefined: nothing asks for one.
 */
export function versionRequestIn(files: readonly VersionFile[]): VersionRequest | string | undefined {
  for (const { name, text } of files) {
    const request = readerOf(name)(name, text.replace(/^\uFEFF/, ""));
    if (typeof request === "object" && request.text.length > longestRequest) {
      return `${request.by} has more than ${longestRequest} characters, which is no version of Node.`;
    }
    if (request !== undefined) return request;
  }
  return undefined;
}

// No version or range is longer, and no line of a file that names one. A project chooses what expressions are run on.
const longestRequest = 200;
const longestLine = 1_000;

/**
 * Tools that Longshore installs beside Node do not run on older versions: the current lines of npm's alternatives need
 * this one.
 */
export const oldestMajor = 18;

/** Why a release uses the server's own version. */
export const serversOwn = "it is the server's own, and the project asks for none";

const majorOf = (version: string): number => Number(version.split(".")[0]);

/** Decides which version a release uses: the server's own where it fits, then an installed one, then the newest of the mirror. */
export function chooseNode(question: NodeQuestion, semver: Semver): NodeAnswer {
  const wish = wishOf(question);
  if (wish === undefined) {
    const isAsked = question.setting !== "";
    return { use: question.own, why: isAsked ? "it is the server's own" : serversOwn };
  }
  if (typeof wish === "string") return { refuse: wish };
  const range = rangeOf(wish.text, question, semver);
  if (range === "index") return "index";
  if (range === undefined) return { refuse: `${wish.by} asks for ${said(wish.text)}, which is no version of Node.` };
  const fits = (versions: readonly string[]) =>
    semver.maxSatisfying(
      versions.filter((version) => majorOf(version) >= oldestMajor),
      range,
    );
  const found = fits([question.own]) ?? fits(question.installed) ?? fits(versionsOf(question));
  if (found !== null) return { use: found, why: `${wish.by} asks for ${said(wish.text)}` };
  return question.isLast ? { refuse: whyNone(wish, question, semver) } : "index";
}

const versionsOf = ({ index }: NodeQuestion): string[] => (index ?? []).map(({ version }) => version);

function whyNone(wish: VersionRequest, question: NodeQuestion, semver: Semver): string {
  const newest = new Map<number, string>();
  for (const version of [...versionsOf(question), ...question.installed].sort(semver.rcompare)) {
    const major = majorOf(version);
    if (major >= oldestMajor && !newest.has(major)) newest.set(major, version);
  }
  const known = [...newest.values()].slice(0, 10).reverse().join(", ");
  const asks = `${wish.by} asks for Node ${said(wish.text)}`;
  const other = "The project's Node version (node_version) can be another one.";
  if (question.index && !question.isOld) {
    return `${asks}, which is not to be had. There are versions from ${oldestMajor} on, such as ${known}. ${other}`;
  }
  const there = question.index ? "its last list and the server have" : "on the server are";
  return `${asks}, and the mirror of Node did not answer: ${there} ${known}. Deploy again when it answers. ${other}`;
}

function wishOf({ setting, files }: NodeQuestion): VersionRequest | string | undefined {
  if (setting === "default") return undefined;
  if (setting !== "") return { text: setting, by: "the project's Node version" };
  return versionRequestIn(files);
}

type Reader = (name: string, text: string) => VersionRequest | string | undefined;

function readerOf(path: string): Reader {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return ofPackage;
  if (name === ".tool-versions") return ofToolVersions;
  return name.endsWith(".toml") ? ofMise : ofVersionFile;
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());

// Read as nvm does: one line, plus comments.
function ofVersionFile(name: string, text: string): VersionRequest | string {
  const line = linesOf(text).find((each) => each !== "");
  return line === undefined ? `${name} is empty: it should name a version of Node.` : { text: line, by: name };
}

// A line of asdf: a tool with its version, and further ones for where the first is not installed.
function ofToolVersions(name: string, text: string): VersionRequest | undefined {
  const words = linesOf(text).map((line) => line.split(/\s+/));
  return ofTool(name, words.find(([tool = ""]) => /^(?:core:)?node(?:js)?$/.test(tool))?.[1]);
}

// The entry of Node in the table `tools`, in each form that TOML has for it; of several versions, the first.
function ofMise(name: string, text: string): VersionRequest | undefined {
  let table = "";
  for (const line of withoutLineBreaksInLists(text)) {
    const header = /^\[+([^[\]]+)\]+$/.exec(line)?.[1];
    if (header !== undefined)
      table = `${header
        .split(".")
        .map((part) => part.trim())
        .join(".")}.`;
    // The whole name of the value, whatever of it the header has.
    const version = miseVersion.exec(`${table}${line}`)?.[1];
    if (version !== undefined) return ofTool(name, version);
  }
  return undefined;
}

const miseVersion =
  /^tools\s*\.\s*["']?(?:core:)?node(?:js)?["']?(?:\s*\.\s*version)?\s*=\s*(?:\[\s*|\{(?:[^}]*[,\s])?version\s*=\s*)?["']?([^"'\s,\]{}]+)/;

function withoutLineBreaksInLists(text: string): string[] {
  const lines: string[] = [];
  let open = "";
  for (const line of linesOf(text)) {
    if (line.length > longestLine) continue;
    const whole = open + line;
    open = whole.length < longestLine && endsInList(whole) ? `${whole} ` : "";
    if (open === "") lines.push(whole);
  }
  return lines;
}

function endsInList(text: string): boolean {
  const at = text.lastIndexOf("[");
  return at !== -1 && !text.includes("]", at) && text.slice(0, at).trimEnd().endsWith("=");
}

/** `system` is what is there; asdf and mise name lines of versions in forms of their own. */
function ofTool(name: string, version: string | undefined): VersionRequest | undefined {
  if (version === undefined || version === "system") return undefined;
  const plain = version.replace(/^(?:prefix|latest):/, "").replace(/^lts-/, "lts/");
  return { text: plain, by: name };
}

function ofPackage(name: string, text: string): VersionRequest | string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return `${name} is not the JSON that it should be.`;
  }
  const { volta, devEngines, engines } = record(json);
  const runtime = [record(devEngines).runtime]
    .flat()
    .map(record)
    .find((each) => each.name === "node");
  const requests: [string, unknown][] = [
    ["volta", record(volta).node],
    ["devEngines", runtime?.version],
    ["engines", record(engines).node],
  ];
  const [by, wanted] = requests.find(([, version]) => isWish(version)) ?? [];
  return isWish(wanted) ? { text: wanted.trim(), by: `${by} in ${name}` } : undefined;
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const isWish = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** A range that semver can read; undefined: not a range. */
function rangeOf(text: string, { index }: NodeQuestion, semver: Semver): string | undefined | "index" {
  if (text.length > longestRequest) return undefined;
  if (/^(?:node|stable|latest|current)$/i.test(text)) return "*";
  const line = /^lts(?:\/(.+))?$/i.exec(text);
  if (!line) return semver.validRange(text) ?? undefined;
  if (!index) return "index";
  const name = (line[1] ?? "*").toLowerCase();
  const lines = new Map<number, string>();
  for (const { version, lts } of index) if (lts !== false) lines.set(majorOf(version), lts.toLowerCase());
  const majors = [...lines.keys()].sort((one, other) => other - one);
  const back = name === "*" ? 0 : /^-\d{1,2}$/.test(name) ? -Number(name) : undefined;
  const major = back === undefined ? majors.find((each) => lines.get(each) === name) : majors[back];
  return major === undefined ? undefined : `${major}.x`;
}

// Text of a project: cut, and without characters that a terminal would interpret.
const said = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);

/** Reads those entries of the mirror's list that fit this server. */
export function readIndex(text: string, architecture: string): NonNullable<NodeQuestion["index"]> {
  const platform = architecture === "aarch64" ? "linux-arm64" : "linux-x64";
  return [JSON.parse(text)]
    .flat()
    .map(record)
    .flatMap(({ version, files, lts }) =>
      isWish(version) && /^v\d+\.\d+\.\d+$/.test(version) && Array.isArray(files) && files.includes(platform)
        ? [{ version: version.slice(1), lts: isWish(lts) ? lts : (false as const) }]
        : [],
    );
}

/**
 * Answers with two lines: `use`, `refuse` or `index`, and its value; a third line gives the reason. The files come on
 * standard input.
 */
export function main(): void {
  const [semverAt = "", setting = "", own = "", indexAt = "", last, architecture = "", ...installed] =
    process.argv.slice(1);
  const fields = readFileSync(0, "utf8").split("\0").slice(0, -1);
  const files = fields.flatMap((name, at) => (at % 2 === 0 ? [{ name, text: fields[at + 1] ?? "" }] : []));
  const index = indexAt === "" ? undefined : readIndex(readFileSync(indexAt, "utf8"), architecture);
  const semver = createRequire("file:///")(semverAt) as Semver;
  const isOld = last === "old";
  const answer = chooseNode({ setting, files, own, installed, index, isLast: isOld || last === "last", isOld }, semver);
  if (answer === "index") console.log("index");
  else if ("use" in answer) console.log(`use\n${answer.use}\n${answer.why}`);
  else console.log(`refuse\n${answer.refuse}`);
}
