// Makes the npm package of the client: node tools/cli-package.ts FOLDER. Node runs no TypeScript below node_modules, so types are removed.
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The sources keep their places, so that their imports of each other stay right. */
const places: readonly [from: string, to: string][] = [
  ["cli/src", "cli/src"],
  ["contract/client.ts", "contract/client.ts"],
];

/** JavaScript of the same lines. */
const compiled = (source: string): string =>
  stripTypeScriptTypes(source, { mode: "strip" }).replace(/(\bfrom |\bimport\()"(\.[^"]*)\.ts"/g, '$1"$2.js"');

async function filesIn(path: string): Promise<string[]> {
  if (path.endsWith(".ts")) return [path];
  const entries = await readdir(join(root, path), { recursive: true });
  return entries.filter((entry) => entry.endsWith(".ts")).map((entry) => `${path}/${entry}`);
}

async function makePackage(folder: string): Promise<void> {
  for (const [from, to] of places) {
    for (const file of await filesIn(from)) {
      const target = join(folder, `${to}${file.slice(from.length)}`.replace(/\.ts$/, ".js"));
      await mkdir(dirname(target), { recursive: true });
      const text = compiled(await readFile(join(root, file), "utf8"));
      await writeFile(target, file === "cli/src/main.ts" ? `#!/usr/bin/env node\n${text}` : text);
    }
  }
  const description = JSON.parse(await readFile(join(root, "cli/package.json"), "utf8")) as Record<string, unknown>;
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const made = { ...description, version, bin: { longshore: "./cli/src/main.js" }, files: ["cli", "contract"] };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(made, null, 2)}\n`);
  // The program reads its version beside its sources.
  await writeFile(join(folder, "cli/package.json"), `${JSON.stringify({ version, type: "module" })}\n`);
  await cp(join(root, "cli/README.md"), join(folder, "README.md"));
  await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("Usage: node tools/cli-package.ts FOLDER\n");
  process.exitCode = 2;
} else await makePackage(folder);
