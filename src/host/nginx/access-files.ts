import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import {
  namedDirectories,
  type Rules,
  readHtaccess,
  type Scope,
  sentencesAbout,
  type Verdict,
  verdictOf,
  verdictOfDirectory,
} from "./htaccess.ts";

// Writes into a release what its .htaccess files keep from visitors, for nginx (access.ts). Runs on managed servers, as the project's
// user and with the server's Node: this file and htaccess.ts are copied there as one text.

export interface Release {
  /** The directory of the release, in which `.longshore` is. */
  release: string;
  /** What outlives releases: links lead there. */
  shared: string;
  /** Of files whose source no visitor gets, of a site that runs none; undefined: it runs them. */
  notRun?: RegExp | undefined;
}

/** How many directories nginx looks at in an address: rules of deeper ones have no effect. */
export const deepest = 10;

const mostDirectories = 20_000;
const mostEntries = 5_000;
const largestFile = 65_536;

interface Found {
  /** By address: files and directories where the verdict is another one than for the directory above. */
  verdicts: Map<string, Verdict>;
  /** By path, the files that were read. */
  files: Map<string, Rules>;
  directories: number;
  /** Files with source that the site neither runs nor sends, by their paths. */
  sources: string[];
  /** The directories whose contents count. */
  roots: readonly string[];
  exists: (address: string) => boolean;
  notRun: RegExp | undefined;
}

/** What the rules of a release mean for its addresses, and sentences about what was not read. */
export function readAccess({ release, shared, notRun }: Release): {
  verdicts: Map<string, Verdict>;
  sentences: string[];
} {
  const top = realpathSync(`${release}/.longshore/public`);
  const roots = [release, shared].filter((path) => existsSync(path)).map((path) => realpathSync(path));
  const exists = (address: string): boolean => existsSync(`${top}${address}`);
  const found: Found = { verdicts: new Map(), files: new Map(), directories: 0, sources: [], notRun, roots, exists };
  walk(found, { path: top, address: "", scopes: [], above: [], verdict: "open" });
  const isTooMuch = found.directories > mostDirectories || found.verdicts.size > mostEntries;
  return {
    verdicts: withParents(found.verdicts),
    sentences: [
      ...sentencesAbout(found.files),
      ...aboutSources(found.sources),
      ...(isTooMuch
        ? ["The release has more directories or rules of .htaccess than are read: some have no effect."]
        : []),
    ],
  };
}

interface Place {
  path: string;
  address: string;
  scopes: readonly Scope[];
  /** The real paths of the directories above, to notice a link that leads back. */
  above: readonly string[];
  verdict: Verdict;
}

function walk(found: Found, { path, address, scopes: outer, above, verdict: inherited }: Place): void {
  found.directories += 1;
  if (found.directories > mostDirectories || address.split("/").length > deepest + 1) return;
  const real = realpathSync(path);
  if (above.includes(real) || !found.roots.some((root) => `${real}/`.startsWith(`${root}/`))) return;
  const scopes = [...outer, ...ownScope(found, path, address)];
  const verdict = verdictOfDirectory(scopes, address, found.exists);
  if (verdict !== inherited) found.verdicts.set(address, verdict);
  for (const { name, kind } of entriesOf(path)) {
    const at = `${address}/${name}`;
    if (kind === "directory")
      walk(found, { path: `${path}/${name}`, address: at, scopes, above: [...above, real], verdict });
    else {
      const own = scopes.length === 0 ? verdict : verdictOf(scopes, at, found.exists);
      if (own !== verdict) found.verdicts.set(at, own);
      if (found.notRun?.test(at)) found.sources.push(at.slice(1));
    }
  }
}

function aboutSources(sources: readonly string[]): string[] {
  if (sources.length === 0) return [];
  const more = sources.length > 3 ? ` and ${sources.length - 3} more` : "";
  const named = `${sources.slice(0, 3).join(", ")}${more}`;
  return [
    `A static site runs no programs, and nginx does not send their source: ${named}. For PHP choose framework 4.`,
  ];
}

