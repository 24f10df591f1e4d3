import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { mustRun } from "../sandbox/command.ts";
import {
  type BuildRecord,
  type BuiltFile,
  pageFile,
  readRecord,
  recordFile,
  suffixes,
} from "../src/http/console-build.ts";
import type { Encoding } from "../src/http/documents.ts";

// Builds console/ into console/dist, which the API serves. A running service, and pages that are open, never miss a file: the
// new ones come first, then the page that asks for them, and those of the build before stay until the next one.

export interface Places {
  console: string;
  dist: string;
  /** What vite makes, before it is published. */
  made: string;
  modules: string;
}

export const placesIn = (root: string): Places => {
  const modules = join(root, "console/node_modules");
  return { console: join(root, "console"), dist: join(root, "console/dist"), made: join(modules, ".made"), modules };
};

// When to build ------------------------------------------------------------------------------------------------------------

const notBuilt = ["node_modules", "dist", "test", "stories"];

/** The digest of what a build depends on: the sources of the console, the contract, this file, and the version. */
export function digestOfSources(root: string): string {
  const ofConsole = readdirSync(join(root, "console")).filter(
    (name) => !name.startsWith(".") && !notBuilt.includes(name),
  );
  const files = [...ofConsole.map((name) => `console/${name}`), "contract"].flatMap((path) => filesBelow(root, path));
  const digest = createHash("sha256").update(readFileSync(import.meta.filename));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  digest.update(version);
  for (const file of files.sort()) digest.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  return digest.digest("hex");
}

function filesBelow(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}

/** The record of the build that is there; undefined if there is none, or none of this version's form. */
export async function findRecord(dist: string): Promise<BuildRecord | undefined> {
  const text = await readFile(join(dist, recordFile), "utf8").catch(() => undefined);
  return text === undefined ? undefined : readRecord(text);
}

// Build --------------------------------------------------------------------------------------------------------------------

/** Installs what the console is built with, if its lock file has changed; `onStart` is called if so. */
export async function installPackages({ console, modules }: Places, onStart: () => void): Promise<void> {
  const lock = join(console, "package-lock.json");
  const stamp = join(modules, ".longshore-installed");
  const digest = createHash("sha256")
    .update(await readFile(lock))
    .digest("hex");
  if ((await readFile(stamp, "utf8").catch(() => "")) === digest) return;
  if (!(await isInstalledByHand(modules, lock))) {
    onStart();
    const quick = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
    // Without a network the start of the service must not wait for minutes.
    await mustRun(["npm", "ci", ...quick, "--fetch-retries=1", "--fetch-retry-mintimeout=1000"], { cwd: console });
  }
  await writeFile(stamp, digest);
}

/** After `npm install` it is right already: npm writes this file last. */
async function isInstalledByHand(modules: string, lock: string): Promise<boolean> {
  const installed = await stat(join(modules, ".package-lock.json")).catch(() => undefined);
  return installed !== undefined && installed.mtimeMs > (await stat(lock)).mtimeMs;
}

/** Builds the console, and publishes it in its dist. */
export async function build(places: Places, sources: string): Promise<BuildRecord> {
  const styleHashes = await styleHashesIn(places.modules);
  await rm(places.made, { recursive: true, force: true });
  const vite = join(places.modules, "vite/bin/vite.js");
  await mustRun([process.execPath, vite, "build", "--outDir", places.made, "--emptyOutDir", "--logLevel", "warn"], {
    cwd: places.console,
  });
  const record = await publish(places, { sources, styleHashes });
  await rm(places.made, { recursive: true });
  return record;
}

/** The files of react-aria that add a style element to a page: for buttons on touch screens, and behind dialogs on iOS. */
const styling = ["interactions/usePress.mjs", "overlays/usePreventScroll.mjs"];

export const styleHashesIn = (modules: string): Promise<string[]> =>
  Promise.all(styling.map((file) => styleHashIn(join(modules, "react-aria/dist/private", file))));

