// Writes contract/ from the route table; with --check, checks whether it is up to date instead.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { routesOf } from "../src/features.ts";
import type { OpenApiDocument } from "../src/http/openapi.ts";
import { routeTable } from "../src/http/table.ts";
import { clientTypes } from "./client-types.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "contract");

/** The generated files by name: pure functions of the route table. */
export async function contractFiles(document: OpenApiDocument): Promise<Record<string, string>> {
  return {
    "openapi.json": `${JSON.stringify(document, null, 2)}\n`,
    "client.ts": `${notice}\n${clientTypes(document)}${await runtime()}`,
  };
}

const notice = `// The API of Longshore as types and one function. Made from the route table by \`node tools/contract.ts\`.
// It depends on nothing: copy it wherever it is needed.
`;

async function runtime(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, "client-runtime.ts"), "utf8");
  return text.slice(text.indexOf("\n", text.indexOf("// cut here")) + 1);
}

async function staleFiles(files: Record<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    if ((await readFile(join(folder, name), "utf8").catch(() => "")) !== text) stale.push(`contract/${name}`);
  }
  return stale;
}

if (import.meta.main) {
  const files = await contractFiles(routeTable(routesOf()).document());
  if (process.argv.includes("--check")) {
    const stale = await staleFiles(files);
    if (stale.length > 0) {
      process.stderr.write(`Not up to date: ${stale.join(", ")}. Run: node tools/contract.ts\n`);
      process.exitCode = 1;
    }
  } else {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  }
}