/** The rules of a directory's own file, with the directories that they name and that are not there yet. */
function ownScope(found: Found, path: string, address: string): Scope[] {
  const file = `${path}/.htaccess`;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return [];
  const rules: Rules =
    stats.size > largestFile
      ? { ...readHtaccess("", true), unread: ["more than 64 KB"] }
      : readHtaccess(readFileSync(file, "utf8"), address === "");
  found.files.set(file.slice(1 + (found.roots.find((root) => file.startsWith(`${root}/`)) ?? "").length), rules);
  const scope = { address, rules };
  for (const named of namedDirectories(scope)) {
    if (found.exists(named) || named.split("/").length > deepest) continue;
    if (verdictOfDirectory([scope], named, found.exists) === "denied") found.verdicts.set(named, "denied");
  }
  return [scope];
}

/** Names that begin with a dot are hidden in any case, and what packages for Node have is no rule of the project's. */
function entriesOf(path: string): { name: string; kind: "file" | "directory" }[] {
  try {
    return readdirSync(path)
      .filter((name) => !name.startsWith(".") && name !== "node_modules")
      .flatMap((name) => {
        const stats = statSync(`${path}/${name}`, { throwIfNoEntry: false });
        return stats ? [{ name, kind: stats.isDirectory() ? ("directory" as const) : ("file" as const) }] : [];
      });
  } catch {
    return [];
  }
}

/** With the directories above each entry, since the nearest entry decides. */
function withParents(verdicts: ReadonlyMap<string, Verdict>): Map<string, Verdict> {
  const all = new Map<string, Verdict>();
  for (const [address] of [...verdicts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, mostEntries)) {
    const parts = address.split("/");
    let inherited: Verdict = "open";
    for (const count of parts.keys()) {
      const at = parts.slice(0, count + 1).join("/");
      inherited = verdicts.get(at) ?? inherited;
      all.set(at, inherited);
    }
  }
  return all;
}

/** In one piece, so that a release that is served in place is never without: `.denied` and `.routed` in directories named as addresses are. */
export function writeAccess(release: string, verdicts: ReadonlyMap<string, Verdict>): void {
  const directory = `${release}/.longshore/access`;
  rmSync(`${directory}.new`, { recursive: true, force: true });
  if (verdicts.size === 0) {
    rmSync(directory, { recursive: true, force: true });
    return;
  }
  mkdirSync(`${directory}.new`);
  for (const [address, verdict] of verdicts) {
    mkdirSync(`${directory}.new${address}`, { recursive: true });
    if (verdict !== "open") writeFileSync(`${directory}.new${address}/.${verdict}`, "");
  }
  rmSync(directory, { recursive: true, force: true });
  renameSync(`${directory}.new`, directory);
}

/** Leaves the file `sources` where what is served is the project itself, and not a directory that was made to be served. */
export function noteSources(release: string, working: string): void {
  const top = realpathSync(`${release}/.longshore/public`);
  const note = `${release}/.longshore/sources`;
  const manifests = ["composer.json", "package.json"].map((name) => `${top}/${name}`);
  if (top === realpathSync(working) || manifests.some((path) => existsSync(path))) writeFileSync(note, "");
  else rmSync(note, { force: true });
}

export function main(): void {
  const [release = "", working = "", shared = "", notRun = ""] = process.argv.slice(1);
  const read = readAccess({ release, shared, notRun: notRun === "" ? undefined : new RegExp(notRun, "i") });
  writeAccess(release, read.verdicts);
  noteSources(release, working);
  const denied = [...read.verdicts].flatMap(([address, verdict]) => (verdict === "open" ? [] : [address || "/"]));
  if (denied.length > 0) {
    const more = denied.length > 10 ? ` and ${denied.length - 10} more` : "";
    console.log(plain(`Denied by .htaccess files: ${denied.slice(0, 10).join(", ")}${more}.`));
  }
  for (const sentence of read.sentences) console.log(plain(`Warning: ${sentence}`));
}

/** Text with names of a project: one line, and without characters that a terminal would interpret. */
const plain = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?").slice(0, 500);
