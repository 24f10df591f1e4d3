// Writes contract/ from the route and capability tables; with --check, checks whether it is up to date instead.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { capabilityTables, routesOf } from "../src/features.ts";
import type { OpenApiDocument } from "../src/http/openapi.ts";
import { routeTable } from "../src/http/table.ts";
import { type PublishedCapabilities, publishedCapabilities } from "./capabilities.ts";
import { clientTypes } from "./client-types.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "contract");

/** The generated files by name: pure functions of the route table. */
async function contractFiles(
  document: OpenApiDocument,
  capabilities: PublishedCapabilities,
): Promise<Record<string, string>> {
  const table = JSON.stringify(capabilities, null, 2);
  return {
    "openapi.json": `${JSON.stringify(document, null, 2)}\n`,
    "capabilities.json": `${table}\n`,
    "client.ts": [
      notice,
      clientTypes(document),
      await copied(join(import.meta.dirname, "client-runtime.ts")),
      "// Capabilities: what can be done to a record in its state\n",
      `export const capabilities = ${table} as const;\n`,
      await copied(join(import.meta.dirname, "client-capabilities.ts")),
      await copied(join(root, "src", "http", "capability-rules.ts")),
    ].join("\n"),
  };
}

const notice = `// The API of Longshore as types and one function. Made from the route table by \`node tools/contract.ts\`.
// It depends on nothing: copy it wherever it is needed.
`;

/** The text of a file after its line `// cut here`. */
async function copied(file: string): Promise<string> {
  const text = await readFile(file, "utf8");
  return text.slice(text.indexOf("\n\n", text.indexOf("// cut here")) + 2);
}

async function staleFiles(files: Record<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    if ((await readFile(join(folder, name), "utf8").catch(() => "")) !== text) stale.push(`contract/${name}`);
  }
  return stale;
}

if (import.meta.main) {
  const { routes, document } = routeTable(routesOf());
  const files = await contractFiles(document(), publishedCapabilities(capabilityTables(), routes));
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