async function styleHashIn(file: string): Promise<string> {
  const code = await readFile(file, "utf8");
  const [, template] = /\.textContent = `([^`]*)`\.trim\(\)/.exec(code) ?? [];
  const [, attribute = ""] = /PRESSABLE_ATTRIBUTE = '([\w-]+)'/.exec(code) ?? [];
  const style = template?.replace(/\$\{[\w$]*PRESSABLE_ATTRIBUTE\}/, attribute).trim();
  if (!style || style.includes("$")) throw new Error(`The style element of react-aria was not found in ${file}.`);
  return `sha256-${createHash("sha256").update(style).digest("base64")}`;
}

/** Which of the made files needs which, as vite lists them: for tests, and not served. */
export const chunksFile = "chunks.json";
const madeChunksFile = ".vite/manifest.json";

// Publish ------------------------------------------------------------------------------------------------------------------

/** Moves what was made to dist, compressed; the record comes last. What neither this build nor the one before made is removed. */
export async function publish(
  { console, dist, made }: Omit<Places, "modules">,
  { sources, styleHashes }: Pick<BuildRecord, "sources" | "styleHashes">,
): Promise<BuildRecord> {
  const previous = await findRecord(dist);
  const paths = (await listFiles(made)).filter((path) => path !== pageFile && path !== madeChunksFile);
  const files: Record<string, BuiltFile> = {};
  for (const path of paths) {
    const isHashed = path.startsWith("assets/") && !existsSync(join(console, "public", path));
    files[path] = await publishFile(path, { made, dist, isHashed });
  }
  const hashed = paths.filter((path) => files[path]?.isHashed);
  const record = { sources, styleHashes, hashed, files: { ...formerFiles(previous, hashed), ...files } };
  await rename(join(made, madeChunksFile), join(dist, chunksFile));
  await rename(join(made, pageFile), join(dist, pageFile));
  await writeFile(join(made, recordFile), JSON.stringify(record));
  await rename(join(made, recordFile), join(dist, recordFile));
  await removeOthers(dist, record);
  return record;
}

/** Those of the build before; of one that is the same, those that it kept itself. */
function formerFiles(previous: BuildRecord | undefined, hashed: readonly string[]): Record<string, BuiltFile> {
  if (!previous) return {};
  const isSame = hashed.length === previous.hashed.length && hashed.every((path) => previous.hashed.includes(path));
  const kept = Object.entries(previous.files).filter(
    ([path, { isHashed }]) => isHashed && (isSame || previous.hashed.includes(path)),
  );
  return Object.fromEntries(kept);
}

const compressible = [".css", ".js", ".json", ".svg", ".txt", ".webmanifest"];
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function publishFile(
  path: string,
  { made, dist, isHashed }: { made: string; dist: string; isHashed: boolean },
): Promise<BuiltFile> {
  const content = await readFile(join(made, path));
  const tag = `W/"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  await mkdir(dirname(join(dist, path)), { recursive: true });
  const encodings: Encoding[] = [];
  if (compressible.includes(extname(path))) {
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    const bodies = { br: await brotli(content, { params }), gzip: await gzipped(content, { level: 9 }) };
    for (const encoding of ["br", "gzip"] as const) {
      if (bodies[encoding].length >= content.length) continue;
      encodings.push(encoding);
      await writeFile(join(made, path + suffixes[encoding]), bodies[encoding]);
      await rename(join(made, path + suffixes[encoding]), join(dist, path + suffixes[encoding]));
    }
  }
  await rename(join(made, path), join(dist, path));
  return { tag, encodings, isHashed };
}

async function removeOthers(dist: string, { files }: BuildRecord): Promise<void> {
  const bodies = Object.entries(files).flatMap(([path, { encodings }]) => [
    path,
    ...encodings.map((encoding) => path + suffixes[encoding]),
  ]);
  const kept = new Set([pageFile, chunksFile, recordFile, ...bodies]);
  for (const path of await listFiles(dist)) if (!kept.has(path)) await rm(join(dist, path));
}

async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => relative(directory, join(each.parentPath, each.name)));
}
