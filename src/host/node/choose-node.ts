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
  files: readonly { name: string; text: string }[];
  /** The server's default. */
  own: string;
  installed: readonly string[];
  /** The mirror's versions; undefined: not requested yet, or the mirror does not answer. */
  index: readonly { version: string; lts: string | false }[] | undefined;
  /** Whether a newer index cannot be fetched. */
  isLast: boolean;
}

/** `index`: the answer needs the mirror's list of versions, or a newer one. */
export type NodeAnswer = { use: string; why: string } | { refuse: string } | "index";

/** The requested range and who requests it, worded for a sentence. */
interface VersionRequest {
  text: string;
  by: string;
}

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
  const there = question.index
    ? `There are versions from ${oldestMajor} on, such as ${known}`
    : `The mirror did not answer, and on the server are ${known}`;
  return `${wish.by} asks for Node ${said(wish.text)}, which is not to be had. ${there}. The setting node_version chooses another one.`;
}

function wishOf({ setting, files }: NodeQuestion): VersionRequest | string | undefined {
  if (setting === "default") return undefined;
  if (setting !== "") return { text: setting, by: "the project's setting node_version" };
  for (const { name, text } of files) {
    const wish = name.endsWith("package.json") ? ofPackage(name, text) : ofVersionFile(name, text);
    if (wish !== undefined) return wish;
  }
  return undefined;
}

// Read as nvm does: one line, plus comments.
function ofVersionFile(name: string, text: string): VersionRequest | string {
  const line = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((each) => each.replace(/#.*/, "").trim())
    .find((each) => each !== "");
  return line === undefined ? `${name} is empty: it should name a version of Node.` : { text: line, by: name };
}

function ofPackage(name: string, text: string): VersionRequest | string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return `${name} is not the JSON that it should be.`;
  }
  const { devEngines, engines } = record(json);
  const runtimes = [record(devEngines).runtime].flat().map(record);
  const wanted = runtimes.find((each) => each.name === "node")?.version;
  if (isWish(wanted)) return { text: wanted.trim(), by: `devEngines in ${name}` };
  const { node } = record(engines);
  return isWish(node) ? { text: node.trim(), by: `engines in ${name}` } : undefined;
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const isWish = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** A range that semver can read; undefined: not a range. */
function rangeOf(text: string, { index }: NodeQuestion, semver: Semver): string | undefined | "index" {
  if (text.length > 200) return undefined;
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
  const answer = chooseNode({ setting, files, own, installed, index, isLast: last === "last" }, semver);
  if (answer === "index") console.log("index");
  else if ("use" in answer) console.log(`use\n${answer.use}\n${answer.why}`);
  else console.log(`refuse\n${answer.refuse}`);
}
