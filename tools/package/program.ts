import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { npmManifests } from "./manifests.ts";

/** What runs on its own: folders of the repository. */
const folders = ["src", "contract", "cli", "mcp"];
const documents = /^(?:README\.md|LICENSE|CHANGELOG\.md|docs\/[\w-]+\.md)$/;
const launcher = "longshore";

/** Writes documents of the repository, and runs there alone. */
const forDevelopment = ["src/config-docs.ts"];

/** Of the console's build: what its tests read. */
const notServed = ["chunks.json"];

/**
 * Puts the program together in a new directory, as both packages hold it: the launcher, the sources as JavaScript, the built
 * console, and the manifests with pinned dependencies. Node runs no TypeScript below node_modules, where npm installs it.
 */
export async function writeProgram(root: string, directory: string): Promise<void> {
  const files = programFiles(await trackedFiles(root));
  const texts = new Map<string, string>();
  for (const file of files) if (extname(file) === ".ts") texts.set(file, await readFile(join(root, file), "utf8"));
  const asText = sentAsText(texts);
  for (const file of files) {
    const text = texts.get(file);
    if (text !== undefined) await put(join(directory, compiledName(file)), compile(file, text));
    if (text === undefined || asText.has(file)) await copy(root, directory, file);
  }
  await copyConsole(root, directory);
  for (const [name, manifest] of Object.entries(await npmManifests(root))) {
    await put(join(directory, name), `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
}

/** The files of the repository that a package holds, besides the console's build. */
export const programFiles = (tracked: readonly string[]): string[] =>
  tracked.filter((file) => {
    if (file === launcher || documents.test(file)) return true;
    const isProduct = folders.includes(file.split("/")[0] ?? "");
    return isProduct && !/(^|\/)tests?\/|\.test\.ts$|\.d\.ts$/.test(file) && !forDevelopment.includes(file);
  });

async function trackedFiles(root: string): Promise<string[]> {
  const listed = await mustRun(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  return listed
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)))
    .sort();
}

/**
 * JavaScript with the same lines and columns: only types become blanks, so that a stack names the place in the source. Throws for a
 * path of an import that was not recognized.
 */
export function compile(file: string, text: string): string {
  const code = stripTypeScriptTypes(text);
  const renamed = code
    .replace(/^(import|export)(\b[^;"']*?\bfrom\s*)"(\.[^"]*)\.ts"/gm, '$1$2"$3.js"')
    .replace(/^import(\s*)"(\.[^"]*)\.ts"/gm, 'import$1"$2.js"')
    .replace(/\bimport\((\s*)"(\.[^"]*)\.ts"(\s*)\)/g, 'import($1"$2.js"$3)');
  const left = /\b(?:from|import)\s*\(?\s*"\.[^"]*\.ts"/.exec(renamed);
  if (left) throw new Error(`${file}: ${left[0]} has a form of imports that packages do not handle.`);
  return renamed;
}

const compiledName = (file: string): string => file.replace(/\.ts$/, ".js");

/** The TypeScript files that code sends to servers, as text: a file beside or above them names them, other than in an import. */
export function sentAsText(texts: ReadonlyMap<string, string>): Set<string> {
  const named = [...texts].flatMap(([file, text]) =>
    Array.from(text.matchAll(/"([\w-]+\.ts)"/g), ([, name = ""]) => ({ name, near: dirname(file) })),
  );
  const isNamed = (file: string): boolean => {
    const folders = [dirname(file), dirname(dirname(file))];
    return named.some(({ name, near }) => name === basename(file) && folders.includes(near));
  };
  return new Set([...texts.keys()].filter(isNamed));
}

async function copyConsole(root: string, directory: string): Promise<void> {
  const built = join(root, "console/dist");
  if (!existsSync(join(built, "build.json")))
    throw new Error("The web console is not built: ./longshore console build");
  await cp(built, join(directory, "console/dist"), {
    recursive: true,
    filter: (path) => !notServed.includes(basename(path)),
  });
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function copy(root: string, directory: string, file: string): Promise<void> {
  await mkdir(dirname(join(directory, file)), { recursive: true });
  await copyFile(join(root, file), join(directory, file));
}
