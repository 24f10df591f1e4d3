// Writes contract/ from the route and capability tables; with --check, checks whether it is up to date instead.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { capabilityTables, descriptionsOf, routesOf } from "../src/features.ts";
import type { OpenApiDocument } from "../src/http/openapi-document.ts";
import { routeTable } from "../src/http/table.ts";
import { type PublishedCapabilities, publishedCapabilities } from "./capabilities.ts";
import { clientTypes } from "./client-types.ts";
import { formatJson } from "./format-json.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "contract");

/** The generated files by name: pure functions of the route and capability tables. */
const contractFiles = (document: OpenApiDocument, capabilities: PublishedCapabilities): Record<string, string> => ({
  "openapi.json": formatJson(document),
  "capabilities.json": formatJson(capabilities),
  "types.ts": `${notice}\n${clientTypes(document)}`,
});

const notice = "// The API as types. Made from the route table by `node tools/contract.ts`.\n";

async function staleFiles(files: Record<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    if ((await readFile(join(folder, name), "utf8").catch(() => "")) !== text) stale.push(`contract/${name}`);
  }
  return stale;
}

if (import.meta.main) {
  const { routes, document } = routeTable(routesOf(), descriptionsOf());
  const files = contractFiles(document(), publishedCapabilities(capabilityTables(), routes));
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
