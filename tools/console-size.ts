import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { suffixes } from "../src/http/console-build.ts";
import { chunksFile } from "./console-build.ts";

// How much JavaScript the pages of the built console load, compressed as browsers on plain http get it.

/** In bytes. */
export const sizeLimits = { firstScreen: 220_000, route: 40_000 };

/** A page, or another part that is loaded when it is needed. */
export interface Loaded {
  name: string;
  /** What it loads besides what is there already; the largest first. */
  files: { path: string; bytes: number }[];
  bytes: number;
}

export interface ConsoleSize {
  /** From nothing to the overview. */
  firstScreen: Loaded;
  /** Each beside what the first screen has loaded, with the page that it is a tab of. */
  routes: Loaded[];
}

interface Chunk {
  file: string;
  src?: string;
  imports?: string[];
  isDynamicEntry?: boolean;
}

type Chunks = Readonly<Record<string, Chunk>>;

const firstSources = ["index.html", "src/pages/shell/page.tsx", "src/pages/overview/page.tsx"];
/** What the first screen loads once it is there, and no other page loads again. */
const nextSource = "src/pages/shell/dialogs.tsx";

export async function sizeOf(dist: string): Promise<ConsoleSize> {
  const chunks = JSON.parse(await readFile(join(dist, chunksFile), "utf8")) as Chunks;
  const first = new Set(firstSources.flatMap((source) => filesFor(chunks, source)));
  const present = new Set([...first, ...filesFor(chunks, nextSource)]);
  const later = Object.keys(chunks).filter(
    (source) => chunks[source]?.isDynamicEntry && !firstSources.includes(source),
  );
  const routes = later.map((source) => {
    const needed = [...layoutsOf(chunks, source), source].flatMap((each) => filesFor(chunks, each));
    return loaded(dist, source, new Set(needed).difference(source === nextSource ? first : present));
  });
  return {
    firstScreen: await loaded(dist, "the first screen", first),
    routes: (await Promise.all(routes)).sort(bySize),
  };
}

/** The JavaScript that a source comes with: its own chunk, and those that this imports. */
function filesFor(chunks: Chunks, source: string, found = new Set<string>()): string[] {
  const chunk = chunks[source];
  if (!chunk) throw new Error(`The build of the console has no chunk of ${source}.`);
  if (!found.has(chunk.file)) {
    found.add(chunk.file);
    for (const each of chunk.imports ?? []) filesFor(chunks, each, found);
  }
  return [...found].filter((file) => file.endsWith(".js"));
}

/** The pages around a tab: those of the folders above its own. */
function layoutsOf(chunks: Chunks, source: string): string[] {
  const folders = source.split("/").slice(0, -1);
  return folders
    .map((_, depth) => `${folders.slice(0, depth).join("/")}/page.tsx`)
    .filter((page) => page !== source && chunks[page] !== undefined);
}

async function loaded(dist: string, name: string, paths: ReadonlySet<string>): Promise<Loaded> {
  const files = await Promise.all([...paths].map(async (path) => ({ path, bytes: await compressedBytes(dist, path) })));
  return { name, files: files.sort(bySize), bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Small files are not compressed. */
async function compressedBytes(dist: string, path: string): Promise<number> {
  const file = join(dist, path);
  const found = await stat(file + suffixes.gzip).catch(() => stat(file));
  return found.size;
}

const bySize = (a: { bytes: number }, b: { bytes: number }): number => b.bytes - a.bytes;
